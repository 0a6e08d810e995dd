package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.experiment.RecoveryWatch;
import org.rackweave.cli.testbed.compare.Filling.Filled;

class RecoveryPlanTest {

  private static final int RACKS = 6;
  private static final long UPLINK = 12_500_000;

  private static RecoveryPlan draw(int nodesPerRack, long seed) {
    return RecoveryPlan.draw(RecoverySettings.standard(), RACKS, nodesPerRack, UPLINK, seed);
  }

  @Test
  void followsFromItsSeedAlone() {
    assertEquals(draw(2, 5).filled(), draw(2, 5).filled());
    assertEquals(draw(2, 5).writes(), draw(2, 5).writes());
    assertEquals(draw(2, 5).victim(), draw(2, 5).victim());
    assertNotEquals(draw(2, 5).filled(), draw(2, 6).filled());
  }

  @Test
  void everyBlockHasOneReplicaOnTheVictimAndTwoInOneOtherRack() {
    for (int nodesPerRack : new int[] {2, 3, 5}) {
      RecoveryPlan plan = draw(nodesPerRack, nodesPerRack);
      int victimRack = plan.victim() / nodesPerRack;
      for (Filled block : plan.filled()) {
        Set<Integer> others = new HashSet<>(block.replicas());
        assertEquals(3, others.size());
        assertTrue(others.remove(plan.victim()));
        List<Integer> racks = others.stream().map(node -> node / nodesPerRack).distinct().toList();
        assertEquals(1, racks.size());
        assertNotEquals(victimRack, racks.get(0));
      }
    }
  }

  @Test
  void fillingUsesBothDirectionsOfTheVictimsUplinkBelowTheirSpeed() {
    RecoveryPlan plan = draw(2, 3);
    long fromVictim =
        plan.filled().stream().filter(block -> block.replicas().get(0) == plan.victim()).count();
    assertEquals(plan.filled().size() / 2, fromVictim);
    long lastMs = plan.filled().get(plan.filled().size() - 1).atMs();
    double bytesEachWay = fromVictim * (double) RecoverySettings.standard().blockBytes();
    assertTrue(bytesEachWay / lastMs * 1000 < UPLINK);
  }

  @Test
  void theVictimWritesNothingAndAllOthersDoUntilTheLongestEnd() {
    RecoveryPlan plan = draw(2, 8);
    Set<Integer> writers = new HashSet<>();
    plan.writes().forEach(write -> writers.add(write.writer()));
    assertFalse(writers.contains(plan.victim()));
    assertEquals(11, writers.size());
    long endMs = RecoverySettings.standard().killAtMs() + RecoverySettings.LONGEST_MS;
    assertTrue(plan.writes().get(plan.writes().size() - 1).atMs() > endMs - 5_000);
    assertEquals(plan.schedule().hotAt(endMs), plan.schedule().hotAt(endMs + 1));
  }

  @Test
  void detectionAndRebuildAreApart() {
    RecoveryWatch watch = new RecoveryWatch();
    watch.look(1, false, 60);
    watch.look(12, false, 60);
    assertFalse(watch.isOver(), "nobody rebuilds before it is noticed");
    watch.look(14, true, 60);
    watch.look(20, true, 7);
    assertTrue(Double.isNaN(watch.rebuildSeconds()));
    watch.look(25, true, 0);
    assertTrue(watch.isOver());
    assertEquals(14, watch.detectionSeconds());
    assertEquals(11, watch.rebuildSeconds());
    assertEquals(5, watch.missing().size());
  }
}
