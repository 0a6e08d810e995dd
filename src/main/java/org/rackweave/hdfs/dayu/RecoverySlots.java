package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.util.Time;
import org.rackweave.dayu.RecoverySnapshot;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.dayu.RunningCopies.CopiesUnderWay;
import org.rackweave.history.Event.Kind;
import org.rackweave.history.EventLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans slot after slot, and has HDFS make what was planned: reads the queue in parts, plans
 * without any lock, and has the copies scheduled in parts, every block being looked at again.
 *
 * <p><b>Slots overlap.</b> DataNodes get orders, and tell of their load and their copies, with
 * every heartbeat. So while copies are under way a plan is made as often: it looks one slot ahead
 * from then, gives copies under way the rates that fit what links have now, and gives links that
 * have become free more to do; with plans a slot apart they would idle until the next. Plans of a
 * slot together read no more of the queue than {@code rackweave.dayu.blocks.max}, twice.
 *
 * <p>Single-threaded but for what is said of the last plans.
 */
final class RecoverySlots {
  private static final Logger LOG = LoggerFactory.getLogger(RecoverySlots.class);
  private static final long EARLY_PLAN_MS = 1000;

  /** Stock, too, takes the lock anew for parts of a batch; so no hold is longer than its own. */
  static final int PARTS_OF_A_BATCH = 3;

  /** Slots in which nothing could be done before stock gets its turn. */
  private static final int FRUITLESS_MAX = 3;

  private final Supplier<DayuConfig> config;
  private final ReconstructionQueue queue;
  private final Supplier<RecoveryCluster> cluster;
  private final CopyLimits limits;
  private final RunningCopies running;
  private final StocksShare share;
  private final RecoveryCounts counts;
  private final EventLog events;
  private final Turn turn;
  private final QueueReader backlog;

  private volatile SlotPlan lastPlan;
  private volatile WholePlan lastWhole;
  private long nextSlotMs;

  /** When blocks that wait are read again that were read before. */
  private long readAnewMs;

  private long plannedMs;
  private int fruitless;
  private int waitingThen;
  private boolean lastPlanBoreFruit;

  /**
   * What deals with the copies that come of plans.
   *
   * @param share blocks that are stock's after all
   * @param events told of copies that are made
   */
  record Copying(
      CopyLimits limits,
      RunningCopies running,
      StocksShare share,
      RecoveryCounts counts,
      EventLog events) {}

  /**
   * One for which all of the queue was read, and what it went by.
   *
   * @param portion of the idle bandwidth that it was made for
   * @param interference at the full rate, Eq. 4
   */
  record WholePlan(SlotPlan plan, double portion, double interference) {}

  /** Whose turn it is. */
  interface Turn {
    /** Gives a sign of life, between steps that take a while. */
    void renew();

    /** Whether to go on. */
    boolean isOn();

    /** Share of the idle bandwidth that may be taken while no block has a single replica. */
    default double share() {
      return 1;
    }
  }

  /**
   * @param config with the delays of this NameNode
   * @param cluster asked for the DataNodes and their links
   */
  RecoverySlots(
      Supplier<DayuConfig> config,
      ReconstructionQueue queue,
      Supplier<RecoveryCluster> cluster,
      Copying copying,
      Turn turn) {
    this.config = config;
    this.queue = queue;
    this.cluster = cluster;
    this.turn = turn;
    limits = copying.limits();
    running = copying.running();
    share = copying.share();
    counts = copying.counts();
    events = copying.events();
    backlog = new QueueReader(queue, () -> config.get().blocksMax());
  }

  private static long slotMs(DayuConfig now) {
    return (long) (1000 * now.slot().lengthSec());
  }

  private static long replanMs(DayuConfig now) {
    return (long) (1000 * now.slot().replanSec());
  }

  /** Begins anew, as if nothing had been planned. */
  void forget() {
    lastPlan = null;
    lastWhole = null;
    fruitless = 0;
    nextSlotMs = 0;
    readAnewMs = 0;
  }

  /** Whether nothing came of several slots, until the next one begins. */
  boolean hasToRest(long nowMs) {
    return fruitless >= FRUITLESS_MAX && nowMs < nextSlotMs;
  }

  /** The last plan, {@code null} for none. */
  SlotPlan lastPlan() {
    return lastPlan;
  }

  /** The last one for which all of the queue was read, {@code null} for none. */
  SlotPlan lastWholePlan() {
    WholePlan whole = lastWhole;
    return whole == null ? null : whole.plan();
  }

  /** The same with what it went by. */
  WholePlan lastWhole() {
    return lastWhole;
  }

  /**
   * Such blocks wait for nobody: as long as any are to be copied here, all of the idle bandwidth is
   * taken. Those that were stock's in the last whole plan are not, for all that is known.
   */
  private boolean hasSingleReplica(List<WaitingBlock> waiting, CopiesUnderWay underWay) {
    WholePlan whole = lastWhole;
    Set<Long> stocks =
        whole == null
            ? Set.of()
            : whole.plan().left().stream().map(WaitingBlock::id).collect(Collectors.toSet());
    return waiting.stream()
            .filter(block -> block.priority() == 0)
            .filter(block -> !block.isStriped() && !block.sources().isEmpty())
            .anyMatch(block -> !stocks.contains(block.id()))
        || underWay.copies().stream().anyMatch(running -> running.copy().priority() == 0);
  }

  /**
   * When a slot begins, with every heartbeat in it, or when nothing is done and new blocks wait.
   */
  boolean isDue(long nowMs) {
    long sinceMs = nowMs - plannedMs;
    if (nowMs >= nextSlotMs) {
      return true;
    }
    boolean hasNews = lastPlanBoreFruit || queue.waitingCount() != waitingThen;
    return running.all().isEmpty() && !backlog.wasMostlyHeld()
        ? hasNews && sinceMs >= EARLY_PLAN_MS
        : sinceMs >= replanMs(config.get());
  }

  /**
   * Plans and has HDFS make what was planned.
   *
   * @param term the change of state that made this NameNode active
   * @param holds which blocks are to wait
   */
  void plan(long term, long nowMs, Predicate<WaitingBlock> holds) {
    DayuConfig now = config.get();
    long slotMs = slotMs(now);
    boolean isWhole = nowMs >= nextSlotMs || running.all().isEmpty();
    boolean isAnew = nowMs >= readAnewMs;
    readAnewMs = isAnew ? nowMs + slotMs : readAnewMs;
    plannedMs = nowMs;
    nextSlotMs = isWhole ? nowMs + slotMs : nextSlotMs;
    RecoveryCluster known = cluster.get();
    CopiesUnderWay before = running.forPlan(now.slot(), nowMs, isWhole);
    turn.renew();
    Map<Boolean, List<WaitingBlock>> read =
        backlog
            .read(
                blocksToRead(now, isWhole && (isAnew || !backlog.wasMostlyHeld()), before),
                isAnew,
                holds,
                turn::renew)
            .stream()
            .collect(Collectors.partitioningBy(block -> share.isStocks(block, nowMs)));
    List<WaitingBlock> waiting = read.get(false);
    List<WaitingBlock> stocks = read.get(true);
    double portion = hasSingleReplica(waiting, before) ? 1 : turn.share();
    IdleBandwidth idle =
        new IdleBandwidth(known.nodes(), now.bandwidth().times(portion), before.loads());
    RecoverySnapshot snapshot = idle.snapshot(queue::isStaleTarget);
    long began = System.nanoTime();
    SlotPlan plan =
        new SlotPlan(now, known, snapshot, before, waiting, nowMs, ThreadLocalRandom.current());
    counts.planned(System.nanoTime() - began);
    turn.renew();
    List<PlannedCopy> copies = plan.copies();
    backlog.changed(copies);
    if (isWhole) {
      counts.left(plan.leftCounts());
      counts.left(LeftReason.STOOD_STILL, stocks.size());
      share.leave(Stream.concat(stocks.stream(), plan.left().stream()).toList());
      lastWhole = new WholePlan(plan, portion, idle.interferenceAtFullRate());
    }
    List<RunningCopy> kept = plan.running(nowMs);
    counts.straggled(StragglerOutcome.ASKED_TO_END, (int) (asked(kept) - asked(before.copies())));
    int scheduled = schedule(kept, copies, waiting, term);
    lastPlan = plan;
    waitingThen = queue.waitingCount();
    if (waitingThen == 0) {
      backlog.forget();
    }
    lastPlanBoreFruit = scheduled > 0;
    boolean isInVain =
        scheduled == 0 && running.all().isEmpty() && (plan.deferred() > 0 || !copies.isEmpty());
    fruitless = isInVain ? fruitless + 1 : 0;
    // Blocks that wait for bandwidth are not passed over for less urgent ones, but within a slot
    // for those behind others that are held.
    if (plan.deferred() == 0 || !isWhole) {
      backlog.passHeld();
    }
    boolean isHeldUp = plan.deferred() > 0 && backlog.wasMostlyHeld();
    if (scheduled == 0 && !isHeldUp && (running.all().isEmpty() || plan.deferred() == 0)) {
      backlog.wasInVain();
    }
    LOG.debug(
        "Plan for {} ms: {} blocks read, {} copies scheduled, {} under way, {} left to stock",
        slotMs,
        waiting.size(),
        scheduled,
        running.all().size(),
        plan.left().size());
  }

  /** All of them at a slot's beginning, what may have become possible since then in between. */
  private static int blocksToRead(DayuConfig now, boolean isWhole, CopiesUnderWay underWay) {
    int blocksMax = now.blocksMax();
    int most = isWhole ? blocksMax : (int) (blocksMax * replanMs(now) / slotMs(now));
    return Math.min(Math.max(1, most), 2 * blocksMax - underWay.copies().size());
  }

  private static long asked(List<RunningCopy> copies) {
    return copies.stream().filter(copy -> copy.restart() != null).count();
  }

  /**
   * Has copies made, part by part; returns how many are.
   *
   * @param kept copies under way, at their new rates
   */
  private int schedule(
      List<RunningCopy> kept, List<PlannedCopy> copies, List<WaitingBlock> waiting, long term) {
    List<RunningCopy> all = new ArrayList<>(kept);
    nameRates(kept, copies);
    Set<Long> refused = new HashSet<>();
    try {
      int size = Math.max(1, queue.batchSize() / PARTS_OF_A_BATCH);
      for (int from = 0; from < copies.size() && turn.isOn(); from += size) {
        int to = Math.min(copies.size(), from + size);
        if (!schedule(copies.subList(from, to), all, refused, term)) {
          break; // it is another's turn
        }
        turn.renew();
      }
    } finally {
      running.replace(all); // also those before a failure
    }
    share.refused(refused, waiting);
    return all.size() - kept.size();
  }

  /** Has a part made, under one hold of the lock; returns whether it is this NameNode's to do. */
  private boolean schedule(
      List<PlannedCopy> part, List<RunningCopy> all, Set<Long> refused, long term) {
    List<CopyOutcome> outcomes = queue.schedule(part, term);
    long nowMs = Time.monotonicNow();
    for (int i = 0; i < outcomes.size(); i++) {
      counts.tried(part.get(i), outcomes.get(i));
      if (outcomes.get(i) == CopyOutcome.SCHEDULED) {
        all.add(RunningCopy.begun(part.get(i), nowMs));
        tell(part.get(i));
      } else if (outcomes.get(i).stillWaits()) {
        refused.add(part.get(i).blockId());
      }
    }
    return !outcomes.isEmpty();
  }

  private void tell(PlannedCopy copy) {
    String target = ClusterView.placeOf(copy.target());
    events.add(
        Kind.COPY,
        ClusterView.placeOf(copy.source()),
        () -> "sends blk_" + copy.blockId() + " to " + target + ", for a replica that was lost");
  }

  /** Before copies are scheduled: their sources may be told of them at once. */
  private void nameRates(List<RunningCopy> kept, List<PlannedCopy> copies) {
    long nowMs = Time.monotonicNow();
    List<RunningCopy> expected = new ArrayList<>(kept);
    copies.forEach(copy -> expected.add(RunningCopy.begun(copy, nowMs)));
    limits.apply(expected, nowMs);
  }
}
