package org.rackweave.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;

/** Holds a plan against its input, by rules written down a second time, as plainly as can be. */
final class PlanAudit {
  private static final double ROUNDING = 1 + 1e-6;

  private final Clusters.Case what;
  private final RecoveryPlan plan;
  private final RecoverySnapshot snapshot;
  private final RecoveryBatch batch;
  private final ClusterTopology topology;
  private final double slotSec;

  private final double[] out;
  private final double[] in;
  private final double[] rackOut;
  private final double[] rackIn;
  private final long[][] free;

  PlanAudit(Clusters.Case what, RecoveryPlan plan) {
    this.what = what;
    this.plan = plan;
    snapshot = what.snapshot();
    batch = what.batch();
    topology = what.topology();
    slotSec = what.slot().lengthSec();
    out = new double[topology.nodeCount()];
    in = new double[topology.nodeCount()];
    rackOut = new double[topology.rackCount()];
    rackIn = new double[topology.rackCount()];
    free = new long[snapshot.storageTypes()][topology.nodeCount()];
    for (int type = 0; type < free.length; type++) {
      for (int node = 0; node < free[type].length; node++) {
        free[type][node] = snapshot.freeBytes(type, node);
      }
    }
  }

  /** What holds of every plan. */
  void check() {
    for (int task = 0; task < batch.count(); task++) {
      if (plan.transfers(task)) {
        checkNodes(task);
      } else {
        assertEquals(RecoveryBatch.NONE, plan.source(task));
        assertEquals(RecoveryBatch.NONE, plan.destination(task));
        assertEquals(0, plan.rateBytesPerSec(task));
      }
    }
    for (long[] ofType : free) {
      assertTrue(Arrays.stream(ofType).allMatch(left -> left >= 0), "space");
    }
    checkRates();
  }

  private void checkNodes(int task) {
    int from = plan.source(task);
    int to = plan.destination(task);
    switch (plan.verdict(task)) {
      case KEPT -> {
        assertEquals(batch.runningFrom(task), from);
        assertEquals(batch.runningTo(task), to);
      }
      case RESOURCED -> {
        assertTrue(contains(batch.sources(task), from), "a source");
        assertEquals(batch.runningTo(task), to);
      }
      default -> {
        assertTrue(contains(batch.sources(task), from), "a source");
        assertTrue(mayGet(task, to), () -> "task " + task + " on node " + to);
        free[batch.storageType(task)][to] -= batch.sizeBytes(task);
      }
    }
    add(task, from, to);
  }

  private void add(int task, int from, int to) {
    out[from] += plan.bytes(task);
    in[to] += plan.bytes(task);
    if (topology.rackOf(from) != topology.rackOf(to)) {
      rackOut[topology.rackOf(from)] += plan.bytes(task);
      rackIn[topology.rackOf(to)] += plan.bytes(task);
    }
  }

  private static boolean contains(int[] nodes, int node) {
    return IntStream.of(nodes).anyMatch(one -> one == node);
  }

  /** Whether rules let a node have a task, space aside. */
  boolean mayGet(int task, int node) {
    if (!snapshot.acceptsReplicas(node) || contains(batch.nodes(task), node)) {
      return false;
    }
    int[] standing =
        IntStream.range(batch.firstNode(task), batch.barredFrom(task))
            .map(batch::nodeAt)
            .filter(one -> !snapshot.isLeaving(one))
            .toArray();
    int rack = topology.rackOf(node);
    long there = IntStream.of(standing).filter(one -> topology.rackOf(one) == rack).count();
    long racks = IntStream.of(standing).map(topology::rackOf).distinct().count();
    long possible =
        IntStream.range(0, topology.nodeCount())
            .filter(snapshot::acceptsReplicas)
            .map(topology::rackOf)
            .distinct()
            .count();
    SpreadRule rule = batch.spread(task);
    return there == 0 || there < rule.rackLimit() && racks >= Math.min(rule.racksMin(), possible);
  }

  private void checkRates() {
    int nodes = topology.nodeCount();
    int racks = topology.rackCount();
    double[] rates = new double[2 * (nodes + racks)];
    for (int task = 0; task < batch.count(); task++) {
      if (plan.transfers(task)) {
        double rate = plan.rateBytesPerSec(task);
        int from = plan.source(task);
        int to = plan.destination(task);
        assertTrue(rate >= 0 && rate < Double.POSITIVE_INFINITY, () -> "rate " + rate);
        int waits = task;
        assertTrue(rate == 0 || !plan.waits(task), () -> "rate " + rate + " of waiting " + waits);
        rates[from] += rate;
        rates[nodes + to] += rate;
        if (topology.rackOf(from) != topology.rackOf(to)) {
          rates[2 * nodes + topology.rackOf(from)] += rate;
          rates[2 * nodes + racks + topology.rackOf(to)] += rate;
        }
      }
    }
    for (int node = 0; node < nodes; node++) {
      assertWithin(rates[node], snapshot.outBytesPerSec(node), "out of node " + node);
      assertWithin(rates[nodes + node], snapshot.inBytesPerSec(node), "into node " + node);
    }
    for (int rack = 0; rack < racks; rack++) {
      assertWithin(
          rates[2 * nodes + rack], snapshot.rackOutBytesPerSec(rack), "out of rack " + rack);
      assertWithin(
          rates[2 * nodes + racks + rack], snapshot.rackInBytesPerSec(rack), "into rack " + rack);
    }
  }

  private static void assertWithin(double value, double limit, String what) {
    assertTrue(value <= limit * ROUNDING + 1e-9, () -> what + ": " + value + " over " + limit);
  }

  /** No link is given more than it carries in the slot, and all together no more than S. */
  void checkSlot() {
    for (int node = 0; node < out.length; node++) {
      assertWithin(out[node], snapshot.outBytesPerSec(node) * slotSec, "bytes out of " + node);
      assertWithin(in[node], snapshot.inBytesPerSec(node) * slotSec, "bytes into " + node);
    }
    for (int rack = 0; rack < rackOut.length; rack++) {
      assertWithin(
          rackOut[rack], snapshot.rackOutBytesPerSec(rack) * slotSec, "bytes out of rack " + rack);
      assertWithin(
          rackIn[rack], snapshot.rackInBytesPerSec(rack) * slotSec, "bytes into rack " + rack);
    }
    assertWithin(Arrays.stream(out).sum(), snapshot.slotBytes(slotSec), "S");
    assertEquals(Arrays.stream(out).sum(), plan.plannedBytes(), 1e-6);
  }

  /** No task left alone would still fit between any two nodes. */
  void checkNothingMoreFits() {
    for (int task = 0; task < batch.count(); task++) {
      Verdict verdict = plan.verdict(task);
      if (!verdict.transfers() && verdict != Verdict.FINISHING) {
        double size = batch.sizeBytes(task);
        if (plan.plannedBytes() + size <= snapshot.slotBytes(slotSec)) {
          assertFalse(fitsSomewhere(task, size), "task " + task + " is " + verdict);
        }
      }
    }
  }

  private boolean fitsSomewhere(int task, double size) {
    for (int from : batch.sources(task)) {
      for (int to = 0; to < in.length; to++) {
        boolean crosses = topology.rackOf(from) != topology.rackOf(to);
        int rackFrom = topology.rackOf(from);
        int rackTo = topology.rackOf(to);
        if (mayGet(task, to)
            && free[batch.storageType(task)][to] >= size
            && out[from] + size <= snapshot.outBytesPerSec(from) * slotSec
            && in[to] + size <= snapshot.inBytesPerSec(to) * slotSec
            && (!crosses
                || rackOut[rackFrom] + size <= snapshot.rackOutBytesPerSec(rackFrom) * slotSec
                    && rackIn[rackTo] + size <= snapshot.rackInBytesPerSec(rackTo) * slotSec)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Everything a plan says, for comparisons. */
  static String text(RecoveryPlan plan) {
    StringBuilder text = new StringBuilder();
    for (int task = 0; task < plan.count(); task++) {
      text.append(task)
          .append(' ')
          .append(plan.verdict(task))
          .append(' ')
          .append(plan.source(task))
          .append(" to ")
          .append(plan.destination(task))
          .append(" at ")
          .append(plan.rateBytesPerSec(task))
          .append('\n');
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return what + "\n" + text(plan);
  }
}
