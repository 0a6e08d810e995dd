package org.rackweave.hdfs.dayu;

import org.rackweave.dayu.CopyProgress;

/**
 * A copy that HDFS has been told to make. How far it is, its source's agent says; without one it is
 * taken from its rate, for HDFS does not say. Immutable.
 *
 * @param copy what is copied
 * @param progress how far it is
 * @param restart when it is to be ended and made another way, {@code null} if it is not
 * @param endings how often it, or what replaces it, may yet be ended
 */
record RunningCopy(PlannedCopy copy, CopyProgress progress, Restart restart, int endings) {

  /** What a block loses by copies that were ended is bounded. */
  private static final int ENDINGS_MAX = 3;

  /**
   * What is to become of a copy that another is to replace.
   *
   * @param instead the other; the copy itself where it is to end and its block to wait again
   * @param askedMs when the source's agent was first to end it
   * @param isAgreed whether the agent said that it will never be complete
   */
  record Restart(PlannedCopy instead, long askedMs, boolean isAgreed) {}

  static RunningCopy begun(PlannedCopy copy, long nowMs) {
    return new RunningCopy(copy, ordered(copy, nowMs), null, ENDINGS_MAX);
  }

  private static CopyProgress ordered(PlannedCopy copy, long nowMs) {
    return CopyProgress.ordered(copy.sizeBytes(), copy.bytesPerSec(), nowMs);
  }

  /** Monotonic time at which it was scheduled. */
  long sinceMs() {
    return progress.sinceMs();
  }

  /** The rate it was given last. */
  double bytesPerSec() {
    return progress.rateBytesPerSec();
  }

  /** How much of it should be done. */
  long doneBytes(long nowMs) {
    return progress.doneBytes(nowMs);
  }

  /** How much of it its source's agent has said is done, or should be where there is none. */
  long toldBytes() {
    return (long) progress.toldBytes();
  }

  /** How fast it is of late; the rate where that is not known, or was what it went by. */
  double speed() {
    return progress.speedBytesPerSec();
  }

  /** Whether something other than its rate makes it slow. */
  boolean isHeldUp() {
    return progress.isHeldUp();
  }

  /** What it should be taking of its links. */
  double loadBytesPerSec(long nowMs) {
    return doneBytes(nowMs) < copy.sizeBytes() ? speed() : 0;
  }

  double runningSec(long nowMs) {
    return progress.runningSec(nowMs);
  }

  /** Whether its source's agent has said that it has begun. */
  boolean isMeasured() {
    return progress.isMeasured();
  }

  /** Whether by its rates it should be done, and is not. */
  boolean isOverdue(long nowMs) {
    return progress.isOverdue(nowMs);
  }

  /** Whether it can be ended, if its agent still speaks. */
  boolean canBeCancelled(long nowMs) {
    return (isMeasured() || isOverdue(nowMs)) && restart == null && endings > 0;
  }

  /** When it was last heard of; before it has begun, when it was given its rate. */
  long heardMs() {
    return progress.heardMs();
  }

  /** It with what its source says is done of it. */
  RunningCopy with(long measuredBytes, long atMs) {
    return with(progress.with(measuredBytes, atMs));
  }

  /** It, of which its source knows nothing yet, or no more. */
  RunningCopy notBegun(long atMs) {
    return with(progress.notBegun(atMs));
  }

  /** It at another rate. */
  RunningCopy at(double newBytesPerSec, long nowMs) {
    return with(progress.at(newBytesPerSec, nowMs));
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
    return new RunningCopy(copy, progress, null, 0);
  }

  /** What replaces it. */
  RunningCopy replacement(long nowMs) {
    PlannedCopy instead = restart.instead();
    return new RunningCopy(instead, ordered(instead, nowMs), null, endings - 1);
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

  private RunningCopy with(CopyProgress other) {
    return new RunningCopy(copy, other, restart, endings);
  }

  private RunningCopy with(Restart other) {
    return new RunningCopy(copy, progress, other, endings);
  }
}
