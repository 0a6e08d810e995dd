package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.bench.MaxFlow;

/** Sources against the maximum flow. */
class SourceOracleTest {
  private static final int CASES = 2_000;
  private static final int SIZE = 10;

  private record Drawn(RecoverySnapshot snapshot, RecoveryBatch batch, double[] bandwidth) {
    RecoveryPlan plan(Algorithm algorithm) {
      return new RecoveryPlanner(DayuSettings.DEFAULT.with(algorithm).withBeta(0))
          .plan(snapshot, batch, Clusters.slot(1e6), new SplittableRandom(1));
    }
  }

  private static Drawn draw(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int nodes = random.nextInt(4, 9);
    double[] bandwidth = random.ints(nodes, 1, 12).asDoubleStream().toArray();
    RecoveryBatch.Builder builder = new RecoveryBatch.Builder(nodes);
    int tasks = random.nextInt(1, 80);
    for (int task = 0; task < tasks; task++) {
      int[] mixed = Clusters.shuffled(nodes, random);
      builder.task(SIZE, 0).sources(java.util.Arrays.copyOf(mixed, random.nextInt(1, 4)));
    }
    return new Drawn(Clusters.nodes(bandwidth).build(), builder.build(), bandwidth);
  }

  /** Whether all tasks can be sent within so many seconds; split as finely as {@code parts}. */
  private static boolean fits(Drawn drawn, double sec, int parts) {
    MaxFlow network = new MaxFlow();
    int source = network.addVertex();
    int sink = network.addVertex();
    int[] vertex = new int[drawn.bandwidth().length];
    for (int node = 0; node < vertex.length; node++) {
      vertex[node] = network.addVertex();
      double blocks = sec * drawn.bandwidth()[node] / SIZE;
      network.addEdge(vertex[node], sink, (int) (blocks * parts + 1e-9));
    }
    int count = drawn.batch().count();
    for (int task = 0; task < count; task++) {
      int of = network.addVertex();
      network.addEdge(source, of, parts);
      for (int node : drawn.batch().sources(task)) {
        network.addEdge(of, vertex[node], parts);
      }
    }
    return network.run(source, sink) == count * parts;
  }

  private static double optimum(Drawn drawn, int parts) {
    double low = 0;
    double high = 2.0 * SIZE * drawn.batch().count();
    while (high - low > 1e-4 * high) {
      double middle = (low + high) / 2;
      if (fits(drawn, middle, parts)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }

  @Test
  void boundIsBelowTheFractionalOptimumAndThePlanAboveTheWholeOne() {
    double ours = 0;
    double greedy = 0;
    for (long seed = 0; seed < CASES; seed++) {
      Drawn drawn = draw(seed);
      RecoveryPlan plan = drawn.plan(Algorithm.DAYU);
      assertEquals(drawn.batch().count(), plan.count(Verdict.PLANNED), "seed " + seed);
      double fractional = optimum(drawn, 10_000);
      double whole = optimum(drawn, 1);
      double bound = IdealMakespan.sourceSec(drawn.snapshot(), drawn.batch(), plan);
      assertTrue(bound <= fractional * 1.001, "seed " + seed + ": " + bound + " " + fractional);
      assertTrue(plan.sourceSec() >= whole * 0.999, "seed " + seed);
      ours += plan.sourceSec() / whole;
      greedy += drawn.plan(Algorithm.G1).sourceSec() / whole;
    }
    // Blocks are few here and nodes differ tenfold, so one block more is seconds.
    assertTrue(ours / CASES < 1.03, "on average " + ours / CASES);
    assertTrue(ours < greedy, ours + " " + greedy);
  }
}
