package org.rackweave.placement;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;
import static org.rackweave.telemetry.ClusterFixture.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.telemetry.ClusterFixture;

/** HDFS's {@code getPipeline}: always to the closest node left, the first one of several. */
class PipelineOrderTest {
  private final ClusterFixture cluster =
      cluster().idleRack("/h1/a", 3).idleRack("/h1/b", 3).idleRack("/h2/c", 3);

  private int[] arranged(int writer, String... names) {
    int[] nodes = cluster.nodes(names);
    PipelineOrder.arrange(cluster.topology(), writer, nodes);
    return nodes;
  }

  @Test
  void startsAtTheWritersOwnNode() {
    assertArrayEquals(
        cluster.nodes("/h1/a/0", "/h1/b/1", "/h1/b/2"),
        arranged(cluster.node("/h1/a/0"), "/h1/b/1", "/h1/a/0", "/h1/b/2"));
  }

  @Test
  void entersEachRackOnce() {
    assertArrayEquals(
        cluster.nodes("/h1/a/1", "/h1/b/0", "/h1/b/2", "/h2/c/0"),
        arranged(cluster.node("/h1/a/0"), "/h1/b/0", "/h2/c/0", "/h1/a/1", "/h1/b/2"));
  }

  @Test
  void prefersTheSameHallOverAnother() {
    assertArrayEquals(
        cluster.nodes("/h1/b/0", "/h2/c/0", "/h2/c/1"),
        arranged(cluster.node("/h1/a/0"), "/h2/c/0", "/h1/b/0", "/h2/c/1"));
  }

  @Test
  void startsAtTheFirstNodeWhenTheWriterIsNoDataNode() {
    assertArrayEquals(
        cluster.nodes("/h2/c/0", "/h2/c/1", "/h1/a/0"),
        arranged(NONE, "/h2/c/0", "/h1/a/0", "/h2/c/1"));
  }

  @Test
  void leavesNothingToArrangeAlone() {
    assertArrayEquals(new int[0], arranged(NONE));
    assertArrayEquals(new int[0], arranged(0));
    assertArrayEquals(new int[] {4}, arranged(NONE, "/h1/b/1"));
  }

  @Test
  void goesToAClosestNodeAtEveryStep() {
    long seed = System.nanoTime();
    System.out.println("pipeline order, seed " + seed);
    Random random = MixedRandom.of(seed);
    ClusterTopology topology = cluster.topology();
    for (int round = 0; round < 2_000; round++) {
      List<Integer> all = new ArrayList<>(IntStream.range(0, 9).boxed().toList());
      Collections.shuffle(all, random);
      int[] nodes = all.stream().limit(1 + random.nextInt(9)).mapToInt(node -> node).toArray();
      int[] before = nodes.clone();
      int writer = random.nextInt(10) - 1;
      PipelineOrder.arrange(topology, writer, nodes);
      assertArrayEquals(
          IntStream.of(before).sorted().toArray(), IntStream.of(nodes).sorted().toArray());
      int at = writer == NONE ? before[0] : writer;
      for (int i = 0; i < nodes.length; i++) {
        for (int j = i; j < nodes.length; j++) {
          assertTrue(
              topology.distance(at, nodes[i]) <= topology.distance(at, nodes[j]),
              () -> "seed " + seed);
        }
        at = nodes[i];
      }
      if (writer == NONE) {
        assertEquals(before[0], nodes[0], () -> "seed " + seed);
      }
    }
  }
}
