package org.rackweave.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RuleSetTest {
  private static final RuleSet RULES =
      RuleSet.NONE
          .with("/warehouse", RuleSet.words(List.of("code=rs-10-4", "age=30d", "heat=adapt")))
          .with("/warehouse/raw", RuleSet.words(List.of("heat=none")));

  @Test
  void eachFeatureInheritsByItself() {
    PathTable<String> codes =
        new PathTable<>(RULES.read("code", words -> words.get("code") + words.get("age")));
    PathTable<String> heat = new PathTable<>(RULES.read("heat", words -> words.get("heat")));
    assertEquals("rs-10-430d", codes.of("/warehouse/raw/file"));
    assertEquals("none", heat.of("/warehouse/raw/file"));
    assertEquals("adapt", heat.of("/warehouse/file"));
  }

  @Test
  void aRuleIsReplacedAndRemoved() {
    RuleSet changed = RULES.with("/warehouse", RuleSet.words(List.of("place=stock")));
    assertEquals("/warehouse place=stock\n/warehouse/raw heat=none", changed.toString());
    assertEquals(List.of("/warehouse/raw"), changed.with("/warehouse", Map.of()).directories());
    assertEquals(Map.of(), changed.of("/warehouse/other"));
  }

  @Test
  void whatMakesNoSenseIsNamed() {
    assertRefused("'code': allowed is WORD=VALUE", () -> RuleSet.words(List.of("code")));
    assertRefused("'age=2d': it is there twice", () -> RuleSet.words(List.of("age=1d", "age=2d")));
    assertRefused(
        "directory '/a/': allowed is an absolute path without a slash at its end",
        () -> RULES.with("/a/", Map.of()));
    assertRefused(
        "/warehouse: no such code",
        () ->
            RULES.read(
                "code",
                words -> {
                  throw new IllegalArgumentException("no such code");
                }));
  }

  private static void assertRefused(String message, Runnable wrong) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, wrong::run).getMessage());
  }
}
