package org.rackweave.hdfs.dayu;

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
   * How far a copy was.
   *
   * @param doneBytes what was done of it
   * @param atMs when that was
   * @param isMeasured whether its source's agent said so: it has begun
   * @param rateDoneBytes what was done when it got its rate, or when it was first heard of with it
   * @param rateSinceMs when that was
   */
  private record Progress(
      double doneBytes, long atMs, boolean isMeasured, double rateDoneBytes, long rateSinceMs) {

    static Progress none(long atMs) {
      return new Progress(0, atMs, false, 0, atMs);
    }

    Progress from(double bytes, long sinceMs) {
      return new Progress(bytes, sinceMs, isMeasured, bytes, sinceMs);
    }
  }

  /**
   * What is to become of a copy that another is to replace.
   *
   * @param instead the other
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
    double since = speed() * (nowMs - progress.atMs()) / 1000.0;
    return (long) Math.min(copy.sizeBytes(), progress.doneBytes() + since);
  }

  /** How fast it is since it got its rate; the rate where that is not known. */
  double speed() {
    long ms = progress.atMs() - progress.rateSinceMs();
    return progress.isMeasured() && ms > 0
        ? Math.max(0, progress.doneBytes() - progress.rateDoneBytes()) * 1000 / ms
        : bytesPerSec;
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

  /** Whether by its rate it should be done, and is not. */
  boolean isOverdue(long nowMs) {
    double planned =
        progress.rateDoneBytes() + bytesPerSec * (nowMs - progress.rateSinceMs()) / 1000.0;
    return isMeasured() && planned >= copy.sizeBytes() && doneBytes(nowMs) < copy.sizeBytes();
  }

  /** Whether it can be ended, if its agent still speaks. */
  boolean canBeCancelled() {
    return isMeasured() && restart == null && endings > 0;
  }

  /** When it was last heard of, or when it was given its rate. */
  long heardMs() {
    return progress.atMs();
  }

  /** It with what its source says is done of it. */
  RunningCopy with(long measuredBytes, long atMs) {
    double bytes = Math.min(copy.sizeBytes(), measuredBytes);
    return with(
        isMeasured()
            ? new Progress(bytes, atMs, true, progress.rateDoneBytes(), progress.rateSinceMs())
            : new Progress(bytes, atMs, true, bytes, atMs));
  }

  /** It, of which its source knows nothing yet, or no more. */
  RunningCopy notBegun(long atMs) {
    return with(Progress.none(atMs));
  }

  /** It at another rate. */
  RunningCopy at(double newBytesPerSec, long nowMs) {
    Progress since =
        isMeasured()
            ? progress.from(progress.doneBytes(), progress.atMs())
            : progress.from(doneBytes(nowMs), nowMs);
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

  /** It, which goes on because nothing was heard of its end. */
  RunningCopy bound() {
    return new RunningCopy(copy, sinceMs, bytesPerSec, progress, null, 0);
  }

  /** What replaces it. */
  RunningCopy replacement(long nowMs) {
    PlannedCopy instead = restart.instead();
    return new RunningCopy(
        instead, nowMs, instead.bytesPerSec(), Progress.none(nowMs), null, endings - 1);
  }

  /** Whether its source has ended it. */
  boolean isEnded() {
    return restart != null && restart.isAgreed();
  }

  private RunningCopy with(Progress other) {
    return new RunningCopy(copy, sinceMs, bytesPerSec, other, restart, endings);
  }

  private RunningCopy with(Restart other) {
    return new RunningCopy(copy, sinceMs, bytesPerSec, progress, other, endings);
  }
}
