package org.rackweave.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatrixCoderTest {
  private static final int LENGTH = 77;

  private static MatrixCoder coder(String name) {
    return new MatrixCoder(ReedSolomonCode.named(name), new JavaArithmetic());
  }

  /** Data units of random lengths up to {@link #LENGTH}, and their parity. */
  private static ByteBuffer[] stripe(MatrixCoder coder, SplittableRandom random) {
    ReedSolomonCode code = coder.code();
    ByteBuffer[] units = new ByteBuffer[code.allUnits()];
    for (int unit = 0; unit < units.length; unit++) {
      boolean shorter = unit < code.dataUnits() && random.nextInt(3) == 0;
      byte[] bytes = new byte[shorter ? random.nextInt(LENGTH) : LENGTH];
      random.nextBytes(bytes);
      units[unit] = ByteBuffer.wrap(bytes);
    }
    ByteBuffer[] data = Arrays.copyOf(units, code.dataUnits());
    ByteBuffer[] parity = Arrays.copyOfRange(units, code.dataUnits(), code.allUnits());
    coder.encode(data, parity, LENGTH);
    return units;
  }

  private static void assertRecovers(MatrixCoder coder, ByteBuffer[] stripe, int lost) {
    int[] wanted = IntStream.range(0, stripe.length).filter(i -> (lost >> i & 1) != 0).toArray();
    ByteBuffer[] left = stripe.clone();
    ByteBuffer[] outputs = new ByteBuffer[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      left[wanted[i]] = null;
      outputs[i] = ByteBuffer.allocate(LENGTH);
    }
    coder.decode(left, wanted, outputs, LENGTH);
    for (int i = 0; i < wanted.length; i++) {
      byte[] padded = Arrays.copyOf(stripe[wanted[i]].array(), LENGTH);
      assertEquals(ByteBuffer.wrap(padded), outputs[i], "unit " + wanted[i] + " of " + lost);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-1-1", "rs-2-1", "rs-3-2", "rs-4-2", "rs-6-3", "rs-3-5"})
  void bringsBackEverySetOfUnitsItPromises(String name) {
    MatrixCoder coder = coder(name);
    int parity = coder.code().parityUnits();
    ByteBuffer[] stripe = stripe(coder, new SplittableRandom(7));
    for (int lost = 1; lost < 1 << stripe.length; lost++) {
      if (Integer.bitCount(lost) <= parity) {
        assertRecovers(coder, stripe, lost);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void bringsBackRandomSetsOfWideStripes(long seed) {
    MatrixCoder coder = coder("rs-10-4");
    SplittableRandom random = new SplittableRandom(seed);
    for (int turn = 0; turn < 200; turn++) {
      int lost = 0;
      for (int i = 0; i < 4; i++) {
        lost |= 1 << random.nextInt(14);
      }
      assertRecovers(coder, stripe(coder, random), lost);
    }
  }

  @Test
  void keepsABoundedNumberOfPatterns() {
    MatrixCoder coder = coder("rs-10-4");
    ByteBuffer[] stripe = stripe(coder, new SplittableRandom(5));
    for (int one = 0; one < 14; one++) {
      for (int other = 0; other < one; other++) {
        assertRecovers(coder, stripe, 1 << one | 1 << other);
      }
    }
    assertEquals(MatrixCoder.MAX_PATTERNS, coder.patternsKept());
  }

  @Test
  void makesUnitsInTheOrderAskedFor() {
    MatrixCoder coder = coder("rs-3-2");
    ByteBuffer[] stripe = stripe(coder, new SplittableRandom(6));
    ByteBuffer[] left = stripe.clone();
    left[1] = null;
    left[4] = null;
    ByteBuffer[] outputs = {ByteBuffer.allocate(LENGTH), ByteBuffer.allocate(LENGTH)};
    coder.decode(left, new int[] {4, 1}, outputs, LENGTH);
    assertEquals(stripe[4], outputs[0]);
    coder.decode(left, new int[] {1, 4}, outputs, LENGTH);
    assertEquals(stripe[4], outputs[1]);
  }

  @Test
  void namesWhatIsMissing() {
    MatrixCoder coder = coder("rs-3-2");
    ByteBuffer[] units = stripe(coder, new SplittableRandom(8));
    units[0] = null;
    units[1] = null;
    units[2] = null;
    ByteBuffer[] output = {ByteBuffer.allocate(LENGTH)};
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> coder.decode(units, new int[] {0}, output, LENGTH))
            .getMessage();
    assertTrue(message.contains("rs-3-2 needs 3 units to decode, not 2"), message);
  }

  @Test
  void refusesUnitsThatTheCodeLacksEvenWithAKnownPattern() {
    MatrixCoder coder = coder("rs-3-2");
    ByteBuffer[] units = stripe(coder, new SplittableRandom(9));
    ByteBuffer[] output = {ByteBuffer.allocate(LENGTH)};
    coder.decode(units, new int[] {0}, output, LENGTH);
    assertThrows(
        IllegalArgumentException.class, () -> coder.decode(units, new int[] {256}, output, LENGTH));
  }
}
