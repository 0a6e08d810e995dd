package org.rackweave.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rackweave.model.ClusterTopology;

class PlacementDecisionTest {
  private static final int[] NOTHING = {};
  private final ClusterTopology topology = cluster().idleRack("/a", 2).idleRack("/b", 2).topology();

  @Test
  void saysWhatWasChosen() {
    assertEquals(
        "chose /a//a/0 /b//b/1",
        PlacementDecision.of(new int[] {0, 3}, NOTHING).describe(topology));
  }

  @Test
  void saysWhyTheOthersWereNot() {
    int[] refused = {1, Refusal.NO_SPACE.ordinal(), 2, Refusal.EXCLUDED.ordinal()};
    assertEquals(
        "chose /a//a/0; refused /a//a/1 (NO_SPACE), /b//b/0 (EXCLUDED)",
        PlacementDecision.of(new int[] {0}, refused).describe(topology));
  }

  @Test
  void saysWhyItFellBack() {
    int[] refused = {1, Refusal.NOT_ALIVE.ordinal()};
    PlacementDecision decision =
        PlacementDecision.fallback(FallbackReason.NOT_ENOUGH_NODES, refused);
    assertFalse(decision.stands());
    assertEquals(0, decision.nodes().length);
    assertEquals(
        "fell back: not-enough-nodes; refused /a//a/1 (NOT_ALIVE)", decision.describe(topology));
  }

  @Test
  void equalsADecisionOfTheSameContent() {
    PlacementDecision one = PlacementDecision.of(new int[] {1, 2}, new int[] {3, 0});
    PlacementDecision same = PlacementDecision.of(new int[] {1, 2}, new int[] {3, 0});
    assertEquals(one, same);
    assertEquals(one.hashCode(), same.hashCode());
    assertNotEquals(one, PlacementDecision.of(new int[] {2, 1}, new int[] {3, 0}));
    assertNotEquals(one, PlacementDecision.of(new int[] {1, 2}, NOTHING));
    assertNotEquals(
        PlacementDecision.fallback(FallbackReason.ERROR, NOTHING),
        PlacementDecision.fallback(FallbackReason.SEARCH_LIMIT, NOTHING));
  }

  @ParameterizedTest
  @EnumSource(FallbackReason.class)
  void labelsEveryReasonInKebabCase(FallbackReason reason) {
    assertTrue(reason.label().matches("[a-z]+(-[a-z]+)*"), reason.label());
  }
}
