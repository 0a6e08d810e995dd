package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** Algorithm 3, and ours. */
class ReadOrderTest {
  /** Racks {0 1 2}, {3 4 5}, {6 7 8}; 8 sleeps, 2 is standby. */
  private final Servers servers =
      Clusters.of(3, 3).role(8, ServerRole.COLD).role(2, ServerRole.STANDBY).build();

  private final ReadQueues queues = new ReadQueues(9);
  private final SplittableRandom random = new SplittableRandom(4);

  private void assertOrder(int reader, int readerRack, int[] nodes, int... expected) {
    ReadOrder.byLoad(servers, queues).arrange(nodes, nodes.length, reader, readerRack, 0, random);
    assertArrayEquals(expected, nodes);
  }

  @Test
  void theReadersRackComesFirstThenTheShortestQueue() {
    queues.reported(1, 3, 0, 0);
    queues.reported(2, 1, 0, 0);
    queues.reported(6, 2, 0, 0);
    assertOrder(0, 0, new int[] {4, 6, 1, 2}, 2, 1, 4, 6);
  }

  @Test
  void aNearServerThatIsOverloadedComesBehindOneElsewhere() {
    queues.reported(1, 3, 0, 0);
    queues.reported(2, 9, 0, 0);
    assertOrder(0, 0, new int[] {4, 1, 2}, 1, 4, 2);
    queues.reported(4, 9, 0, 0);
    assertOrder(0, 0, new int[] {4, 1, 2}, 1, 2, 4);
    int[] nodes = {4, 1, 2};
    ReadOrder.byDistance(servers, queues).arrange(nodes, 3, 0, 0, 0, random);
    assertArrayEquals(new int[] {1, 2, 4}, nodes, "Algorithm 3 keeps to the rack");
  }

  /** What is sent makes a queue; that a server is overloaded it has to say itself. */
  @Test
  void readersThatWereSentAloneDoNotMakeAServerOverloaded() {
    for (int i = 0; i < 20; i++) {
      queues.sent(1, 0);
    }
    assertOrder(0, 0, new int[] {4, 1}, 1, 4);
    queues.reported(1, 20, 0, 0);
    assertOrder(0, 0, new int[] {4, 1}, 4, 1);
  }

  @Test
  void overloadedServersAreComparedByWhatTheyCanServe() {
    Servers uneven = Clusters.of(3, 3).capacity(0, 4).capacity(3, 40).build();
    queues.reported(0, 12, 0, 0);
    queues.reported(3, 34, 0, 0);
    int[] nodes = {0, 3};
    ReadOrder.byLoad(uneven, queues).arrange(nodes, 2, NONE, NONE, 0, random);
    assertArrayEquals(new int[] {3, 0}, nodes);
  }

  @Test
  void theReadersOwnServerComesBeforeItsRack() {
    queues.reported(1, 9, 0, 0);
    assertOrder(1, 0, new int[] {0, 1, 3}, 1, 0, 3);
  }

  @Test
  void coldServersComeLastWhereverTheyAre() {
    queues.reported(0, 50, 0, 0);
    assertOrder(8, 2, new int[] {8, 0}, 0, 8);
  }

  @Test
  void withoutARackTheQueueDecides() {
    queues.reported(0, 2, 0, 0);
    queues.reported(3, 1, 0, 0);
    queues.reported(6, 3, 0, 0);
    assertOrder(NONE, NONE, new int[] {0, 3, 6}, 3, 0, 6);
  }

  @Test
  void onlyTheFirstOnesAreOrdered() {
    queues.reported(0, 2, 0, 0);
    int[] nodes = {0, 3, 1};
    ReadOrder.byLoad(servers, queues).arrange(nodes, 2, NONE, NONE, 0, random);
    assertArrayEquals(new int[] {3, 0, 1}, nodes);
  }

  @Test
  void readersBetweenTwoHeartbeatsSpread() {
    int[] sent = new int[9];
    for (int i = 0; i < 300; i++) {
      int[] nodes = {0, 3, 6};
      ReadOrder.byLoad(servers, queues).arrange(nodes, 3, NONE, NONE, 0, random);
      queues.sent(nodes[0], 0);
      sent[nodes[0]]++;
    }
    assertEquals(100, sent[0]);
    assertEquals(100, sent[3]);
    queues.reported(0, -5, 0, 0);
    assertEquals(0, queues.of(0, 0));
  }

  @Test
  void equalsAreDrawn() {
    int[] first = new int[9];
    for (int i = 0; i < 3000; i++) {
      int[] nodes = {0, 3, 6};
      ReadOrder.byLoad(servers, queues).arrange(nodes, 3, NONE, NONE, 0, random);
      first[nodes[0]]++;
    }
    for (int node : new int[] {0, 3, 6}) {
      assertEquals(1000, first[node], 130, "five standard deviations of 26");
    }
  }

  /** Three racks below one core, or two of them below a switch of their own. */
  private static ClusterTopology topology(boolean isFlat, int perRack) {
    String[] racks =
        isFlat ? new String[] {"/a", "/b", "/c"} : new String[] {"/x/a", "/x/b", "/y/c"};
    List<NodePlace> places = new ArrayList<>();
    for (int node = 0; node < 3 * perRack; node++) {
      places.add(new NodePlace("n" + node, racks[node / perRack], null));
    }
    ClusterTopology topology = ClusterTopology.of(places);
    assertEquals(isFlat, topology.isFlat());
    return topology;
  }

  private static int level(float queue, int places) {
    float load = (queue + 1) / places;
    return load <= 0.8f ? 0 : 1 + Math.max(0, (int) (Math.log(load) / Math.log(2)));
  }

  /** Against comparators over all that counts. */
  @Test
  void agreesWithAPlainSortOnRandomReplicas() {
    long first = System.nanoTime();
    System.out.println("read order, first seed " + first);
    for (long seed = first; seed < first + 5000; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      int perRack = 1 + dice.nextInt(4);
      Servers.Builder built =
          Servers.of(topology(dice.nextBoolean(), perRack), 1 + dice.nextInt(6));
      ReadQueues random = new ReadQueues(3 * perRack);
      for (int node = 0; node < 3 * perRack; node++) {
        built.role(node, ServerRole.values()[Math.max(0, dice.nextInt(5) - 2)]);
        random.reported(node, dice.nextInt(4), 0, 0);
      }
      Servers cluster = built.build();
      ClusterTopology topology = cluster.topology();
      int reader = dice.nextInt(3 * perRack + 1) - 1;
      int rack = reader == NONE ? dice.nextInt(4) - 1 : topology.rackOf(reader);
      int[] nodes = dice.ints(0, 3 * perRack).distinct().limit(1 + dice.nextInt(3)).toArray();
      boolean byLoad = dice.nextBoolean();
      Comparator<Integer> order =
          Comparator.<Integer, Boolean>comparing(node -> !cluster.isAwake(node))
              .thenComparing(
                  node ->
                      byLoad && node != reader
                          ? level(random.of(node, 0), cluster.capacity(node))
                          : 0)
              .thenComparing(node -> cluster.isAwake(node) && node != reader)
              .thenComparing(node -> cluster.isAwake(node) && topology.rackOf(node) != rack)
              .thenComparing(node -> random.of(node, 0))
              .thenComparing(
                  node -> rack == NONE ? 0 : topology.rackDistance(topology.rackOf(node), rack));
      int[] arranged = nodes.clone();
      ReadOrder ours =
          byLoad ? ReadOrder.byLoad(cluster, random) : ReadOrder.byDistance(cluster, random);
      ours.arrange(arranged, arranged.length, reader, rack, 0, dice);
      for (int i = 1; i < arranged.length; i++) {
        assertTrue(order.compare(arranged[i - 1], arranged[i]) <= 0, "seed " + seed);
      }
      assertArrayEquals(
          IntStream.of(nodes).sorted().toArray(),
          IntStream.of(arranged).sorted().toArray(),
          "seed " + seed);
    }
  }
}
