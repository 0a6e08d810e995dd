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

class PathCodesTest {
  private static final ErasureCode WIDE = new ErasureCode(10, 4);
  private static final ErasureCode NARROW = new ErasureCode(6, 3);

  private static PathCodes parse(String text) {
    return PathCodes.parse(text, EncodingTerms.ANY);
  }

  private final PathCodes codes = parse("/warehouse=rs-10-4, /warehouse/raw=none , /logs/=rs-6-3");

  @Test
  void theDeepestDirectoryCounts() {
    assertEquals(Optional.of(WIDE), codes.of("/warehouse/a/b"));
    assertEquals(Optional.empty(), codes.of("/warehouse/raw/a"));
    assertEquals(Optional.of(WIDE), codes.of("/warehouse/rawer"));
    assertEquals(Optional.of(NARROW), codes.of("/logs/2013/08"));
  }

  @Test
  void aDirectoryIsNoPrefixOfItsNeighbour() {
    assertEquals(Optional.empty(), codes.of("/warehouses/a"));
    assertEquals(Optional.empty(), codes.of("/log"));
    assertEquals(Optional.of(NARROW), codes.of("/logs"));
  }

  @Test
  void theRootCoversAll() {
    assertEquals(Optional.of(NARROW), parse("/=rs-6-3").of("/a"));
  }

  @Test
  void knowsItsCodes() {
    assertEquals(Set.of(WIDE, NARROW), codes.codes());
    assertTrue(parse("").codes().isEmpty());
    assertTrue(parse("/a=none").codes().isEmpty());
  }

  @Test
  void knowsWhereToLookAndWhereAnotherRuleBegins() {
    assertEquals(List.of("/warehouse", "/logs"), codes.directories());
    assertEquals(List.of("/"), parse("/=rs-6-3").directories());
    assertTrue(codes.hasRuleFor("/warehouse/raw"));
    assertTrue(codes.hasRuleFor("/logs"));
    assertFalse(codes.hasRuleFor("/warehouse/rawer"));
  }

  @Test
  void equalRulesAreEqualInWhateverOrder() {
    PathCodes same = parse("/logs=rs-6-3,/warehouse=rs-10-4,/warehouse/raw=none");
    assertEquals(codes, same);
    assertEquals("/warehouse/raw=none, /warehouse=rs-10-4, /logs=rs-6-3", codes.toString());
    assertEquals(codes, parse(codes.toString()));
  }

  @Test
  void aRuleHasItsOwnTermsOrTheUsualOnes() {
    EncodingTerms usual = new EncodingTerms(3600_000, 0, 1);
    PathCodes rules =
        PathCodes.parse("/a=rs-6-3, /a/b=rs-6-3 age=30d  size=64m, /c=rs-6-3 quiet=90m", usual);
    assertEquals(usual, rules.termsOf("/a/x"));
    assertEquals(new EncodingTerms(30 * 24 * 3600_000L, 0, 64 << 20), rules.termsOf("/a/b/x"));
    assertEquals(new EncodingTerms(3600_000, 90 * 60_000, 1), rules.termsOf("/c/x"));
    assertEquals(usual, rules.termsOf("/elsewhere"));
    assertEquals(rules, PathCodes.parse(rules.toString(), usual));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "warehouse=rs-6-3",
        "/a",
        "/a=",
        "/a=xor-2-1",
        "/a=rs-1-1",
        "/a=rs-200-100",
        "/a=rs-6-3,",
        "/a=rs-6-3,/a/=rs-10-4",
        "/a=rs-6-3;/b=rs-6-3",
        "/a=rs-6-3 age=30",
        "/a=rs-6-3 age=366d",
        "/a=rs-6-3 size=64x",
        "/a=rs-6-3 size=1025t",
        "/a=rs-6-3 colour=blue",
        "/a=none age=3d"
      })
  void refusesWhatIsNoRule(String text) {
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> parse(text));
    assertTrue(e.getMessage().startsWith("rule '"), e.getMessage());
  }
}
