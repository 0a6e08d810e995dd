package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathRulesTest {
  @Test
  void saysNothingOfFilesWithoutARule() {
    PathRules rules = PathRules.parse("/warehouse=adapt max=6");
    assertTrue(rules.of("/other").isEmpty());
    assertTrue(rules.of("/warehouse2/file").isEmpty());
    assertEquals(new FileRule(FileRule.OWN_FACTOR, 1, 6), rules.of("/warehouse/file").get());
    assertFalse(rules.isEmpty());
    assertFalse(rules.anyBelowOwnFactor());
  }

  @Test
  void isEmptyWhereEveryRuleLeavesFilesAlone() {
    assertTrue(PathRules.parse("").isEmpty());
    assertTrue(PathRules.parse("/=none, /a=none").isEmpty());
  }

  @Test
  void takesSlashesAsTheyCome() {
    PathRules rules = PathRules.parse("//a//b/ = adapt, /a/b/c=none".replace(" = ", "="));
    assertTrue(rules.of("/a/b/file").isPresent());
    assertTrue(rules.of("/a/b/c/file").isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a=adapt",
        "/a",
        "/a=adapt,",
        "/a=adapt, /a/=none",
        "/a=adapt r=0",
        "/a=adapt r=2 max=1"
      })
  void namesTheRuleItDoesNotUnderstand(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> PathRules.parse(text)).getMessage();
    assertTrue(message.startsWith("rule '"), message);
  }

  @Test
  void readsBackWhatItPrints() {
    PathRules rules = PathRules.parse("/=adapt max=4, /logs=adapt r=3 epsilon=2, /logs/raw=none");
    assertEquals(rules, PathRules.parse(rules.toString()));
  }
}
