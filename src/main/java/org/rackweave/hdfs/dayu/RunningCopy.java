package org.rackweave.hdfs.dayu;

import org.rackweave.dayu.RecoveryBatch;

/**
 * A copy that HDFS has been told to make. How far it is, its source's agent says; without one it is
 * taken from its rate, for HDFS does not say. Immutable.
 *
 * @param copy what is copied
 * @param sinceMs monotonic time at which it was scheduled
 * @param bytesPerSec the rate it was given last
 * @param progress how far it is
 * @param restart when it is to be ended and made another way, {@code null} if it is not
 * @param endings how often it, or what replaces it, may yet be ended
 */
record RunningCopy(
    PlannedCopy copy,
    long sinceMs,
    double bytesPerSec,
    Progress progress,
    Restart restart,
    int endings) {

  /** What a block loses by copies that were ended is bounded. */
  private static final int ENDINGS_MAX = 3;

  /**
   * A source tells of a copy two heartbeats after it was ordered, six seconds by HDFS's default;
   * one that has not in so long has no place for it, and may have none for minutes.
   */
  private static final long BEGINS_WITHIN_MS = 15_000;

  /**
   * How far a copy was.
   *
   * @param doneBytes what was done of it
   * @param atMs when that was
   * @param isMeasured whether its source's agent said so: it has begun
   * @param speed of late in bytes per second, NaN where that is not known or was what it was given
   * @param plannedBytes what would have been done by its rates when it got the last of them, from
   *     when it was first heard of; before that, from when it was scheduled
   * @param plannedMs when that was
   */
  private record Progress(
      double doneBytes,
      long atMs,
      boolean isMeasured,
      double speed,
      double plannedBytes,
      long plannedMs) {

    static Progress none(long atMs) {
      return new Progress(0, atMs, false, Double.NaN, 0, atMs);
    }

    /** Its source speaks of copies, and not of it. */
    Progress notBegun(long nowMs) {
      return isMeasured
          ? new Progress(0, nowMs, false, 0, 0, nowMs)
          : new Progress(0, nowMs, false, 0, plannedBytes, plannedMs);
    }

    static Progress first(double bytes, long atMs) {
      return new Progress(bytes, atMs, true, Double.NaN, bytes, atMs);
    }

    Progress then(double bytes, long nowMs) {
      double now = Math.max(0, bytes - doneBytes) * 1000 / Math.max(1, nowMs - atMs);
      double ofLate = Double.isNaN(speed) ? now : (speed + now) / 2;
      return new Progress(bytes, nowMs, true, ofLate, plannedBytes, plannedMs);
    }

    double plannedBytes(double bytesPerSec, long nowMs) {
      return plannedBytes + bytesPerSec * (nowMs - plannedMs) / 1000.0;
    }
  }

  /**
   * What is to become of a copy that another is to replace.
   *
   * @param instead the other; the copy itself where it is to end and its block to wait again
   * @param askedMs when the source's agent was first to end it
   * @param isAgreed whether the agent said that it will never be complete
   */
  record Restart(PlannedCopy instead, long askedMs, boolean isAgreed) {}

  static RunningCopy begun(PlannedCopy copy, long nowMs) {
    return new RunningCopy(
        copy, nowMs, copy.bytesPerSec(), Progress.none(nowMs), null, ENDINGS_MAX);
  }

  /** How much of it should be done. */
  long doneBytes(long nowMs) {
    double since = speed() * Math.max(0, nowMs - progress.atMs()) / 1000.0;
    return (long) Math.min(copy.sizeBytes(), progress.doneBytes() + since);
  }

  /** How much of it its source's agent has said is done, or should be where there is none. */
  long toldBytes() {
    return (long) progress.doneBytes();
  }

  /** How fast it is of late; the rate where that is not known, or was what it went by. */
  double speed() {
    return Double.isNaN(progress.speed()) ? bytesPerSec : progress.speed();
  }

  /** Whether something other than its rate makes it slow. */
  boolean isHeldUp() {
    return isMeasured() && RecoveryBatch.isHeldUp(speed(), bytesPerSec);
  }

  /** What it should be taking of its links. */
  double loadBytesPerSec(long nowMs) {
    return doneBytes(nowMs) < copy.sizeBytes() ? speed() : 0;
  }

  double runningSec(long nowMs) {
    return (nowMs - sinceMs) / 1000.0;
  }

  /** Whether its source's agent has said that it has begun. */
  boolean isMeasured() {
    return progress.isMeasured();
  }

  /** Whether by its rates it should be done, and is not. */
  boolean isOverdue(long nowMs) {
    return (isMeasured() || isWaitedFor(nowMs))
        && progress.plannedBytes(bytesPerSec, nowMs) >= copy.sizeBytes()
        && doneBytes(nowMs) < copy.sizeBytes();
  }

  /** Whether its source, which speaks of copies, should have told of it. */
  private boolean isWaitedFor(long nowMs) {
    return progress.speed() == 0 && nowMs - sinceMs > BEGINS_WITHIN_MS;
  }

  /** Whether it can be ended, if its agent still speaks. */
  boolean canBeCancelled(long nowMs) {
    return (isMeasured() || isOverdue(nowMs)) && restart == null && endings > 0;
  }

  /** When it was last heard of; before it has begun, when it was given its rate. */
  long heardMs() {
    return progress.atMs();
  }

  /** It with what its source says is done of it. */
  RunningCopy with(long measuredBytes, long atMs) {
    double bytes = Math.min(copy.sizeBytes(), measuredBytes);
    return with(isMeasured() ? progress.then(bytes, atMs) : Progress.first(bytes, atMs));
  }

  /** It, of which its source knows nothing yet, or no more. */
  RunningCopy notBegun(long atMs) {
    return with(progress.notBegun(atMs));
  }

  /**
   * It at another rate. One that went by the old rate will go by the new one; one that something
   * else held up is as fast as it was, at most.
   */
  RunningCopy at(double newBytesPerSec, long nowMs) {
    double planned = progress.plannedBytes(bytesPerSec, nowMs);
    Progress since;
    if (isMeasured()) {
      double speed = isHeldUp() ? Math.min(speed(), newBytesPerSec) : Double.NaN;
      since = new Progress(progress.doneBytes(), progress.atMs(), true, speed, planned, nowMs);
    } else {
      since = new Progress(doneBytes(nowMs), nowMs, false, progress.speed(), planned, nowMs);
    }
    return new RunningCopy(copy, sinceMs, newBytesPerSec, since, restart, endings);
  }

  /** It, to be ended for another. */
  RunningCopy toBeReplaced(PlannedCopy instead, long nowMs) {
    return with(new Restart(instead, nowMs, false));
  }

  /** It, which its source has ended, if it was to. */
  RunningCopy ended() {
    return restart == null ? this : with(new Restart(restart.instead(), restart.askedMs(), true));
  }

  /** It, which goes on because nothing was heard of its end, or nobody could end it now. */
  RunningCopy bound() {
    return new RunningCopy(copy, sinceMs, bytesPerSec, progress, null, 0);
  }

  /** What replaces it. */
  RunningCopy replacement(long nowMs) {
    PlannedCopy instead = restart.instead();
    return new RunningCopy(
        instead, nowMs, instead.bytesPerSec(), Progress.none(nowMs), null, endings - 1);
  }

  /** Whether it ends for no other: its block waits again. */
  boolean isWithdrawn() {
    return restart != null && restart.instead() == copy;
  }

  /** Whether its source has ended it. */
  boolean isEnded() {
    return restart != null && restart.isAgreed();
  }

  /** Whether it has begun, and its source was asked in vain to end it or is not asked any more. */
  boolean cannotBeEnded() {
    return isMeasured() && (restart != null || endings == 0);
  }

  private RunningCopy with(Progress other) {
    return new RunningCopy(copy, sinceMs, bytesPerSec, other, restart, endings);
  }

  private RunningCopy with(Restart other) {
    return new RunningCopy(copy, sinceMs, bytesPerSec, progress, other, endings);
  }
}
