package org.rackweave.cli.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.blockmanagement.SinbadBlockPlacementPolicy;
import org.rackweave.cli.bench.ChooseTargetBench.NewBlocks;

/**
 * How much of their throughput two threads keep that place blocks in one cluster, against two that
 * have a cluster each. Locks make threads wait, so this is elapsed time and wants two idle cores;
 * both arrangements take turns.
 */
final class ContentionBench {
  private static final int OPERATIONS = 4000;

  private final Configuration conf;
  private final int turns;
  private final PrintStream out;

  /**
   * @param turns how often each arrangement is measured; as many again warm up
   */
  ContentionBench(Configuration conf, int turns, PrintStream out) {
    this.conf = conf;
    this.turns = turns;
    this.out = out;
  }

  List<ContentionRow> run(int nodes) throws Exception {
    List<ContentionRow> rows = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (SimulatedCluster here = SimulatedCluster.start(conf, nodes);
        SimulatedCluster there = SimulatedCluster.start(conf, nodes)) {
      rows.add(row("stock", BlockPlacementPolicyDefault.class, here, there, threads));
      rows.add(row("sinbad", SinbadBlockPlacementPolicy.class, here, there, threads));
    } finally {
      threads.shutdownNow();
    }
    return rows;
  }

  private ContentionRow row(
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
    ContentionRow row =
        new ContentionRow(
            name,
            here.size(),
            Stopwatch.median(independent),
            Stopwatch.median(shared),
            Stopwatch.median(share));
    out.println(row.line());
    return row;
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
