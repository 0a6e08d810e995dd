package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.ReplicaChoice.Move;

/** Eq. 7, and where replicas of cold files go. */
class ReplicaChoiceTest {
  private static final long RESERVE = 100;

  /** Racks {0 1 2}, {3 4 5}, {6 7 8}. */
  private final Servers.Builder cluster = Clusters.of(3, 3);

  private ReplicaChoice choice(int epsilon) {
    Servers servers = cluster.build();
    return new ReplicaChoice(servers, RackRule.hdfs(servers.topology()), epsilon, RESERVE);
  }

  @Test
  void theReplicaWithLeastRemainingCapacityGoes() {
    cluster.reads(0, 6).reads(3, 9).reads(6, 8);
    assertEquals(3, choice(1).toDelete(new int[] {0, 3, 6}));
    cluster.capacity(3, 20);
    assertEquals(6, choice(1).toDelete(new int[] {0, 3, 6}));
  }

  @Test
  void equalsGoByNumber() {
    assertEquals(0, choice(1).toDelete(new int[] {6, 0, 3}));
  }

  @Test
  void theRackRuleComesBeforeCapacity() {
    cluster.reads(3, 9).reads(1, 5);
    assertEquals(1, choice(1).toDelete(new int[] {0, 1, 3}), "3 is the only one in its rack");
  }

  @Test
  void epsilonReplicasStayOnHotServers() {
    assertEquals(NONE, choice(3).toDelete(new int[] {0, 3, 6}));
    cluster.role(6, ServerRole.STANDBY);
    assertEquals(NONE, choice(2).toDelete(new int[] {0, 3, 6}));
    cluster.failed(3);
    assertEquals(NONE, choice(1).toDelete(new int[] {0, 3, 6}), "3 counts no more");
  }

  @Test
  void ofTooManyReplicasTheLastHotOneStays() {
    cluster.role(3, ServerRole.STANDBY).role(6, ServerRole.STANDBY).reads(0, 9).reads(6, 5);
    assertEquals(NONE, choice(1).toDelete(new int[] {0, 3, 6}));
    assertEquals(6, choice(1).surplus(new int[] {0, 3, 6}));
    assertEquals(3, choice(1).surplus(new int[] {0, 3}));
    cluster.role(6, ServerRole.HOT);
    assertEquals(0, choice(1).surplus(new int[] {0, 3, 6}), "another hot one is left");
    cluster.role(3, ServerRole.COLD);
    assertEquals(NONE, choice(2).surplus(new int[] {0, 3, 6}), "who sleeps deletes nothing");
  }

  @Test
  void standbyServersFillUpOneAfterAnother() {
    cluster.reads(3, 1);
    for (int node = 6; node < 9; node++) {
      cluster.role(node, ServerRole.STANDBY);
    }
    cluster.freeBytes(6, 5000).freeBytes(7, 200).freeBytes(8, 99);
    assertEquals(new Move(3, 7), choice(1).toMigrate(new int[] {0, 3}, 150));
    assertEquals(new Move(3, 6), choice(1).toMigrate(new int[] {0, 3}, 201), "7 lacks space");
    assertEquals(new Move(3, 6), choice(1).toMigrate(new int[] {0, 3, 7}, 150), "7 has one");
    assertNull(choice(1).toMigrate(new int[] {0, 3}, 5001));
  }

  @Test
  void noReplicaMigratesIntoTheLastRack() {
    cluster.role(1, ServerRole.STANDBY).reads(3, 9);
    assertEquals(new Move(0, 1), choice(1).toMigrate(new int[] {0, 3}, 1), "3 is busier");
  }

  /** Against trying every replica and server. */
  @Test
  void keepsEveryConstraintAndFindsTheLeastRemaining() {
    long first = System.nanoTime();
    System.out.println("replica choice, first seed " + first);
    int chosen = 0;
    for (long seed = first; seed < first + 5000; seed++) {
      chosen += checkRandomCase(new SplittableRandom(seed), "seed " + seed) ? 1 : 0;
    }
    assertTrue(chosen > 500, "put to the test, " + chosen);
  }

  private static boolean checkRandomCase(SplittableRandom dice, String failed) {
    int racks = 1 + dice.nextInt(4);
    Servers.Builder built = Clusters.of(racks, 3);
    int nodes = 3 * racks;
    for (int node = 0; node < nodes; node++) {
      built.role(node, ServerRole.values()[Math.max(0, dice.nextInt(5) - 2)]);
      built.reads(node, dice.nextInt(12)).freeBytes(node, dice.nextInt(300));
      if (dice.nextInt(8) == 0) {
        built.failed(node);
      }
    }
    Servers servers = built.build();
    RackRule rule = RackRule.hdfs(servers.topology());
    int epsilon = 1 + dice.nextInt(2);
    int replicas = Math.min(nodes, 1 + dice.nextInt(5));
    int[] holders = dice.ints(0, nodes).distinct().limit(replicas).toArray();
    ReplicaChoice choice = new ReplicaChoice(servers, rule, epsilon, RESERVE);
    long hot = IntStream.of(holders).filter(n -> servers.isLive(n, ServerRole.HOT)).count();
    int gone = choice.toDelete(holders);
    int expected =
        IntStream.of(holders)
            .filter(n -> hot > epsilon && servers.isLive(n, ServerRole.HOT))
            .filter(n -> rule.allows(holders, without(holders, n)))
            .boxed()
            .min((a, b) -> Integer.compare(rank(servers, a), rank(servers, b)))
            .orElse(NONE);
    assertEquals(expected, gone, failed);
    Move move = choice.toMigrate(holders, 50);
    if (move != null) {
      int[] after =
          IntStream.concat(IntStream.of(without(holders, move.from())), IntStream.of(move.to()))
              .toArray();
      assertTrue(rule.allows(holders, after), failed);
      assertEquals(holders.length, IntStream.of(after).distinct().count(), failed);
      assertTrue(servers.isLive(move.to(), ServerRole.STANDBY), failed);
      assertTrue(servers.freeBytes(move.to()) >= RESERVE, failed);
      assertTrue(
          IntStream.of(after).filter(n -> servers.isLive(n, ServerRole.HOT)).count() >= epsilon,
          failed);
    }
    return gone != NONE;
  }

  private static int rank(Servers servers, int node) {
    return servers.remainingCapacity(node) * 1000 + node;
  }

  private static int[] without(int[] nodes, int node) {
    return Arrays.stream(nodes).filter(other -> other != node).toArray();
  }
}
