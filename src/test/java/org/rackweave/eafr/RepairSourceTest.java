package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Algorithm 4, lines 4 to 8. */
class RepairSourceTest {
  private static final int NODES = 6;

  @Test
  void plannedReadsTakeOfTheCapacity() {
    int[] planned = new int[NODES];
    Servers servers = Clusters.of(2, 3).reads(0, 3).build();
    RepairSource source = new RepairSource(servers, node -> false, node -> planned[node]);
    assertEquals(4, source.of(new int[] {0, 4}));
    planned[4] = 3;
    assertEquals(0, source.of(new int[] {4, 0}), "of equal ones the first in number");
    planned[0] = 1;
    assertEquals(4, source.of(new int[] {0, 4}));
  }

  @Test
  void nobodyReadsFromTheDead() {
    Servers servers = Clusters.of(2, 3).failed(1).failed(2).reads(3, 50).build();
    RepairSource source = new RepairSource(servers, node -> false, node -> 0);
    assertEquals(3, source.of(new int[] {1, 3, 2}));
    assertEquals(NONE, source.of(new int[] {1, 2}));
    assertEquals(NONE, source.of(new int[0]));
  }

  @Test
  void isTheFirstInTheOrderThatThePaperGives() {
    long first = System.nanoTime();
    System.out.println("repair source, first seed " + first);
    int choices = 0;
    for (long seed = first; seed < first + 5000; seed++) {
      SplittableRandom dice = new SplittableRandom(seed);
      Servers.Builder built = Clusters.of(2, 3);
      int[] planned = new int[NODES];
      BitSet woken = new BitSet();
      for (int node = 0; node < NODES; node++) {
        built.role(node, ServerRole.values()[dice.nextInt(3)]).capacity(node, 1 + dice.nextInt(9));
        built.reads(node, dice.nextInt(6));
        planned[node] = dice.nextInt(3);
        woken.set(node, dice.nextBoolean());
        if (dice.nextInt(4) == 0) {
          built.failed(node);
        }
      }
      Servers servers = built.build();
      int[] holders = shuffled(dice, 1 + dice.nextInt(NODES));
      List<Integer> live = IntStream.of(holders).filter(servers::isLive).boxed().toList();
      int wanted =
          live.stream()
              .min(
                  Comparator.<Integer, Boolean>comparing(
                          node -> !servers.isAwake(node) && !woken.get(node))
                      .thenComparing(
                          Comparator.<Integer>comparingInt(
                                  node -> servers.remainingCapacity(node) - planned[node])
                              .reversed())
                      .thenComparing(Comparator.naturalOrder()))
              .orElse(NONE);
      RepairSource source = new RepairSource(servers, woken::get, node -> planned[node]);
      assertEquals(wanted, source.of(holders), "seed " + seed);
      choices += live.size() > 1 ? 1 : 0;
    }
    assertTrue(choices > 1000, "put to the test");
  }

  @Test
  void earlierReadsCountAgainstASource() {
    int[] planned = new int[NODES];
    Servers servers = Clusters.of(2, 3).reads(3, 1).build();
    RepairSource source = new RepairSource(servers, node -> false, node -> planned[node]);
    List<Integer> sources = new ArrayList<>();
    for (int block = 0; block < 4; block++) {
      int node = source.of(new int[] {3, 5});
      planned[node]++;
      sources.add(node);
    }
    assertEquals(List.of(5, 3, 5, 3), sources);
  }

  @Test
  void aColdServerIsReadOnlyWhereNoOtherHasAReplica() {
    Servers servers =
        Clusters.of(2, 3)
            .role(4, ServerRole.COLD)
            .role(5, ServerRole.COLD)
            .capacity(5, 100)
            .build();
    RepairSource asleep = new RepairSource(servers, node -> false, node -> 0);
    assertEquals(3, asleep.of(new int[] {3, 5}));
    assertEquals(5, asleep.of(new int[] {5}));
    RepairSource woken = new RepairSource(servers, node -> node == 4, node -> 0);
    assertEquals(4, woken.of(new int[] {4, 5}), "whoever is woken serves other blocks, too");
  }

  private static int[] shuffled(SplittableRandom dice, int count) {
    return dice.ints(0, NODES).distinct().limit(count).toArray();
  }
}
