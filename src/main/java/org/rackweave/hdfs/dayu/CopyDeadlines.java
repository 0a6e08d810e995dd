package org.rackweave.hdfs.dayu;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Until when HDFS expects copies. By itself it gives one up when it has waited for {@code
 * dfs.namenode.reconstruction.pending.timeout-sec}, however far the copy is, and has the block
 * copied again beside it.
 *
 * <p>A copy that its source's agent says goes on is expected for as long again. It has to have done
 * a part of its block since, so that nobody holds a block for ever by telling of next to nothing:
 * {@value #PARTS} times at most. One that stands still is ended at its source first, and its block
 * waits again. Until its agent has answered, or has had its time to, the copy is expected: it may
 * yet arrive, and is not made twice. If there is no answer, it is HDFS's to judge, like a copy
 * without an agent, of which nothing is known.
 *
 * <p>Single-threaded. Soft state, of copies under way.
 */
final class CopyDeadlines {
  private static final int PARTS = 16;

  /** HDFS is told that a copy goes on in every so many-th part of its time. */
  private static final int LOOKS = 4;

  private final ReconstructionQueue queue;
  private final CopyLimits limits;
  private final RecoveryCounts counts;

  /** How far copies were when HDFS began to wait for them. */
  private Map<PlannedCopy, Since> expected = new IdentityHashMap<>();

  private record Since(long atMs, long doneBytes) {}

  CopyDeadlines(ReconstructionQueue queue, CopyLimits limits, RecoveryCounts counts) {
    this.queue = queue;
    this.limits = limits;
    this.counts = counts;
  }

  /**
   * Sees to copies under way.
   *
   * @return them, of which some are to be ended
   */
  List<RunningCopy> see(List<RunningCopy> running, long nowMs) {
    long timeoutMs = queue.pendingTimeoutMs();
    Map<PlannedCopy, Since> now = new IdentityHashMap<>();
    List<PlannedCopy> goOn = new ArrayList<>();
    List<RunningCopy> left = new ArrayList<>(running.size());
    for (RunningCopy copy : running) {
      Since since = expected.getOrDefault(copy.copy(), new Since(copy.sinceMs(), 0));
      long waitedMs = nowMs - since.atMs();
      long part = Math.max(1, copy.copy().sizeBytes() / PARTS);
      boolean isTold = copy.isMeasured() && limits.isWatched(copy, nowMs);
      boolean isToAnswer = copy.restart() != null;
      boolean isTime = waitedMs >= timeoutMs / LOOKS;
      if (isTold && isTime && (isToAnswer || copy.toldBytes() - since.doneBytes() >= part)) {
        since = new Since(nowMs, copy.toldBytes());
        goOn.add(copy.copy());
        left.add(copy);
      } else if (isTold
          && waitedMs >= timeoutMs * (LOOKS - 1) / LOOKS
          && limits.canEnd(copy, nowMs)) {
        counts.straggled(StragglerOutcome.ASKED_TO_END, 1);
        left.add(copy.toBeReplaced(copy.copy(), nowMs));
      } else {
        left.add(copy);
      }
      now.put(copy.copy(), since);
    }
    expected = now;
    if (!goOn.isEmpty()) {
      queue.expectOn(goOn);
    }
    return left;
  }
}
