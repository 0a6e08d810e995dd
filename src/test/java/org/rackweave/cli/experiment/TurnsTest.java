package org.rackweave.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {

  @Test
  void everybodyIsFirstAndLastEquallyOften() {
    List<String> policies = List.of("a", "b");
    assertEquals(List.of("a", "b"), Turns.of(policies, 0));
    assertEquals(List.of("b", "a"), Turns.of(policies, 1));
    assertEquals(List.of("a", "b"), Turns.of(policies, 2));
  }
}
