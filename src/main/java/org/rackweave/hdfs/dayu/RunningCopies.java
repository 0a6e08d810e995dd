package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.dayu.Timeslot;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.hdfs.dayu.ReconstructionQueue.Replacement;
import org.rackweave.model.Parts;

/**
 * Copies that HDFS has been told to make and that are not over. Changed by one thread, read by any.
 *
 * <p><b>Copies that go on</b> are expected by HDFS for as long as they do, and those that stand
 * still are ended: {@link CopyDeadlines}.
 *
 * <p><b>Copies that give way to others.</b> A plan may find that a copy would be done sooner if it
 * began anew. Then its source's agent is asked to end it, and HDFS goes on expecting it. Only when
 * the agent has said that it will never be complete does HDFS, under one hold of the lock, cease to
 * expect it and is told of the other: no block is ever copied twice at a time. If the agent does
 * not say so in time, the copy goes on as it was and is asked no more; when HDFS gives it up, that
 * is {@link StragglerOutcome#OUTLIVED}.
 */
final class RunningCopies {
  /**
   * Copies under way, as a plan takes them.
   *
   * @param copies all of them
   * @param movable blocks of those that can be ended for others, by id
   * @param loads what they, and others that have just arrived, take of DataNodes' links
   */
  record CopiesUnderWay(
      List<RunningCopy> copies,
      Map<Long, WaitingBlock> movable,
      Map<DatanodeDescriptor, OwnLoad> loads) {
    static final CopiesUnderWay NONE = new CopiesUnderWay(List.of(), Map.of(), Map.of());
  }

  /**
   * A copy that is whole. What was measured of links still holds its bytes for a while.
   *
   * @param copy as it was last known
   * @param atMs when that was noticed
   */
  record ArrivedCopy(RunningCopy copy, long atMs) {}

  private final ReconstructionQueue queue;
  private final RecoveryCounts counts;
  private final CopyLimits limits;
  private final long answerMs;
  private final StocksShare share;
  private final CopyDeadlines deadlines;
  private final List<ArrivedCopy> arrived = new ArrayList<>();
  private volatile List<RunningCopy> all = List.of();

  /**
   * @param share told of blocks whose copies are ended for no other
   * @param answerMs how long an agent may take to say that a copy has ended
   */
  RunningCopies(
      ReconstructionQueue queue,
      RecoveryCounts counts,
      CopyLimits limits,
      StocksShare share,
      long answerMs) {
    this.queue = queue;
    this.counts = counts;
    this.limits = limits;
    this.share = share;
    this.answerMs = answerMs;
    deadlines = new CopyDeadlines(queue, limits, counts);
  }

  List<RunningCopy> all() {
    return all;
  }

  void replace(List<RunningCopy> copies) {
    all = List.copyOf(copies);
  }

  /**
   * Looks how they stand; those whose source or target is dead are taken back, and those that have
   * ended give way to others.
   */
  void settle(long term, long nowMs) {
    List<RunningCopy> left = new ArrayList<>();
    List<RunningCopy> ended = new ArrayList<>();
    arrived.removeIf(copy -> limits.isPast(copy, nowMs));
    Map<CopyState, List<RunningCopy>> now = queue.byState(all, RunningCopy::copy);
    for (RunningCopy copy : now.get(CopyState.UNDER_WAY)) {
      RunningCopy heard = heard(copy, nowMs);
      (heard.isEnded() ? ended : left).add(heard);
    }
    over(now);
    now.get(CopyState.ARRIVED).forEach(copy -> arrived.add(new ArrivedCopy(copy, nowMs)));
    List<RunningCopy> broken = now.get(CopyState.BROKEN);
    if (!broken.isEmpty()) {
      queue.release(broken.stream().map(RunningCopy::copy).toList(), term);
    }
    broken.forEach(copy -> counts.ended(copy.copy(), CopyState.BROKEN));
    replaceEnded(ended, left, term, nowMs);
    replace(deadlines.see(left, nowMs));
  }

  /**
   * Forgets those that are over, while all of them are HDFS's to see to. Their agents forget their
   * rates and can end none of them any more: what is asked of one later would be answered for a
   * copy that goes on.
   */
  void look() {
    arrived.clear();
    Map<CopyState, List<RunningCopy>> now = queue.byState(all, RunningCopy::copy);
    over(now);
    List<RunningCopy> left = now.get(CopyState.UNDER_WAY);
    left.addAll(now.get(CopyState.BROKEN));
    left.replaceAll(RunningCopy::bound);
    replace(left);
  }

  private void over(Map<CopyState, List<RunningCopy>> now) {
    for (CopyState state : List.of(CopyState.ARRIVED, CopyState.GIVEN_UP)) {
      now.get(state).forEach(copy -> over(copy, state));
    }
  }

  private void over(RunningCopy copy, CopyState state) {
    counts.ended(copy.copy(), state);
    if (copy.restart() != null && state == CopyState.ARRIVED) {
      counts.straggled(StragglerOutcome.ARRIVED, 1);
    } else if (copy.cannotBeEnded() && state == CopyState.GIVEN_UP) {
      counts.straggled(StragglerOutcome.OUTLIVED, 1);
    }
  }

  private RunningCopy heard(RunningCopy copy, long nowMs) {
    RunningCopy now = limits.measured(copy);
    if (now.restart() == null || now.isEnded() || nowMs - now.restart().askedMs() <= answerMs) {
      return now;
    }
    counts.straggled(StragglerOutcome.NO_ANSWER, 1);
    return now.bound();
  }

  /**
   * Has others made; their rates are named before their sources may be told of them. Sources of
   * those that have ended go on being told so until HDFS has taken back its orders.
   */
  private void replaceEnded(
      List<RunningCopy> ended, List<RunningCopy> left, long term, long nowMs) {
    if (ended.isEmpty()) {
      return;
    }
    List<RunningCopy> expected = new ArrayList<>(left);
    expected.addAll(ended);
    ended.stream()
        .filter(copy -> !copy.isWithdrawn())
        .forEach(copy -> expected.add(copy.replacement(nowMs)));
    limits.apply(expected, nowMs);
    ended.stream()
        .filter(RunningCopy::isWithdrawn)
        .forEach(copy -> share.stoodStill(copy.copy().blockId(), nowMs));
    int size = Math.max(1, queue.batchSize() / RecoverySlots.PARTS_OF_A_BATCH);
    for (List<RunningCopy> part : Parts.of(ended, size)) {
      List<CopyOutcome> outcomes =
          queue.replace(
              part.stream()
                  .map(copy -> new Replacement(copy.copy(), copy.restart().instead()))
                  .toList(),
              term);
      for (int i = 0; i < outcomes.size(); i++) {
        if (isReplaced(part.get(i), outcomes.get(i))) {
          left.add(part.get(i).replacement(nowMs));
        }
      }
    }
    limits.apply(left, nowMs);
  }

  private boolean isReplaced(RunningCopy ended, CopyOutcome outcome) {
    counts.ended(ended.copy(), CopyState.CANCELLED);
    counts.tried(ended.restart().instead(), outcome);
    boolean isMade = outcome == CopyOutcome.SCHEDULED;
    counts.straggled(isMade ? StragglerOutcome.REPLACED : StragglerOutcome.REQUEUED, 1);
    return isMade;
  }

  /**
   * All of them, with what a plan must know to have some begin elsewhere.
   *
   * @param isWhole whether any of them may; else as many as are looked at under one hold of the
   *     lock, the slowest of those that are overdue first
   */
  CopiesUnderWay forPlan(Timeslot slot, long nowMs, boolean isWhole) {
    List<RunningCopy> candidates = new ArrayList<>();
    Set<Long> copiedTwice = copiedTwice();
    int unwatched = 0;
    for (RunningCopy copy : all) {
      if (limits.canEnd(copy, nowMs)) {
        boolean isNearItsEnd =
            copy.doneBytes(nowMs + (long) (1000 * slot.scheduleSec())) >= copy.copy().sizeBytes();
        if (!isNearItsEnd && !copiedTwice.contains(copy.copy().blockId())) {
          candidates.add(copy);
        }
      } else if (copy.runningSec(nowMs) > slot.lengthSec() && !limits.isWatched(copy, nowMs)) {
        unwatched++;
      }
    }
    if (isWhole) {
      counts.straggled(StragglerOutcome.NO_AGENT, unwatched);
    } else if (candidates.size() > queue.batchSize()) {
      candidates.sort(
          Comparator.comparing((RunningCopy copy) -> !copy.isOverdue(nowMs))
              .thenComparingDouble(RunningCopy::speed)
              .thenComparingLong(copy -> copy.copy().blockId()));
      candidates.subList(queue.batchSize(), candidates.size()).clear();
    }
    Map<Long, WaitingBlock> movable = new HashMap<>();
    List<PlannedCopy> copies = candidates.stream().map(RunningCopy::copy).toList();
    for (List<PlannedCopy> part : Parts.of(copies, queue.batchSize())) {
      queue.blocksOf(part).forEach(block -> movable.put(block.id(), block));
    }
    return new CopiesUnderWay(all, movable, limits.loads(all, arrived, nowMs));
  }

  /** Blocks that two DataNodes copy: where one may go depends on where the other does. */
  private Set<Long> copiedTwice() {
    Set<Long> copied = new HashSet<>();
    return all.stream()
        .map(copy -> copy.copy().blockId())
        .filter(block -> !copied.add(block))
        .collect(Collectors.toSet());
  }
}
