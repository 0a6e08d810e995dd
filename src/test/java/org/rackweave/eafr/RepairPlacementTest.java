package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
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
    RepairPlacement repair = new RepairPlacement(servers, 0, new RepairRotation(), 64);
    assertEquals(List.of(2, 4, 2, 4), places(repair, Temperature.HOT, 4, 0));
    assertEquals(List.of(3, 5, 3), places(repair, Temperature.COLD, 3, 0));
    assertEquals(List.of(2), places(repair, Temperature.NORMAL, 1, 0));
  }

  @Test
  void turnsOutliveARedrawing() {
    RepairRotation turns = new RepairRotation();
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
    RepairPlacement repair = new RepairPlacement(servers, 0, new RepairRotation(), 64);
    assertEquals(List.of(2, 2), places(repair, Temperature.COLD, 2, 0));
  }

  @Test
  void aServerBelowItsReserveAndOneThatHdfsRefusesGetNothing() {
    Servers servers = Clusters.of(2, 2).freeBytes(2, 500).build();
    RepairPlacement repair = new RepairPlacement(servers, 1000, new RepairRotation(), 64);
    assertEquals(List.of(3, 3), places(repair, Temperature.HOT, 2, 0));
    Admission nobody = (node, local) -> Refusal.NO_SPACE;
    PlacementDecision decision = choose(repair, Temperature.HOT, nobody, 0);
    assertEquals(FallbackReason.NOT_ENOUGH_NODES, decision.fallback());
    assertTrue(decision.nodes().length == 0);
  }

  /** Example of the class doc. */
  @Test
  void aServerWithAReplicaIsPassedOver() {
    Servers servers = Clusters.of(1, 4).failed(3).build();
    RepairRotation turns = new RepairRotation();
    turns.taken(ServerRole.HOT, 0);
    RepairPlacement repair = new RepairPlacement(servers, 0, turns, 64);
    assertEquals(List.of(1), places(repair, Temperature.HOT, 1, 0));
    assertEquals(List.of(0), places(repair, Temperature.HOT, 1, 2));
    assertEquals(List.of(1), places(repair, Temperature.HOT, 1, 2));
  }

  @Test
  void turnsOfServersThatAreGoneBeginAnew() {
    RepairRotation turns = new RepairRotation();
    turns.taken(ServerRole.HOT, 8);
    Servers servers = Clusters.of(1, 2).failed(0).build();
    RepairPlacement repair = new RepairPlacement(servers, 0, turns, 64);
    assertEquals(List.of(1), places(repair, Temperature.HOT, 1));
    PlacementDecision decision = choose(repair, Temperature.HOT, EVERYTHING, 1);
    assertEquals(FallbackReason.NOT_ENOUGH_NODES, decision.fallback());
  }

  @Test
  void destinationsDifferByNoMoreThanOneReplicaWhenAllFit() {
    long first = System.nanoTime();
    System.out.println("round robin, first seed " + first);
    for (long seed = first; seed < first + 2000; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      int nodes = 4 + dice.nextInt(8);
      // The only other replica is on the standby server, so that every hot one fits.
      Servers servers = Clusters.of(1, nodes).failed(0).role(nodes - 1, ServerRole.STANDBY).build();
      RepairRotation turns = new RepairRotation();
      turns.taken(ServerRole.HOT, dice.nextInt(nodes));
      RepairPlacement repair = new RepairPlacement(servers, 0, turns, 64);
      int[] received = new int[nodes];
      places(repair, Temperature.HOT, dice.nextInt(40), nodes - 1).forEach(to -> received[to]++);
      int[] hot = Arrays.copyOfRange(received, 1, nodes - 1);
      int spread = IntStream.of(hot).max().orElseThrow() - IntStream.of(hot).min().orElseThrow();
      assertTrue(spread <= 1, "seed " + seed + Arrays.toString(received));
    }
  }

  @Test
  void everyChoiceKeepsEveryConstraint() {
    long first = System.nanoTime();
    System.out.println("repair, first seed " + first);
    int chosen = 0;
    for (long seed = first; seed < first + 5000; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      Servers.Builder built = Clusters.of(3, 3).failed(0);
      for (int node = 1; node < 9; node++) {
        built.role(node, ServerRole.values()[dice.nextInt(3)]).freeBytes(node, dice.nextInt(400));
      }
      Servers servers = built.build();
      int reserve = dice.nextInt(300);
      int holder = 1 + dice.nextInt(8);
      Temperature temperature = Temperature.values()[dice.nextInt(3)];
      RepairPlacement repair = new RepairPlacement(servers, reserve, new RepairRotation(), 64);
      PlacementRequest request =
          new PlacementRequest(1, NONE, NONE, new int[] {holder}, false, false, NONE, 1, 0, 100);
      IntPredicate fits =
          node ->
              servers.isLive(node)
                  && servers.isAwake(node)
                  && servers.freeBytes(node) >= Math.max(reserve, 100)
                  && servers.topology().rackOf(node) != servers.topology().rackOf(holder);
      ServerRole wanted = temperature == Temperature.COLD ? ServerRole.STANDBY : ServerRole.HOT;
      int[] fitting = IntStream.range(0, 9).filter(fits).toArray();
      int[] best = IntStream.of(fitting).filter(node -> servers.role(node) == wanted).toArray();
      PlacementDecision decision = repair.of(temperature).choose(request, EVERYTHING, dice);
      assertEquals(fitting.length > 0, decision.stands(), "seed " + seed);
      if (decision.stands()) {
        int due = best.length > 0 ? best[0] : fitting[0];
        assertEquals(due, decision.nodes()[0], "seed " + seed);
        chosen++;
      }
    }
    assertTrue(chosen > 1000, "put to the test");
  }
}
