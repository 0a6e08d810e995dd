package org.rackweave.erasure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.apache.hadoop.io.erasurecode.rawcoder.util.RSUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReedSolomonCodeTest {
  @Test
  void hasTheGeneratorMatrixOfHdfs() {
    for (int k = 1; k < 255; k += k < 20 ? 1 : 13) {
      for (int m = 1; k + m <= 255; m += m < 8 ? 1 : 29) {
        byte[] theirs = new byte[(k + m) * k];
        RSUtil.genCauchyMatrix(theirs, k + m, k);
        int[] all = IntStream.range(0, k + m).toArray();
        int[] data = IntStream.range(0, k).toArray();
        ReedSolomonCode code = new ReedSolomonCode(k, m);
        assertArrayEquals(theirs, code.recoveryRows(data, all).toBytes(), code.name());
      }
    }
  }

  @Test
  void readsItsOwnName() {
    ReedSolomonCode code = ReedSolomonCode.named("rs-10-4");
    assertEquals(new ReedSolomonCode(10, 4), code);
    assertEquals("rs-10-4", code.name());
    assertEquals(14, code.allUnits());
    assertEquals(255, ReedSolomonCode.named("rs-200-55").allUnits());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rs-10", "RS-10-4", "rs-10-4-64k", "xor-2-1", "", "rs--3-2", "rs-10-1000"})
  void refusesWhatNamesNoCode(String name) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ReedSolomonCode.named(name))
            .getMessage();
    assertTrue(message.contains("'" + name + "'") && message.contains("rs-10-4"), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-0-4", "rs-4-0", "rs-200-56", "rs-255-1"})
  void refusesUnitsOutOfRange(String name) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ReedSolomonCode.named(name))
            .getMessage();
    assertTrue(message.contains(name) && message.contains("255"), message);
  }

  @Test
  void refusesUnitsItDoesNotHave() {
    ReedSolomonCode code = new ReedSolomonCode(2, 1);
    assertThrows(
        IllegalArgumentException.class, () -> code.recoveryRows(new int[] {0, 1}, new int[] {3}));
    assertThrows(
        IllegalArgumentException.class, () -> code.recoveryRows(new int[] {0}, new int[] {1}));
  }
}
