package org.rackweave.erasure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteMatrixTest {
  private static ByteMatrix identity(int size) {
    return ByteMatrix.of(size, size, (row, column) -> row == column ? 1 : 0);
  }

  @Test
  void inverseTimesMatrixIsTheIdentity() {
    SplittableRandom random = new SplittableRandom(4);
    int inverted = 0;
    for (int turn = 0; turn < 500; turn++) {
      int size = 1 + random.nextInt(12);
      // Sparse ones, so that rows have to be swapped.
      int[] cells = random.ints((long) size * size, -256, 256).map(i -> Math.max(0, i)).toArray();
      ByteMatrix matrix = ByteMatrix.of(size, size, (row, column) -> cells[row * size + column]);
      ByteMatrix inverse;
      try {
        inverse = matrix.inverse();
      } catch (ArithmeticException singular) {
        continue;
      }
      inverted++;
      byte[] expected = identity(size).toBytes();
      assertArrayEquals(expected, inverse.times(matrix).toBytes(), matrix::toString);
      assertArrayEquals(expected, matrix.times(inverse).toBytes(), matrix::toString);
    }
    assertTrue(inverted > 250, "only " + inverted + " inverted");
  }

  @Test
  void refusesToInvertWhatHasEqualRows() {
    ByteMatrix matrix = ByteMatrix.of(3, 3, (row, column) -> column + (row == 1 ? 9 : 3));
    assertThrows(ArithmeticException.class, matrix::inverse);
  }
}
