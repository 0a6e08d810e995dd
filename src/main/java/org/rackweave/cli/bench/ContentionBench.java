package org.rackweave.cli.bench;

import static org.rackweave.cli.bench.BenchTable.column;

import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.SinbadBlockPlacementPolicy;
import org.rackweave.cli.bench.ChooseTargetBench.NewBlocks;
import org.rackweave.sim.statistics.Sample;

/**
 * How much of their throughput two threads keep that place blocks in one cluster, against two that
 * have a cluster each. Locks make threads wait, so this is elapsed time and wants two idle cores;
 * both arrangements take turns.
 */
final class ContentionBench {
  private static final int OPERATIONS = 4000;

  /**
   * What two threads cost each other.
   *
   * @param policy what was measured, lower case with dashes
   * @param nodes DataNodes of a cluster
   * @param independentNs elapsed time of one decision when each thread has a cluster of its own
   * @param sharedNs elapsed time of one decision when both work on one cluster
   * @param share of the throughput that is left when they share, median over the turns
   */
  record Row(String policy, int nodes, double independentNs, double sharedNs, double share) {
    static final BenchTable<Row> TABLE =
        new BenchTable<>(
            List.of(
                column("policy", "%-24s", "policy", "\"%s\"", Row::policy),
                column("nodes", "%7d", "nodes", "%d", Row::nodes),
                column("independent ns", "%15.0f", "independent_ns", "%.1f", Row::independentNs),
                column("shared ns", "%10.0f", "shared_ns", "%.1f", Row::sharedNs),
                column("share", "%7.3f", "share", "%.4f", Row::share)));
  }

  private final Configuration conf;
  private final int turns;

  /**
   * @param turns how often each arrangement is measured; as many again warm up
   */
  ContentionBench(Configuration conf, int turns) {
    this.conf = conf;
    this.turns = turns;
  }

  void run(int nodes, Consumer<Row> rows) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (SimulatedCluster here = SimulatedCluster.start(conf, nodes);
        SimulatedCluster there = SimulatedCluster.start(conf, nodes)) {
      rows.accept(row("stock", BlockPlacementPolicyDefault.class, here, there, threads));
      rows.accept(row("sinbad", SinbadBlockPlacementPolicy.class, here, there, threads));
    } finally {
      threads.shutdownNow();
    }
  }

  private Row row(
      String name,
      Class<? extends BlockPlacementPolicy> policy,
      SimulatedCluster here,
      SimulatedCluster there,
      ExecutorService threads)
      throws Exception {
    NewBlocks first = new NewBlocks(here, policy);
    NewBlocks sameCluster = new NewBlocks(here, policy);
    NewBlocks otherCluster = new NewBlocks(there, policy);
    double[] independent = new double[turns];
    double[] shared = new double[turns];
    double[] share = new double[turns];
    for (int turn = -turns; turn < turns; turn++) {
      double alone = nanosPerDecision(threads, first, otherCluster);
      double together = nanosPerDecision(threads, first, sameCluster);
      if (turn >= 0) {
        independent[turn] = alone;
        shared[turn] = together;
        share[turn] = alone / together;
      }
    }
    return new Row(
        name,
        here.size(),
        new Sample(independent).median(),
        new Sample(shared).median(),
        new Sample(share).median());
  }

  /** Elapsed time of one decision while two threads decide, the mean of both. */
  private static double nanosPerDecision(ExecutorService threads, NewBlocks one, NewBlocks other)
      throws Exception {
    one.prepare();
    other.prepare();
    CyclicBarrier start = new CyclicBarrier(2);
    Future<Long> a = threads.submit(() -> elapsedNanos(start, one));
    Future<Long> b = threads.submit(() -> elapsedNanos(start, other));
    return (a.get() + b.get()) / 2.0 / OPERATIONS;
  }

  private static long elapsedNanos(CyclicBarrier start, NewBlocks work) throws Exception {
    start.await();
    long started = System.nanoTime();
    work.run(OPERATIONS);
    return System.nanoTime() - started;
  }
}
