package org.rackweave.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.graph.GroupedFlow;
import org.rackweave.model.ClusterTopology;

/**
 * Feasibility against the paper's flow graph (Figures 4 to 6 as algorithms.md has them), rebuilt.
 */
class StripeLayoutPropertyTest {
  private static final int STRIPES = 3000;

  /** A stripe of a random code on random, uneven racks. */
  private static final class Situation {
    final Random dice;
    final StripeRules rules;
    final ClusterTopology topology;
    final TargetRacks targets;
    final int coreRack;

    Situation(long seed) {
      dice = MixedRandom.of(seed);
      ErasureCode code = new ErasureCode(2 + dice.nextInt(9), 1 + dice.nextInt(4));
      int c = Math.min(new int[] {1, 2, 4}[dice.nextInt(3)], code.parityBlocks());
      StripeRules all = StripeRules.of(code).withRackLimit(c);
      int racks = 2 + dice.nextInt(20);
      topology = Racks.of(dice.ints(racks, 1, 7).toArray());
      coreRack = dice.nextInt(racks);
      boolean some = dice.nextBoolean() && all.racksNeeded() < racks;
      rules = some ? all.withTargetRacks(all.racksNeeded()) : all;
      targets = TargetRacks.draw(rules, topology, new int[] {coreRack}, dice);
    }

    /** One replica in the core rack, one or two in another; now and then anywhere at all. */
    int[] replicas() {
      int core = nodeIn(coreRack);
      int other = nodeIn(dice.nextInt(topology.rackCount()));
      int third = dice.nextInt(8) == 0 ? dice.nextInt(topology.nodeCount()) : neighbour(other);
      return IntStream.of(core, other, third).distinct().limit(2 + dice.nextInt(2)).toArray();
    }

    int nodeIn(int rack) {
      return topology.firstNode(rack) + dice.nextInt(topology.rackSize(rack));
    }

    private int neighbour(int node) {
      return nodeIn(topology.rackOf(node));
    }

    /** Whether as many blocks as there are could keep a replica each. */
    boolean isFeasible(List<int[]> blocks) {
      List<int[]> inTargets = new ArrayList<>();
      for (int[] nodes : blocks) {
        inTargets.add(
            Arrays.stream(nodes).filter(n -> targets.contains(topology.rackOf(n))).toArray());
      }
      return GroupedFlow.matchable(inTargets, topology::rackOf, rack -> rules.rackLimit())
          == blocks.size();
    }
  }

  @Test
  void judgesEveryLayoutAsTheFlowGraphDoes() {
    long first = System.nanoTime();
    System.out.println("layouts against the flow graph, first seed " + first);
    int[] verdicts = new int[2];
    for (long seed = first; seed < first + STRIPES; seed++) {
      Situation in = new Situation(seed);
      StripeLayout layout =
          new StripeLayout(in.rules, in.topology, in.targets, in.rules.code().dataBlocks());
      List<int[]> kept = new ArrayList<>();
      for (int draw = 0; draw < 40 && kept.size() < in.rules.code().dataBlocks(); draw++) {
        int[] replicas = in.replicas();
        List<int[]> with = new ArrayList<>(kept);
        with.add(replicas);
        boolean feasible = in.isFeasible(with);
        verdicts[feasible ? 1 : 0]++;
        assertEquals(feasible, layout.fits(replicas), "seed " + seed);
        if (replicas.length == 2) {
          assertEquals(feasible, layout.fits(replicas[0], replicas[1]), "seed " + seed);
        }
        int block = layout.add(replicas);
        assertEquals(feasible, block != StripeLayout.NONE, "seed " + seed);
        if (feasible) {
          kept.add(replicas);
          int keeper = layout.keeperOf(block);
          assertTrue(Arrays.stream(replicas).anyMatch(node -> node == keeper), "seed " + seed);
        }
      }
    }
    System.out.println(verdicts[1] + " layouts fitted, " + verdicts[0] + " did not");
    assertTrue(Math.min(verdicts[0], verdicts[1]) > STRIPES, "both verdicts were put to the test");
  }

  /**
   * The lemma {@link StripeLayout} rests on: whichever replicas are kept, parity finds room if and
   * only if the target racks hold n blocks.
   */
  @Test
  void leavesRoomForParityExactlyWhenTheTargetRacksHoldAWholeStripe() {
    long first = System.nanoTime();
    System.out.println("room for parity, first seed " + first);
    int[] verdicts = new int[2];
    for (long seed = first; seed < first + STRIPES; seed++) {
      Situation in = new Situation(seed);
      ErasureCode code = in.rules.code();
      StripeLayout layout = new StripeLayout(in.rules, in.topology, in.targets, code.blocks());
      int data = 0;
      for (int draw = 0; draw < 200 && data < code.dataBlocks(); draw++) {
        data += layout.add(in.replicas()) == StripeLayout.NONE ? 0 : 1;
      }
      if (data < code.dataBlocks()) {
        continue;
      }
      int parity = 0;
      List<Integer> nodes =
          new ArrayList<>(IntStream.range(0, in.topology.nodeCount()).boxed().toList());
      java.util.Collections.shuffle(nodes, in.dice);
      for (int node : nodes) {
        if (parity < code.parityBlocks() && layout.add(node) != StripeLayout.NONE) {
          parity++;
        }
      }
      boolean holds = in.targets.roomIn(in.topology, in.rules) >= code.blocks();
      verdicts[holds ? 1 : 0]++;
      assertEquals(holds, parity == code.parityBlocks(), "seed " + seed);
    }
    assertNotEquals(0, Math.min(verdicts[0], verdicts[1]), "both verdicts were put to the test");
  }
}
