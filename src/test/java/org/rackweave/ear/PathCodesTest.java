package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.rules.RuleSet;

class PathCodesTest {
  private static final ErasureCode WIDE = new ErasureCode(10, 4);
  private static final ErasureCode NARROW = new ErasureCode(6, 3);

  private static RuleSet rules(String... directoriesWithWords) {
    RuleSet rules = RuleSet.NONE;
    for (String rule : directoriesWithWords) {
      List<String> parts = List.of(rule.split(" "));
      rules = rules.with(parts.get(0), RuleSet.words(parts.subList(1, parts.size())));
    }
    return rules;
  }

  private static PathCodes codes(String... directoriesWithWords) {
    return PathCodes.of(rules(directoriesWithWords), EncodingTerms.ANY);
  }

  private final PathCodes codes =
      codes(
          "/warehouse code=rs-10-4",
          "/warehouse/raw code=none",
          "/logs code=rs-6-3",
          "/a heat=none");

  @Test
  void theDeepestDirectoryWithACodeCounts() {
    assertEquals(Optional.of(WIDE), codes.of("/warehouse/a/b"));
    assertEquals(Optional.empty(), codes.of("/warehouse/raw/a"));
    assertEquals(Optional.of(WIDE), codes.of("/warehouse/rawer"));
    assertEquals(Optional.of(NARROW), codes.of("/logs/2013/08"));
    assertEquals(Optional.empty(), codes.of("/a/b"));
  }

  @Test
  void knowsItsCodes() {
    assertEquals(Set.of(WIDE, NARROW), codes.codes());
    assertTrue(codes("/a code=none").codes().isEmpty());
  }

  @Test
  void knowsWhereToLookAndWhereAnotherRuleBegins() {
    assertEquals(List.of("/logs", "/warehouse"), codes.directories());
    assertEquals(List.of("/"), codes("/ code=rs-6-3").directories());
    assertTrue(codes.hasRuleFor("/warehouse/raw"));
    assertFalse(codes.hasRuleFor("/warehouse/rawer"));
    assertFalse(codes.hasRuleFor("/a"));
  }

  @Test
  void parityIsNeverEncoded() {
    PathCodes all = codes("/ code=rs-6-3", "/parity/deep code=rs-6-3").leaving("/parity");
    assertEquals(Optional.empty(), all.of("/parity/deep/file"));
    assertEquals(Optional.of(NARROW), all.of("/parity2"));
  }

  @Test
  void aRuleHasItsOwnTermsOrTheUsualOnes() {
    EncodingTerms usual = new EncodingTerms(3600_000, 0, 1);
    PathCodes rules =
        PathCodes.of(
            rules(
                "/a code=rs-6-3", "/a/b code=rs-6-3 age=30d size=64m", "/c code=rs-6-3 quiet=90m"),
            usual);
    assertEquals(usual, rules.termsOf("/a/x"));
    assertEquals(new EncodingTerms(30 * 24 * 3600_000L, 0, 64 << 20), rules.termsOf("/a/b/x"));
    assertEquals(new EncodingTerms(3600_000, 90 * 60_000, 1), rules.termsOf("/c/x"));
    assertEquals(usual, rules.termsOf("/elsewhere"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "code=xor-2-1",
        "code=rs-1-1",
        "code=rs-200-100",
        "code=rs-6-3 age=30",
        "code=rs-6-3 age=366d",
        "code=rs-6-3 size=64x",
        "code=rs-6-3 size=1025t",
        "code=none age=3d"
      })
  void refusesWhatMakesNoSense(String words) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> codes("/a " + words));
    assertTrue(e.getMessage().startsWith("/a: "), e.getMessage());
  }
}
