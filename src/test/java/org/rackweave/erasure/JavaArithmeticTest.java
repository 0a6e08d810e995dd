package org.rackweave.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the sum one would write down: byte by byte, product by product. */
class JavaArithmeticTest {
  private final StripeArithmetic arithmetic = new JavaArithmetic();

  private static int expected(ByteMatrix matrix, int row, ByteBuffer[] inputs, int at) {
    int sum = 0;
    for (int column = 0; column < inputs.length; column++) {
      ByteBuffer input = inputs[column];
      int element = at < input.remaining() ? input.get(input.position() + at) & 255 : 0;
      sum ^= Gf256Test.slowProduct(matrix.at(row, column), element);
    }
    return sum;
  }

  private static ByteMatrix matrix(SplittableRandom random, int rows, int columns) {
    // Zeros, ones and small cells are the special cases of the compiler.
    int most = new int[] {2, 4, 17, 256}[random.nextInt(4)];
    int[] cells = random.ints((long) rows * columns, 0, most).toArray();
    return ByteMatrix.of(rows, columns, (row, column) -> cells[row * columns + column]);
  }

  /** A random unit somewhere inside a larger buffer. */
  private static ByteBuffer unit(SplittableRandom random, int lengthBytes) {
    int before = random.nextInt(20);
    int capacity = before + lengthBytes + random.nextInt(20);
    ByteBuffer unit =
        switch (random.nextInt(3)) {
          case 0 -> ByteBuffer.allocateDirect(capacity);
          case 1 -> ByteBuffer.allocate(capacity);
          default -> ByteBuffer.allocate(capacity + 3).position(3).slice();
        };
    byte[] bytes = new byte[capacity];
    random.nextBytes(bytes);
    unit.put(bytes, 0, capacity).position(before).limit(before + lengthBytes);
    return random.nextInt(4) == 0 ? unit.asReadOnlyBuffer() : unit;
  }

  private static ByteBuffer target(SplittableRandom random, int lengthBytes) {
    ByteBuffer target;
    do {
      target = unit(random, lengthBytes);
    } while (target.isReadOnly());
    return target;
  }

  /** A copy of all bytes, those outside of position and limit too. */
  private static ByteBuffer whole(ByteBuffer buffer) {
    ByteBuffer all = buffer.duplicate().clear();
    return ByteBuffer.allocate(all.remaining()).put(all).flip();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void multipliesAsWrittenDown(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int turn = 0; turn < 150; turn++) {
      String what = "seed " + seed + " turn " + turn;
      int length = random.nextInt(random.nextBoolean() ? 40 : 5000);
      int columns = 1 + random.nextInt(13);
      int rows = random.nextInt(6);
      check(what, random, matrix(random, rows, columns), length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 30, 120, 254})
  void multipliesMatricesOfAnyWidth(int columns) {
    SplittableRandom random = new SplittableRandom(columns);
    check(columns + " columns", random, matrix(random, 255 - columns, columns), 33);
    check(columns + " columns, 1 row", random, matrix(random, 1, columns), 5000);
  }

  private void check(String what, SplittableRandom random, ByteMatrix matrix, int length) {
    ByteBuffer[] inputs = new ByteBuffer[matrix.columns()];
    for (int i = 0; i < inputs.length; i++) {
      inputs[i] = unit(random, random.nextInt(4) == 0 ? random.nextInt(length + 1) : length);
    }
    ByteBuffer[] outputs = new ByteBuffer[matrix.rows()];
    List<ByteBuffer> expected = new ArrayList<>();
    for (int row = 0; row < outputs.length; row++) {
      outputs[row] = target(random, length + random.nextInt(9));
      ByteBuffer bytes = whole(outputs[row]);
      for (int at = 0; at < length; at++) {
        bytes.put(outputs[row].position() + at, (byte) expected(matrix, row, inputs, at));
      }
      expected.add(bytes);
    }
    ByteBuffer[] before = positions(inputs);
    ByteBuffer[] targets = positions(outputs);
    arithmetic.product(matrix).apply(inputs, outputs, length);
    for (int row = 0; row < outputs.length; row++) {
      assertEquals(expected.get(row), whole(outputs[row]), what + " row " + row);
    }
    assertSamePositions(before, inputs);
    assertSamePositions(targets, outputs);
  }

  private static ByteBuffer[] positions(ByteBuffer[] buffers) {
    ByteBuffer[] copies = new ByteBuffer[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      copies[i] = buffers[i].duplicate();
    }
    return copies;
  }

  private static void assertSamePositions(ByteBuffer[] before, ByteBuffer[] after) {
    for (int i = 0; i < before.length; i++) {
      assertEquals(before[i].position(), after[i].position());
      assertEquals(before[i].limit(), after[i].limit());
    }
  }

  @Test
  void refusesUnitsThatDoNotFitTheMatrix() {
    StripeArithmetic.Product product = arithmetic.product(new ReedSolomonCode(2, 1).parityRows());
    ByteBuffer[] one = {ByteBuffer.allocate(8)};
    ByteBuffer[] two = {ByteBuffer.allocate(8), ByteBuffer.allocate(8)};
    assertThrows(IllegalArgumentException.class, () -> product.apply(one, one, 8));
    assertThrows(IllegalArgumentException.class, () -> product.apply(two, two, 8));
    assertThrows(IllegalArgumentException.class, () -> product.apply(two, one, 9));
    one[0] = one[0].asReadOnlyBuffer();
    assertThrows(IllegalArgumentException.class, () -> product.apply(two, one, 8));
  }

  @Test
  void preparesFewerPassesThanProductsForManyRows() {
    // 4 rows x 10 columns x 8 bits, half of them set, is 160 additions; groups share most.
    int shared = XorProgram.of(new ReedSolomonCode(10, 4).parityRows()).cost();
    assertTrue(shared < 300, "cost " + shared);
  }

  @Test
  void servesSeveralThreadsAtOnce() throws Exception {
    ByteMatrix matrix = new ReedSolomonCode(6, 3).parityRows();
    StripeArithmetic.Product product = arithmetic.product(matrix);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> turns = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        long seed = thread;
        turns.add(threads.submit(() -> codeOften(matrix, product, seed)));
      }
      for (Future<?> turn : turns) {
        turn.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static void codeOften(ByteMatrix matrix, StripeArithmetic.Product product, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int length = 3000;
    for (int turn = 0; turn < 200; turn++) {
      ByteBuffer[] inputs = new ByteBuffer[6];
      ByteBuffer[] outputs = new ByteBuffer[3];
      for (int i = 0; i < inputs.length; i++) {
        inputs[i] = unit(random, length);
      }
      for (int i = 0; i < outputs.length; i++) {
        outputs[i] = target(random, length);
      }
      product.apply(inputs, outputs, length);
      for (int probe = 0; probe < 20; probe++) {
        int at = random.nextInt(length);
        int row = random.nextInt(3);
        int made = outputs[row].get(outputs[row].position() + at) & 255;
        assertEquals(expected(matrix, row, inputs, at), made, "seed " + seed);
      }
    }
  }
}
