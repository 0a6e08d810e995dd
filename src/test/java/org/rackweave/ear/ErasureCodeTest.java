package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErasureCodeTest {
  @ParameterizedTest
  @CsvSource({
    "rs-10-4, 10, 14",
    "rs-6-3, 6, 9",
    "rs-4-2, 4, 6",
    "rs-2-1, 2, 3",
    "rs-200-55, 200, 255"
  })
  void readsDataAndParityFromTheName(String name, int k, int n) {
    ErasureCode code = ErasureCode.named(name);
    assertEquals(k, code.dataBlocks());
    assertEquals(n, code.blocks());
    assertEquals(name, code.name());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "rs",
        "rs-6",
        "rs-6-3-1024k",
        "RS-6-3",
        "xor-2-1",
        "rs-06-3",
        "rs--6-3",
        "rs-6-3 "
      })
  void namesWhatIsNoCode(String name) {
    Exception refused = assertThrows(IllegalArgumentException.class, () -> ErasureCode.named(name));
    assertTrue(refused.getMessage().contains("'" + name + "'"), refused::getMessage);
    assertTrue(refused.getMessage().contains("rs-6-3"), refused::getMessage);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-1-4", "rs-200-56", "rs-999-999"})
  void refusesStripesTheArithmeticHasNoRoomFor(String name) {
    assertThrows(IllegalArgumentException.class, () -> ErasureCode.named(name));
  }

  @Test
  void needsParity() {
    assertThrows(IllegalArgumentException.class, () -> new ErasureCode(4, 0));
  }
}
