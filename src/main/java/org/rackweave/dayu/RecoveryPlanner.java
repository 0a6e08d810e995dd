package org.rackweave.dayu;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.rackweave.model.Require;

/**
 * Plans one slot: which blocks are copied, from where, to where and how fast (section 4).
 *
 * <p><b>Goals.</b> The paper's three (section 3): use the bandwidth there is, finish with the slot,
 * leave no large stragglers. Above them redundancy: a block with fewer live replicas is never left
 * for one with more.
 *
 * <p><b>Algorithm.</b> Priorities are planned one after another, each seeing the loads of those
 * before it only: copies under way first ({@link Verdict#KEPT} and what else becomes of
 * stragglers), then blocks larger than a slot, then all others by the {@link Algorithm}. Rates are
 * given to all together. So copies of lower priority that are under way never keep a block of
 * higher priority out: it goes first at its source, and where slots overlap it gets most of a link
 * where both meet.
 *
 * <p><b>Constraints.</b> One replica a node, the block's {@link SpreadRule}, storage type and
 * space, nodes that accept replicas; no more than S (Eq. 2) beside what is under way; no node or
 * rack link is given more new work than it carries in the slot, but by the algorithms that draw.
 * Rates never exceed the bandwidth of a node or a rack's link, in either direction.
 *
 * <p>Pure and immutable, safe for use by many threads. Equal input and an equal random give an
 * equal plan. O(tasks + priorities x nodes) besides the algorithm's own cost.
 */
public final class RecoveryPlanner {
  private final DayuSettings settings;
  private final int streams;

  /** For sources that make any number of copies at a time, as the paper's. */
  public RecoveryPlanner(DayuSettings settings) {
    this(settings, SourceStreams.UNLIMITED);
  }

  /**
   * @param streams copies that a source makes at a time at most, 1 or more
   */
  public RecoveryPlanner(DayuSettings settings, int streams) {
    Require.atLeast("streams", streams, 1);
    this.settings = settings;
    this.streams = streams;
  }

  /**
   * @param snapshot what nodes and links have left
   * @param batch what waits and what is under way
   * @param slot the slot that is planned
   * @param random so that of equals not always the first is taken
   * @throws IllegalArgumentException when the batch speaks of another number of nodes
   */
  public RecoveryPlan plan(
      RecoverySnapshot snapshot, RecoveryBatch batch, Timeslot slot, RandomGenerator random) {
    SlotLoads loads = select(snapshot, batch, slot, random);
    if (streams == SourceStreams.UNLIMITED || !slot.overlaps()) {
      return plan(loads, slot, SourceStreams.Turns.none(batch.nodeCount()));
    }
    SourceStreams sources = new SourceStreams(loads, streams, slot.replanSec());
    sources.leaveExcess();
    return plan(loads, slot, sources.turns());
  }

  private RecoveryPlan plan(SlotLoads loads, Timeslot slot, SourceStreams.Turns turns) {
    return loads.plan(rates(loads, slot, turns), aim(loads, slot).sec(), turns.waiting());
  }

  /** Sources and destinations, the part the paper gives a speed for. */
  SlotLoads select(
      RecoverySnapshot snapshot, RecoveryBatch batch, Timeslot slot, RandomGenerator random) {
    int nodes = snapshot.topology().nodeCount();
    Require.within("nodeCount of the batch", batch.nodeCount(), nodes, nodes);
    SlotLoads loads = new SlotLoads(snapshot, batch, slot.lengthSec());
    DestinationRules rules = new DestinationRules(loads);
    UnderemployedNodes underemployed = new UnderemployedNodes(loads, settings.beta());
    StragglingCopies stragglers =
        new StragglingCopies(loads, rules, slot, aim(loads, slot), settings.stragglers());
    OversizeTasks oversize = new OversizeTasks(loads, rules);
    int[] byPriority = new int[batch.count()];
    int[] start = sortByPriority(batch, byPriority);
    for (int priority = 0; priority + 1 < start.length; priority++) {
      int size = start[priority + 1] - start[priority];
      if (size > 0) {
        int[] tasks = Arrays.copyOfRange(byPriority, start[priority], start[priority] + size);
        int waiting = placeOthers(loads, tasks, stragglers, oversize);
        settings
            .algorithm()
            .selection(loads, rules, underemployed, settings, random)
            .select(tasks, waiting);
      }
    }
    return loads;
  }

  /** Leaves in {@code tasks} those for the algorithm; returns their number. */
  private static int placeOthers(
      SlotLoads loads, int[] tasks, StragglingCopies stragglers, OversizeTasks oversize) {
    RecoveryBatch batch = loads.batch;
    int waiting = tasks.length;
    if (batch.hasRunning()) {
      int[] running = Arrays.stream(tasks).filter(batch::isRunning).toArray();
      waiting = 0;
      for (int task : tasks) {
        if (!batch.isRunning(task)) {
          tasks[waiting++] = task;
        }
      }
      loads.spareCrowded();
      for (int task : stragglers.place(running)) {
        tasks[waiting++] = task;
      }
      loads.openCrowded();
    }
    int left = 0;
    for (int i = 0; i < waiting; i++) {
      boolean large = oversize.includes(tasks[i]);
      if (large && !loads.hasSource(tasks[i])) {
        loads.leave(tasks[i], Verdict.NO_SOURCE);
      } else if (!large || !oversize.place(tasks[i])) {
        tasks[left++] = tasks[i];
      }
    }
    return left;
  }

  /** Fills in the tasks by priority, equals in their order; returns where each priority starts. */
  private static int[] sortByPriority(RecoveryBatch batch, int[] sorted) {
    int[] start = new int[batch.lowestPriority() + 2];
    for (int task = 0; task < batch.count(); task++) {
      start[batch.priority(task) + 1]++;
    }
    Offsets.sum(start);
    int[] next = start.clone();
    for (int task = 0; task < batch.count(); task++) {
      sorted[next[batch.priority(task)]++] = task;
    }
    return start;
  }

  private SlotAim aim(SlotLoads loads, Timeslot slot) {
    return new SlotAim(loads.snapshot, loads.batch, slot, settings.aim());
  }

  /**
   * Rates for what was selected (section 4.3). Where slots overlap, what is done sooner makes room
   * for what waits; so links are filled.
   */
  private double[] rates(SlotLoads loads, Timeslot slot, SourceStreams.Turns turns) {
    TransferLinks links = new TransferLinks(loads, slot.overlaps(), turns);
    double acceptableSec = slot.overlaps() ? 0 : aim(loads, slot).sec();
    RateAllocation allocation =
        settings.rates() == DayuSettings.Rates.WSS
            ? new IterativeWss(links, acceptableSec)
            : new DeadlineRates(links, slot.lengthSec());
    double[] rates = allocation.rates();
    if (slot.overlaps() && links.hasHeldUp()) {
      double[] more = new IterativeWss(links.leftover(rates), 0).rates();
      Arrays.setAll(rates, task -> rates[task] + more[task]);
    }
    return rates;
  }
}
