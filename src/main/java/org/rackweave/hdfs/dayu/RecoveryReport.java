package org.rackweave.hdfs.dayu;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.util.Time;
import org.rackweave.dayu.RecoveryGoal;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.model.ClusterTopology;

/** How recovery stands, for {@code bin/rackweave recovery}. */
final class RecoveryReport {
  /** Rows of one kind; the rest is only counted. */
  private static final int ROWS_MAX = 1000;

  private final NameNodeRecovery recovery;
  private final long nowMs = Time.monotonicNow();
  private final AdminAnswer answer = new AdminAnswer();

  /** Blocks that wait, by priority; whether Dayu plans for them or not. */
  private final int[] waiting;

  private final int waitingInAll;

  private RecoveryReport(NameNodeRecovery recovery) {
    this.recovery = recovery;
    waiting = recovery.waitingByPriority();
    waitingInAll = Arrays.stream(waiting).sum();
  }

  static AdminAnswer of(NameNodeRecovery recovery) {
    RecoveryReport report = new RecoveryReport(recovery);
    List<RunningCopy> running = recovery.running();
    SlotPlan plan = recovery.slots().lastPlan();
    SlotPlan whole = recovery.slots().lastWholePlan();
    report.summary(running, plan);
    if (plan != null) {
      report.slot(plan);
    }
    report.backlog(whole == null ? plan : whole);
    report.answer.list("node", List.of());
    if (plan != null) {
      report.nodes(running, plan);
    }
    report.answer.list("straggler", List.of());
    report.stragglers(running, plan);
    return report.answer;
  }

  private void summary(List<RunningCopy> running, SlotPlan plan) {
    RecoveryCounts counts = recovery.counts();
    answer.with(
        "recovery",
        new AdminAnswer()
            .with("state", recovery.state())
            .with("brake", recovery.brakeText())
            .with("blocks_waiting", waitingInAll)
            .with("copies_under_way", running.size())
            .with("eta_sec", etaSec(running, plan))
            .with("copies_arrived", counts.ended(CopyState.ARRIVED))
            .with("bytes_arrived", counts.bytesArrived())
            .with("copies_broken", counts.ended(CopyState.BROKEN))
            .with("stragglers_replaced", counts.straggled(StragglerOutcome.REPLACED))
            .with("copies_by_stock", counts.handedOver())
            .with("orders_waiting", recovery.ordersWaiting())
            .with("sources_held_to_rates", recovery.rates().enforcing()));
  }

  /**
   * What is left, over what the copies under way, or a whole slot, move in a second; and how long
   * that is waited for yet.
   */
  private double etaSec(List<RunningCopy> running, SlotPlan plan) {
    if (running.isEmpty() && waitingInAll == 0) {
      return 0;
    }
    double left = 0;
    double rate = 0;
    for (RunningCopy copy : running) {
      left += copy.copy().sizeBytes() - copy.doneBytes(nowMs);
      rate += copy.loadBytesPerSec(nowMs);
    }
    if (plan == null) {
      return Double.NaN;
    }
    left += plan.meanBytes() * waitingInAll;
    double slotRate = plan.plan().slotBytes() / plan.lengthSec();
    double best = waitingInAll > 0 ? Math.max(rate, slotRate) : rate;
    return best > 0 ? recovery.brakeWaitSec() + left / best : Double.NaN;
  }

  /** What there is to do as the last whole plan has it, {@code null} where that is not known. */
  static RecoveryGoal.Work work(NameNodeRecovery recovery) {
    RecoverySlots.WholePlan whole = recovery.slots().lastWhole();
    if (whole == null) {
      return null;
    }
    SlotPlan plan = whole.plan();
    RecoveryReport report = new RecoveryReport(recovery);
    double rest = 0;
    for (RunningCopy copy : recovery.running()) {
      rest += copy.copy().sizeBytes() - copy.doneBytes(report.nowMs);
    }
    for (int priority = 1; priority < report.waiting.length; priority++) {
      rest += report.waiting[priority] * meanBytes(plan, priority);
    }
    // With more to do than fits in a slot, links are as full as they get: S is out of reach.
    double slotBytes = plan.deferred() > 0 ? plan.plan().plannedBytes() : plan.plan().slotBytes();
    double rate = slotBytes / plan.lengthSec() / whole.portion();
    double urgent = report.waiting[0] * meanBytes(plan, 0);
    return rate > 0
        ? new RecoveryGoal.Work(urgent / rate, rest / rate, whole.interference())
        : null;
  }

  private void slot(SlotPlan plan) {
    answer.with(
        "slot",
        new AdminAnswer()
            .with("number", recovery.counts().slots())
            .with("age_sec", (nowMs - plan.madeMs()) / 1000.0)
            .with("length_sec", plan.lengthSec())
            .with("slot_bytes", plan.plan().slotBytes())
            .with("planned_bytes", plan.plan().plannedBytes())
            .with("source_sec", plan.plan().sourceSec())
            .with("destination_sec", plan.plan().destinationSec())
            .with("blocks_for_next_slot", plan.deferred())
            .with("blocks_for_stock", plan.left().size()));
  }

  /**
   * What waits now; its bytes by what the last plan knew of blocks.
   *
   * @param plan {@code null} for none
   */
  private void backlog(SlotPlan plan) {
    answer.list("backlog", List.of());
    for (int priority = 0; priority < waiting.length; priority++) {
      if (waiting[priority] > 0) {
        double bytes = plan == null ? 0 : waiting[priority] * meanBytes(plan, priority);
        AdminAnswer row =
            new AdminAnswer().with("priority", priority).with("blocks", waiting[priority]);
        answer.row(
            "backlog",
            bytes > 0 ? row.with("bytes", Math.round(bytes)) : row.with("bytes", Double.NaN));
      }
    }
  }

  private static double meanBytes(SlotPlan plan, int priority) {
    SlotPlan.Waiting then = plan.backlog().get(priority);
    return then == null ? plan.meanBytes() : (double) then.bytes() / then.blocks();
  }

  private record Use(double in, double out, int copiesIn, int copiesOut) {
    static final Use NONE = new Use(0, 0, 0, 0);

    Use and(Use more) {
      return new Use(
          in + more.in, out + more.out, copiesIn + more.copiesIn, copiesOut + more.copiesOut);
    }
  }

  private void nodes(List<RunningCopy> running, SlotPlan plan) {
    Map<DatanodeDescriptor, Use> uses = new HashMap<>();
    for (RunningCopy copy : running) {
      double rate = copy.loadBytesPerSec(nowMs);
      uses.merge(copy.copy().source(), new Use(0, rate, 0, 1), Use::and);
      uses.merge(copy.copy().target(), new Use(rate, 0, 1, 0), Use::and);
    }
    uses.entrySet().stream()
        .sorted(
            Comparator.comparingDouble(
                    (Map.Entry<DatanodeDescriptor, Use> each) ->
                        -each.getValue().in() - each.getValue().out())
                .thenComparing(each -> each.getKey().getXferAddr()))
        .limit(ROWS_MAX)
        .forEach(each -> node(plan, each.getKey(), each.getValue()));
  }

  private void node(SlotPlan plan, DatanodeDescriptor datanode, Use use) {
    int node = plan.cluster().numberOf(datanode);
    RecoverySnapshot idle = plan.snapshot();
    boolean isKnown = node != ClusterTopology.NONE;
    answer.row(
        "node",
        new AdminAnswer()
            .with("name", datanode.getXferAddr())
            .with("rack", datanode.getNetworkLocation())
            .with("copies_out", use.copiesOut())
            .with("out_bytes_per_sec", use.out())
            .with("idle_out_bytes_per_sec", isKnown ? idle.outBytesPerSec(node) : Double.NaN)
            .with("copies_in", use.copiesIn())
            .with("in_bytes_per_sec", use.in())
            .with("idle_in_bytes_per_sec", isKnown ? idle.inBytesPerSec(node) : Double.NaN));
  }

  /** Copies that have been under way for longer than a slot, the oldest first. */
  private void stragglers(List<RunningCopy> running, SlotPlan plan) {
    double slotSec = plan == null ? Double.POSITIVE_INFINITY : plan.lengthSec();
    running.stream()
        .filter(copy -> copy.runningSec(nowMs) > slotSec)
        .sorted(Comparator.comparingLong(RunningCopy::sinceMs))
        .limit(ROWS_MAX)
        .forEach(
            copy ->
                answer.row(
                    "straggler",
                    new AdminAnswer()
                        .with("block", copy.copy().blockId())
                        .with("from", copy.copy().source().getXferAddr())
                        .with("to", copy.copy().target().getXferAddr())
                        .with("bytes", copy.copy().sizeBytes())
                        .with("done_bytes", copy.doneBytes(nowMs))
                        .with("planned_bytes_per_sec", copy.bytesPerSec())
                        .with("bytes_per_sec", copy.speed())
                        .with("ended_for", elsewhere(copy))
                        .with("running_sec", copy.runningSec(nowMs))));
  }

  private static String elsewhere(RunningCopy copy) {
    return copy.restart() == null
        ? ""
        : copy.restart().instead().source().getXferAddr()
            + " to "
            + copy.restart().instead().target().getXferAddr();
  }
}
