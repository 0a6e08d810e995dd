package org.rackweave.hdfs.dayu;

/**
 * A copy that HDFS has been told to make. How far it is, its source's agent says; without one it is
 * taken from its rate, for HDFS does not say. Immutable.
 *
 * @param copy what is copied
 * @param sinceMs monotonic time at which it was scheduled
 * @param doneBytes what was done of it when its rate changed or its source spoke last
 * @param rateSinceMs when that was
 * @param bytesPerSec its rate since
 */
record RunningCopy(
    PlannedCopy copy, long sinceMs, double doneBytes, long rateSinceMs, double bytesPerSec) {

  static RunningCopy begun(PlannedCopy copy, long nowMs) {
    return new RunningCopy(copy, nowMs, 0, nowMs, copy.bytesPerSec());
  }

  /** How much of it should be done. */
  long doneBytes(long nowMs) {
    double since = bytesPerSec * (nowMs - rateSinceMs) / 1000.0;
    return (long) Math.min(copy.sizeBytes(), doneBytes + since);
  }

  /** What it should be taking of its links. */
  double loadBytesPerSec(long nowMs) {
    return doneBytes(nowMs) < copy.sizeBytes() ? bytesPerSec : 0;
  }

  double runningSec(long nowMs) {
    return (nowMs - sinceMs) / 1000.0;
  }

  /** It with what its source says is done of it. */
  RunningCopy with(long measuredBytes, long atMs) {
    return new RunningCopy(
        copy, sinceMs, Math.min(copy.sizeBytes(), measuredBytes), atMs, bytesPerSec);
  }

  RunningCopy at(double newBytesPerSec, long nowMs) {
    return new RunningCopy(copy, sinceMs, doneBytes(nowMs), nowMs, newBytesPerSec);
  }
}
