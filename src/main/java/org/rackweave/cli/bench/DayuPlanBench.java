package org.rackweave.cli.bench;

import static org.rackweave.cli.bench.BenchTable.column;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.rackweave.dayu.Algorithm;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.dayu.IdealMakespan;
import org.rackweave.dayu.RecoveryBandwidth;
import org.rackweave.dayu.RecoveryBatch;
import org.rackweave.dayu.RecoveryPlan;
import org.rackweave.dayu.RecoveryPlanner;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.dayu.Timeslot;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.statistics.Sample;
import org.rackweave.sim.workload.NodeForeground;
import org.rackweave.sim.workload.PublishedStatistics;
import org.rackweave.sim.workload.TimedRequest;

/**
 * How fast recovery is planned, and how close to what the bandwidth allows. The setting is the
 * paper's (section 2.2): 250 MB/s a node in each direction under its measured foreground, Eq. 1
 * with alpha = 75 % and B_min = 30 MB/s, chunks of 64 MB, 70 of them for each node left, replicas
 * of a chunk in random racks. All tasks are planned at once for a slot long enough for all, so that
 * makespans can be compared; how full a slot of 15 s gets is told beside.
 *
 * <p>Algorithms take turns; CPU time of the planning thread, median over the turns.
 */
final class DayuPlanBench {
  /** DataNodes: the paper's cluster, the largest of its kind, and the largest it simulates. */
  static final List<Integer> SIZES = List.of(3_500, 10_000, 25_000);

  private static final int TASKS_PER_NODE = 70;
  private static final int SURVIVORS = 2;
  private static final Timeslot ENDLESS = new Timeslot(1e6, 0);
  private static final Timeslot SLOT = new Timeslot(15, 0);

  /** As a NameNode plans: with every heartbeat, a slot ahead. */
  private static final Timeslot OVERLAPPING = new Timeslot(15, 0.5, 0, 3);

  private static final int STREAMS_MAX = 8;
  private static final double NANOS = 1e9;

  /**
   * How fast and how good one algorithm plans a recovery.
   *
   * @param algorithm as configuration has it
   * @param nodes DataNodes of the cluster, 20 a rack
   * @param oversubscription of the racks' links
   * @param tasks blocks to be copied
   * @param tasksPerSec planned in a second of CPU time: source, destination and rate
   * @param fasterThanG1 the same over that of {@code g1}
   * @param destinationRatio makespan of the destinations over sum / sum
   * @param sourceRatio makespan of the sources over a lower bound of the fractional optimum
   * @param slotFill bytes done in a slot of 15 s over what all links carry (Eq. 2, with those of
   *     racks), where more blocks wait than fit
   * @param overlappingSec CPU time of one plan where slots overlap, as in a NameNode: copies fill
   *     links until each has met a full one
   */
  record Row(
      String algorithm,
      int nodes,
      int oversubscription,
      int tasks,
      double tasksPerSec,
      double fasterThanG1,
      double destinationRatio,
      double sourceRatio,
      double slotFill,
      double overlappingSec) {
    static final BenchTable<Row> TABLE =
        new BenchTable<>(
            List.of(
                column("algorithm", "%-9s", "algorithm", "\"%s\"", Row::algorithm),
                column("nodes", "%6d", "nodes", "%d", Row::nodes),
                column("uplinks", "%6d:1", "oversubscription", "%d", Row::oversubscription),
                column("tasks", "%8d", "tasks", "%d", Row::tasks),
                column("tasks/s", "%12.0f", "tasks_per_s", "%.0f", Row::tasksPerSec),
                column("x g1", "%8.1f", "faster_than_g1", "%.2f", Row::fasterThanG1),
                column(
                    "destination", "%11.3f", "dest_makespan_ratio", "%.4f", Row::destinationRatio),
                column("source", "%8.3f", "source_makespan_ratio", "%.4f", Row::sourceRatio),
                column("slot fill", "%10.3f", "slot_fill", "%.4f", Row::slotFill),
                column(
                    "overlapping", "%10.3f s", "overlapping_plan_s", "%.4f", Row::overlappingSec)));
  }

  private final int turns;
  private final double secMax;
  private final int tasksPerNode;

  private DayuPlanBench(int turns, double secMax, int tasksPerNode) {
    this.turns = turns;
    this.secMax = secMax;
    this.tasksPerNode = tasksPerNode;
  }

  static DayuPlanBench thorough() {
    return new DayuPlanBench(15, 8, TASKS_PER_NODE);
  }

  static DayuPlanBench quick() {
    return new DayuPlanBench(1, 0.1, 4);
  }

  void run(int nodes, Consumer<Row> rows) {
    if (turns > 1) {
      warmUp();
    }
    for (int oversubscription : new int[] {1, 4}) {
      measure(nodes, oversubscription, rows);
    }
  }

  private void warmUp() {
    for (int oversubscription : new int[] {1, 4}) {
      Work work = Work.draw(400, oversubscription, tasksPerNode);
      for (Algorithm algorithm : Algorithm.values()) {
        for (int i = 0; i < 10; i++) {
          work.plan(algorithm, ENDLESS);
        }
      }
    }
  }

  private void measure(int nodes, int oversubscription, Consumer<Row> rows) {
    Work work = Work.draw(nodes, oversubscription, tasksPerNode);
    Map<Algorithm, RecoveryPlan> plans = new EnumMap<>(Algorithm.class);
    Map<Algorithm, Double> seconds = timeInTurns(work, plans);
    double idealSource = 0;
    for (RecoveryPlan plan : plans.values()) {
      requireAllPlanned(plan);
      double bound = IdealMakespan.sourceSec(work.snapshot, work.batch, plan);
      idealSource = Math.max(idealSource, bound);
    }
    for (Algorithm algorithm : Algorithm.values()) {
      RecoveryPlan plan = plans.get(algorithm);
      RecoveryPlan ofSlot = work.plan(algorithm, SLOT);
      double idealDestination = IdealMakespan.destinationSec(work.snapshot, plan.plannedBytes());
      rows.accept(
          new Row(
              algorithm.label(),
              nodes,
              oversubscription,
              work.batch.count(),
              work.batch.count() / seconds.get(algorithm),
              seconds.get(Algorithm.G1) / seconds.get(algorithm),
              plan.destinationSec() / idealDestination,
              plan.sourceSec() / idealSource,
              carried(ofSlot) / IdealMakespan.slotBytes(work.snapshot, SLOT.lengthSec()),
              work.overlappingSec(algorithm)));
    }
  }

  /** What a plan gets done within its slot. */
  private static double carried(RecoveryPlan plan) {
    double sum = 0;
    for (int task = 0; task < plan.count(); task++) {
      sum += Math.min(plan.bytes(task), plan.rateBytesPerSec(task) * SLOT.lengthSec());
    }
    return sum;
  }

  private static void requireAllPlanned(RecoveryPlan plan) {
    for (int task = 0; task < plan.count(); task++) {
      if (!plan.transfers(task)) {
        throw new IllegalStateException("task " + task + " is " + plan.verdict(task));
      }
    }
  }

  /** An algorithm that has used up its time sits the later turns out. */
  private Map<Algorithm, Double> timeInTurns(Work work, Map<Algorithm, RecoveryPlan> plans) {
    Map<Algorithm, List<Double>> times = new EnumMap<>(Algorithm.class);
    for (int turn = 0; turn < turns; turn++) {
      for (Algorithm algorithm : Algorithm.values()) {
        List<Double> taken = times.computeIfAbsent(algorithm, ignored -> new ArrayList<>());
        if (taken.stream().mapToDouble(sec -> sec).sum() < secMax) {
          long began = Stopwatch.cpuNanos();
          plans.put(algorithm, work.plan(algorithm, ENDLESS));
          taken.add((Stopwatch.cpuNanos() - began) / NANOS);
        }
      }
    }
    Map<Algorithm, Double> medians = new EnumMap<>(Algorithm.class);
    times.forEach(
        (algorithm, taken) ->
            medians.put(
                algorithm, new Sample(taken.stream().mapToDouble(sec -> sec).toArray()).median()));
    return medians;
  }

  /** A cluster and what one of its nodes held. */
  private record Work(RecoverySnapshot snapshot, RecoveryBatch batch) {

    static Work draw(int nodes, int oversubscription, int tasksPerNode) {
      SplittableRandom random = new SplittableRandom(nodes);
      ClusterTopology topology = SimulatedRacks.topology(nodes);
      return new Work(
          snapshot(topology, oversubscription, random), batch(topology, tasksPerNode, random));
    }

    RecoveryPlan plan(Algorithm algorithm, Timeslot slot) {
      RecoveryPlanner planner = new RecoveryPlanner(DayuSettings.DEFAULT.with(algorithm));
      return planner.plan(snapshot, batch, slot, new SplittableRandom(1));
    }

    /** What one plan takes where slots overlap. */
    double overlappingSec(Algorithm algorithm) {
      RecoveryPlanner planner =
          new RecoveryPlanner(DayuSettings.DEFAULT.with(algorithm), STREAMS_MAX);
      long began = Stopwatch.cpuNanos();
      planner.plan(snapshot, batch, OVERLAPPING, new SplittableRandom(1));
      return (Stopwatch.cpuNanos() - began) / NANOS;
    }

    private static RecoverySnapshot snapshot(
        ClusterTopology topology, int oversubscription, SplittableRandom random) {
      int nodes = topology.nodeCount();
      NodeForeground.Shape shape = PublishedStatistics.dayuForeground(1);
      double[] rackIn = new double[topology.rackCount()];
      double[] rackOut = new double[topology.rackCount()];
      RecoverySnapshot.Builder builder =
          new RecoverySnapshot.Builder(topology, 1).freeEverywhere(0, 1L << 50);
      new NodeForeground(nodes, shape, random)
          .requests()
          .map(TimedRequest.NodeLoad.class::cast)
          .forEach(
              load -> {
                double total = shape.bandwidthBytesPerSec();
                double in = RecoveryBandwidth.DEFAULT.of(total, load.inBytesPerSec());
                double out = RecoveryBandwidth.DEFAULT.of(total, load.outBytesPerSec());
                builder.node(load.node(), in, out);
                rackIn[topology.rackOf(load.node())] += in;
                rackOut[topology.rackOf(load.node())] += out;
              });
      for (int rack = 0; rack < rackIn.length && oversubscription > 1; rack++) {
        builder.rack(rack, rackIn[rack] / oversubscription, rackOut[rack] / oversubscription);
      }
      return builder.build();
    }

    /** Node 0 failed. */
    private static RecoveryBatch batch(
        ClusterTopology topology, int tasksPerNode, SplittableRandom random) {
      int nodes = topology.nodeCount();
      RecoveryBatch.Builder builder = new RecoveryBatch.Builder(nodes);
      for (int task = 0; task < nodes * tasksPerNode; task++) {
        int[] survivors = new int[SURVIVORS];
        survivors[0] = random.nextInt(1, nodes);
        do {
          survivors[1] = random.nextInt(1, nodes);
        } while (topology.rackOf(survivors[0]) == topology.rackOf(survivors[1]));
        builder.task(PublishedStatistics.DAYU_CHUNK_BYTES, 0).sources(survivors);
      }
      return builder.build();
    }
  }
}
