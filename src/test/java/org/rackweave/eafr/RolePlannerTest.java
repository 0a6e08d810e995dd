package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.RoleChange.Reason;
import org.rackweave.eafr.RolePlanner.AsleepBlock;

/** Section 3.2.1 and Eq. 8. */
class RolePlannerTest {
  private static final long TAU_S = 100;
  private static final long WEEK = 7 * 24 * 3600_000L;
  private static final SleepCheck ALWAYS = (node, asleep) -> true;

  private final Servers.Builder cluster = Clusters.of(2, 4);
  private RoleRules rules = new RoleRules(TAU_S, WEEK, 2, 100, true);

  private List<Integer> cold(SleepCheck check, Integer... busy) {
    return nodes(new RolePlanner(rules).toCold(cluster.build(), check, List.of(busy)::contains));
  }

  private static List<Integer> nodes(List<RoleChange> changes) {
    return changes.stream().map(RoleChange::node).toList();
  }

  private void standby(int node, long freeBytes) {
    cluster.role(node, ServerRole.STANDBY).freeBytes(node, freeBytes);
  }

  @Test
  void aStandbyServerTurnsColdWhenItIsFull() {
    standby(1, 100);
    standby(2, 99);
    cluster.freeBytes(3, 0);
    List<RoleChange> changes =
        new RolePlanner(rules).toCold(cluster.build(), ALWAYS, node -> false);
    assertEquals(
        List.of(new RoleChange(2, ServerRole.STANDBY, ServerRole.COLD, Reason.FULL, 99, TAU_S)),
        changes);
    assertEquals(
        "dn2:9866 STANDBY->COLD, EQ8: free space < tau_s (99 against 100 bytes)",
        changes.get(0).describe("dn2:9866"));
  }

  @Test
  void theFullestIsFirstAndNoMoreSleepThanMay() {
    standby(1, 50);
    standby(2, 20);
    standby(3, 20);
    cluster.role(7, ServerRole.COLD);
    assertEquals(List.of(2, 3, 1), cold(ALWAYS));
    rules = new RoleRules(TAU_S, WEEK, 2, 3, true);
    assertEquals(List.of(2, 3), cold(ALWAYS));
  }

  @Test
  void whoIsToSleepWheneverItCanDoesSoFirstWithoutBeingFull() {
    standby(1, 5000);
    standby(2, 20);
    standby(3, 200);
    cluster.sleepy(1).sleepy(4);
    rules = new RoleRules(TAU_S, WEEK, 2, 1, true);
    assertEquals(
        List.of(new RoleChange(1, ServerRole.STANDBY, ServerRole.COLD, Reason.NAMED, 5000, 0)),
        new RolePlanner(rules).toCold(cluster.build(), ALWAYS, node -> false));
    rules = new RoleRules(TAU_S, WEEK, 2, 3, true);
    assertEquals(List.of(1, 2), cold(ALWAYS));
    assertEquals(List.of(2), cold((node, asleep) -> node != 1));
  }

  @Test
  void changesSayWhatTheyFollowFrom() {
    assertEquals(
        List.of(
            "EQ8: free space < tau_s (7 against 9 bytes)",
            "NAMED: named by the operator as one that sleeps",
            "VERIFY: time asleep >= verify interval (7 against 9 ms)",
            "LATE_UPDATES: more late updates than are kept (asleep for 7 ms)",
            "NO_REPLICA: a block has no replica that is awake (block 7)",
            "BUSY: reads of servers that serve > 70 % of their places (7 against 9)",
            "CALM: reads of servers that serve <= 50 % of their places without it (7 against 9)"),
        Stream.of(Reason.values())
            .map(why -> new RoleChange(1, ServerRole.COLD, ServerRole.HOT, why, 7, 9).because())
            .toList());
  }

  /**
   * Eight servers of ten places: with one asleep and one failed 60 are left, of which half is 30.
   */
  @Test
  void noneSleepsThatReadersNeedWhenAnotherFails() {
    standby(1, 50);
    standby(2, 20);
    cluster.reads(0, 31);
    assertEquals(List.of(), cold(ALWAYS));
    rules = new RoleRules(TAU_S, WEEK, 2, 100, false);
    assertEquals(List.of(2, 1), cold(ALWAYS), "the paper does not ask");
    rules = new RoleRules(TAU_S, WEEK, 2, 100, true);
    cluster.reads(0, 30);
    assertEquals(List.of(2), cold(ALWAYS), "without both 50 are left");
  }

  /** Six awake: 50 places but for the largest, of which seven tenths are 35. */
  @Test
  void sleepersAreWokenUntilThereArePlacesEnough() {
    RolePlanner planner = new RolePlanner(rules);
    cluster.role(6, ServerRole.COLD).role(7, ServerRole.COLD).capacity(7, 14).reads(0, 35);
    assertEquals(List.of(), planner.toServe(cluster.build(), new BitSet()));
    cluster.reads(0, 36);
    assertEquals(
        List.of(new RoleChange(7, ServerRole.COLD, ServerRole.STANDBY, Reason.READS, 36, 50)),
        planner.toServe(cluster.build(), new BitSet()));
    BitSet waking = new BitSet();
    waking.set(7);
    assertEquals(List.of(), planner.toServe(cluster.build(), waking), "it is on its way");
    cluster.failed(7);
    assertEquals(List.of(), planner.toServe(cluster.build(), waking), "though it is not there yet");
    cluster.reads(0, 500);
    assertEquals(List.of(6), nodes(planner.toServe(cluster.build(), waking)));
  }

  @Test
  void standbyServersServeAsHotOnesWhileTheyAreNeeded() {
    RolePlanner planner = new RolePlanner(rules);
    standby(5, 1000);
    standby(6, 1000);
    standby(7, 1000);
    cluster.reads(0, 28);
    assertEquals(List.of(), planner.toHot(cluster.build()), "40 places but for the largest");
    cluster.reads(0, 29);
    assertEquals(List.of(5), nodes(planner.toHot(cluster.build())));
    cluster.role(5, ServerRole.HOT).reads(0, 21);
    assertEquals(List.of(), planner.toStandby(cluster.build(), node -> node == 5));
    cluster.reads(0, 20);
    assertEquals(
        List.of(new RoleChange(5, ServerRole.HOT, ServerRole.STANDBY, Reason.FEW_READS, 20, 40)),
        planner.toStandby(cluster.build(), node -> node == 5));
    assertEquals(List.of(), planner.toStandby(cluster.build(), node -> false), "others stay hot");
  }

  @Test
  void aSingleHotServerIsEnoughAsLongAsItHasPlaces() {
    RolePlanner planner = new RolePlanner(rules);
    for (int node = 1; node < 8; node++) {
      standby(node, 1000);
    }
    cluster.reads(0, 7);
    assertEquals(List.of(), planner.toHot(cluster.build()));
    cluster.reads(0, 8);
    assertEquals(List.of(1, 2), nodes(planner.toHot(cluster.build())), "one of two may fail");
    cluster.failed(0);
    assertEquals(List.of(1), nodes(planner.toHot(cluster.build())), "none is hot");
  }

  /** What one bound asks for the other does not take back. */
  @Test
  void rolesDoNotGoToAndFro() {
    long first = System.nanoTime();
    System.out.println("roles follow reads, first seed " + first);
    for (long seed = first; seed < first + 500; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      Servers.Builder built = Clusters.of(3, 4);
      ServerRole[] roles = new ServerRole[12];
      for (int node = 0; node < 12; node++) {
        roles[node] = ServerRole.values()[dice.nextInt(3)];
        built.role(node, roles[node]).capacity(node, 1 + dice.nextInt(20)).freeBytes(node, 1);
        if (roles[node].isAwake()) {
          built.reads(node, dice.nextInt(15));
        }
      }
      RolePlanner planner = new RolePlanner(rules);
      BitSet promoted = new BitSet();
      for (RoleChange change : planner.toHot(built.build())) {
        built.role(change.node(), ServerRole.HOT);
        promoted.set(change.node());
      }
      assertEquals(List.of(), planner.toStandby(built.build(), promoted::get), "seed " + seed);
      for (RoleChange change : planner.toServe(built.build(), new BitSet())) {
        built.role(change.node(), ServerRole.STANDBY);
        promoted.set(change.node());
      }
      for (RoleChange change : planner.toCold(built.build(), ALWAYS, node -> false)) {
        assertTrue(!promoted.get(change.node()), "seed " + seed);
      }
    }
  }

  @Test
  void aBusyServerStaysAwake() {
    standby(1, 50);
    standby(2, 20);
    assertEquals(List.of(1), cold(ALWAYS, 2));
  }

  @Test
  void ofTwoServersWithTheLastReplicasOneStaysAwake() {
    standby(1, 50);
    standby(2, 20);
    BitSet both = new BitSet();
    both.set(1, 3);
    SleepCheck oneBlockOnBoth =
        (node, asleep) -> asleep.intersects(both) && !contains(asleep, both);
    assertEquals(List.of(2), cold(oneBlockOnBoth));
  }

  private static boolean contains(BitSet all, BitSet some) {
    BitSet missing = (BitSet) some.clone();
    missing.andNot(all);
    return missing.isEmpty();
  }

  /** Rounds of failures, sleeping and waking with blocks at random places. */
  @Test
  void noBlockEverHasAllItsLiveReplicasOnColdServers() {
    long first = System.nanoTime();
    System.out.println("blocks stay awake, first seed " + first);
    int slept = 0;
    int woken = 0;
    for (long seed = first; seed < first + 2000; seed++) {
      RandomLife life = new RandomLife(new SplittableRandom(seed));
      for (int round = 0; round < 6; round++) {
        life.round("seed " + seed + " round " + round);
      }
      slept += life.slept;
      woken += life.woken;
    }
    assertTrue(
        slept > 1000 && woken > 200, "put to the test, " + slept + " slept, " + woken + " woken");
  }

  private static final class RandomLife {
    final SplittableRandom dice;
    final int nodes;
    final int racks;
    final ServerRole[] roles;
    final boolean[] live;
    final List<int[]> blocks = new ArrayList<>();
    int slept;
    int woken;

    RandomLife(SplittableRandom dice) {
      this.dice = dice;
      racks = 1 + dice.nextInt(3);
      nodes = racks * (1 + dice.nextInt(4));
      roles = new ServerRole[nodes];
      live = new boolean[nodes];
      for (int node = 0; node < nodes; node++) {
        roles[node] = dice.nextBoolean() ? ServerRole.STANDBY : ServerRole.HOT;
        live[node] = true;
      }
      int count = 1 + dice.nextInt(15);
      for (int i = 0; i < count; i++) {
        int replicas = Math.min(nodes, 1 + dice.nextInt(4));
        blocks.add(dice.ints(0, nodes).distinct().limit(replicas).toArray());
      }
    }

    Servers servers() {
      Servers.Builder built = Clusters.of(racks, nodes / racks);
      for (int node = 0; node < nodes; node++) {
        built.role(node, roles[node]).reads(node, dice.nextInt(9));
        built.freeBytes(node, dice.nextInt(2 * (int) TAU_S));
        if (!live[node]) {
          built.failed(node);
        }
      }
      return built.build();
    }

    void round(String failed) {
      RolePlanner planner =
          new RolePlanner(new RoleRules(TAU_S, WEEK, 2, nodes, dice.nextInt(4) == 0));
      Servers servers = servers();
      SleepCheck check =
          (node, asleep) ->
              blocks.stream()
                  .filter(holders -> IntStream.of(holders).anyMatch(n -> n == node))
                  .allMatch(holders -> IntStream.of(holders).anyMatch(n -> !asleep.get(n)));
      List<RoleChange> toCold = planner.toCold(servers, check, node -> dice.nextInt(5) == 0);
      toCold.forEach(change -> roles[change.node()] = change.to());
      slept += toCold.size();
      checkAwake(failed);
      live[dice.nextInt(nodes)] = false;
      List<AsleepBlock> asleep = new ArrayList<>();
      for (int i = 0; i < blocks.size(); i++) {
        asleep.add(new AsleepBlock(i, blocks.get(i)));
      }
      List<RoleChange> toWake = planner.toWake(servers(), asleep);
      toWake.forEach(change -> assertNeeded(change, failed));
      toWake.forEach(change -> roles[change.node()] = change.to());
      woken += toWake.size();
      checkAwake(failed);
    }

    /** When it was woken for a block, none of its replicas was awake. */
    void assertNeeded(RoleChange change, String failed) {
      int[] holders = blocks.get((int) change.value());
      assertTrue(IntStream.of(holders).anyMatch(n -> n == change.node()), failed);
      assertTrue(
          IntStream.of(holders).noneMatch(n -> live[n] && roles[n] != ServerRole.COLD), failed);
    }

    void checkAwake(String failed) {
      for (int[] holders : blocks) {
        boolean isLive = IntStream.of(holders).anyMatch(n -> live[n]);
        boolean isAwake =
            IntStream.of(holders).anyMatch(n -> live[n] && roles[n] != ServerRole.COLD);
        assertEquals(isLive, isAwake, failed);
      }
    }
  }

  @Test
  void sleepersVerifyWeeklyThoseThatSleptLongestFirstAndFewAtATime() {
    long now = 10 * WEEK;
    long[] since = new long[8];
    for (int node = 1; node < 6; node++) {
      cluster.role(node, ServerRole.COLD);
      since[node] = now - WEEK + 1 - node;
    }
    cluster.failed(5);
    RolePlanner planner = new RolePlanner(rules);
    Servers servers = cluster.build();
    assertEquals(List.of(4, 3), nodes(planner.toVerify(servers, since, n -> false, 0, now)));
    assertEquals(List.of(4), nodes(planner.toVerify(servers, since, n -> false, 1, now)));
    assertEquals(List.of(), planner.toVerify(servers, since, n -> false, 3, now));
    since[4] = now - WEEK + 1;
    assertEquals(
        List.of(
            new RoleChange(3, ServerRole.COLD, ServerRole.STANDBY, Reason.VERIFY, WEEK + 2, WEEK),
            new RoleChange(2, ServerRole.COLD, ServerRole.STANDBY, Reason.VERIFY, WEEK + 1, WEEK)),
        planner.toVerify(servers, since, n -> false, 0, now));
  }

  @Test
  void aSleeperWithTooManyLateUpdatesIsWokenBeforeItsTime() {
    cluster.role(1, ServerRole.COLD);
    assertEquals(
        List.of(
            new RoleChange(1, ServerRole.COLD, ServerRole.STANDBY, Reason.LATE_UPDATES, 50, WEEK)),
        new RolePlanner(rules).toVerify(cluster.build(), new long[8], node -> node == 1, 0, 50));
  }

  @Test
  void aFailureWakesWhoHasMostCapacityAndOnlyIfNobodyElseIsAwake() {
    for (int node = 2; node < 6; node++) {
      cluster.role(node, ServerRole.COLD);
    }
    cluster.failed(0).capacity(4, 20);
    List<RoleChange> changes =
        new RolePlanner(rules)
            .toWake(
                cluster.build(),
                List.of(
                    new AsleepBlock(10, new int[] {0, 1, 2}),
                    new AsleepBlock(11, new int[] {0, 3, 4}),
                    new AsleepBlock(12, new int[] {0, 4, 5}),
                    new AsleepBlock(13, new int[] {0}),
                    new AsleepBlock(14, new int[] {5, 3})));
    assertEquals(
        List.of(
            new RoleChange(4, ServerRole.COLD, ServerRole.HOT, Reason.FAILURE, 11, 0),
            new RoleChange(3, ServerRole.COLD, ServerRole.HOT, Reason.FAILURE, 14, 0)),
        changes);
  }
}
