package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rackweave.placement.Admission;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.Refusal;

/** Algorithm 4, lines 9 to 17, for one block at a time. */
class RepairPlacementTest {
  private static final Admission EVERYTHING = (node, local) -> null;

  private static PlacementDecision choose(
      RepairPlacement repair, Temperature temperature, Admission admission, int... existing) {
    return repair
        .of(temperature)
        .choose(
            new PlacementRequest(1, NONE, NONE, existing, false, false, NONE, 3, 0, 100),
            admission,
            new SplittableRandom(1));
  }

  private static List<Integer> places(
      RepairPlacement repair, Temperature temperature, int times, int... existing) {
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      places.add(choose(repair, temperature, EVERYTHING, existing).nodes()[0]);
    }
    return places;
  }

  /** Servers 0 and 1 are in the rack of the replica that is left. */
  @Test
  void hotFilesGoRoundTheHotServersAndColdOnesTheStandbyServers() {
    Servers servers =
        Clusters.of(3, 2).role(3, ServerRole.STANDBY).role(5, ServerRole.STANDBY).build();
    RepairPlacement repair = new RepairPlacement(servers, 0, new RepairTurns(), 64);
    assertEquals(List.of(2, 4, 2, 4), places(repair, Temperature.HOT, 4, 0));
    assertEquals(List.of(3, 5, 3), places(repair, Temperature.COLD, 3, 0));
    assertEquals(List.of(2), places(repair, Temperature.NORMAL, 1, 0));
  }

  @Test
  void turnsOutliveARedrawing() {
    RepairTurns turns = new RepairTurns();
    Servers servers = Clusters.of(3, 2).build();
    assertEquals(
        List.of(2), places(new RepairPlacement(servers, 0, turns, 64), Temperature.HOT, 1, 0));
    assertEquals(
        List.of(3), places(new RepairPlacement(servers, 0, turns, 64), Temperature.HOT, 1, 0));
  }

  @Test
  void theOtherKindIsTakenWhereNoneFits() {
    Servers servers =
        Clusters.of(3, 2)
            .role(3, ServerRole.STANDBY)
            .freeBytes(3, 99)
            .role(5, ServerRole.STANDBY)
            .failed(5)
            .role(4, ServerRole.COLD)
            .build();
    RepairPlacement repair = new RepairPlacement(servers, 0, new RepairTurns(), 64);
    assertEquals(List.of(2, 2), places(repair, Temperature.COLD, 2, 0));
  }

  @Test
  void aServerBelowItsReserveAndOneThatHdfsRefusesGetNothing() {
    Servers servers = Clusters.of(2, 2).freeBytes(2, 500).build();
    RepairPlacement repair = new RepairPlacement(servers, 1000, new RepairTurns(), 64);
    assertEquals(List.of(3, 3), places(repair, Temperature.HOT, 2, 0));
    Admission nobody = (node, local) -> Refusal.NO_SPACE;
    PlacementDecision decision = choose(repair, Temperature.HOT, nobody, 0);
    assertEquals(FallbackReason.NOT_ENOUGH_NODES, decision.fallback());
    assertTrue(decision.nodes().length == 0);
  }
}
