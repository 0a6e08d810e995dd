package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.rules.RuleSet;

class PathRulesTest {
  private static PathRules rules(String... directoriesWithWords) {
    RuleSet rules = RuleSet.NONE;
    for (String rule : directoriesWithWords) {
      List<String> parts = List.of(rule.split(" "));
      rules = rules.with(parts.get(0), RuleSet.words(parts.subList(1, parts.size())));
    }
    return PathRules.of(rules);
  }

  @Test
  void saysNothingOfFilesWithoutARule() {
    PathRules rules = rules("/warehouse heat=adapt max=6", "/other code=none");
    assertTrue(rules.of("/other").isEmpty());
    assertTrue(rules.of("/warehouse2/file").isEmpty());
    assertEquals(new FileRule(FileRule.OWN_FACTOR, 1, 6), rules.of("/warehouse/file").get());
    assertFalse(rules.isEmpty());
    assertFalse(rules.anyBelowOwnFactor());
    assertEquals(new FileRule(3, 2, 7), rules("/ heat=adapt min=3 hot=2 max=7").of("/a").get());
  }

  @Test
  void isEmptyWhereEveryRuleLeavesFilesAlone() {
    assertTrue(rules().isEmpty());
    assertTrue(rules("/ heat=none", "/a heat=none").isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "heat=warm",
        "heat=adapt min=0",
        "heat=adapt min=2 max=1",
        "heat=adapt min=1 hot=1",
        "heat=adapt max=513",
        "heat=adapt max=six",
        "heat=none max=3"
      })
  void namesTheRuleItDoesNotUnderstand(String words) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> rules("/a " + words)).getMessage();
    assertTrue(message.startsWith("/a: "), message);
  }
}
