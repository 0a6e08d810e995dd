package org.rackweave.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class PartsTest {
  @Test
  void keepsTheOrderAndLeavesTheRestForTheLast() {
    assertEquals(
        List.of(List.of(1, 2), List.of(3, 4), List.of(5)), Parts.of(List.of(1, 2, 3, 4, 5), 2));
  }

  @Test
  void isTheListItselfWhereThatIsShort() {
    assertEquals(List.of(List.of(1, 2)), Parts.of(List.of(1, 2), 2));
    assertEquals(List.of(List.of(1, 2)), Parts.of(List.of(1, 2), Integer.MAX_VALUE));
  }

  @Test
  void hasNoPartsOfNothing() {
    assertEquals(List.of(), Parts.of(List.of(), 1));
  }

  @Test
  void refusesPartsOfNothing() {
    assertThrows(IllegalArgumentException.class, () -> Parts.of(List.of(1), 0));
  }
}
