package org.rackweave.dayu;

/**
 * How far a copy under way is, and how far it should be: what a plan is told of it. A copy of which
 * nobody tells is taken to go at its rate. Immutable.
 *
 * @param sizeBytes of the block
 * @param sinceMs when it was ordered
 * @param rateBytesPerSec the rate it was given last
 * @param toldBytes what was done of it when it was last heard of
 * @param heardMs when that was; before it has begun, when it was given its rate
 * @param isMeasured whether its source said so: it has begun
 * @param ofLateBytesPerSec its speed, NaN where that is not known or was its rate
 * @param plannedBytes what would have been done by its rates when it got the last of them, from
 *     when it was first heard of; before that, from when it was ordered
 * @param plannedMs when that was
 * @param plannedAtHeard what would have been done by its rates when it was last heard of
 */
public record CopyProgress(
    long sizeBytes,
    long sinceMs,
    double rateBytesPerSec,
    double toldBytes,
    long heardMs,
    boolean isMeasured,
    double ofLateBytesPerSec,
    double plannedBytes,
    long plannedMs,
    double plannedAtHeard) {

  /**
   * A source tells of a copy two heartbeats after it was ordered, six seconds by HDFS's default;
   * one that has not in so long has no place for it, and may have none for minutes.
   */
  private static final long BEGINS_WITHIN_MS = 15_000;

  /** A copy that has just been ordered. */
  public static CopyProgress ordered(long sizeBytes, double rateBytesPerSec, long nowMs) {
    return new CopyProgress(
        sizeBytes, nowMs, rateBytesPerSec, 0, nowMs, false, Double.NaN, 0, nowMs, 0);
  }

  /** It with what its source says is done of it. */
  public CopyProgress with(long measuredBytes, long nowMs) {
    double bytes = Math.min(sizeBytes, measuredBytes);
    if (!isMeasured) {
      return new CopyProgress(
          sizeBytes, sinceMs, rateBytesPerSec, bytes, nowMs, true, Double.NaN, bytes, nowMs, bytes);
    }
    double moved = Math.max(0, bytes - toldBytes);
    double byRates = plannedBytes(nowMs) - plannedAtHeard;
    // What went by another rate for a part of the time is not held up.
    double now =
        byRates > 0
            ? rateBytesPerSec * moved / byRates
            : moved * 1000 / Math.max(1, nowMs - heardMs);
    double ofLate = Double.isNaN(ofLateBytesPerSec) ? now : (ofLateBytesPerSec + now) / 2;
    return new CopyProgress(
        sizeBytes,
        sinceMs,
        rateBytesPerSec,
        bytes,
        nowMs,
        true,
        ofLate,
        plannedBytes,
        plannedMs,
        plannedBytes(nowMs));
  }

  /** It, of which its source, which speaks of copies, knows nothing yet, or no more. */
  public CopyProgress notBegun(long nowMs) {
    return new CopyProgress(
        sizeBytes,
        sinceMs,
        rateBytesPerSec,
        0,
        nowMs,
        false,
        0,
        isMeasured ? 0 : plannedBytes,
        isMeasured ? nowMs : plannedMs,
        0);
  }

  /**
   * It at another rate. One that went by the old rate will go by the new one; one that something
   * else held up is as fast as it was, at most.
   */
  public CopyProgress at(double newBytesPerSec, long nowMs) {
    double planned = plannedBytes(nowMs);
    if (isMeasured) {
      double ofLate = isHeldUp() ? Math.min(speedBytesPerSec(), newBytesPerSec) : Double.NaN;
      return new CopyProgress(
          sizeBytes,
          sinceMs,
          newBytesPerSec,
          toldBytes,
          heardMs,
          true,
          ofLate,
          planned,
          nowMs,
          plannedAtHeard);
    }
    return new CopyProgress(
        sizeBytes,
        sinceMs,
        newBytesPerSec,
        doneBytes(nowMs),
        nowMs,
        false,
        ofLateBytesPerSec,
        planned,
        nowMs,
        planned);
  }

  /** How much of it should be done. */
  public long doneBytes(long nowMs) {
    double since = speedBytesPerSec() * Math.max(0, nowMs - heardMs) / 1000.0;
    return (long) Math.min(sizeBytes, toldBytes + since);
  }

  /** How fast it is of late; the rate where that is not known, or was what it went by. */
  public double speedBytesPerSec() {
    return Double.isNaN(ofLateBytesPerSec) ? rateBytesPerSec : ofLateBytesPerSec;
  }

  /** Whether something other than its rate makes it slow. */
  public boolean isHeldUp() {
    return isMeasured && RecoveryBatch.isHeldUp(speedBytesPerSec(), rateBytesPerSec);
  }

  /** For how long it has been under way. */
  public double runningSec(long nowMs) {
    return (nowMs - sinceMs) / 1000.0;
  }

  /** Whether by its rates it should be done, and is not. */
  public boolean isOverdue(long nowMs) {
    return (isMeasured || isWaitedFor(nowMs))
        && plannedBytes(nowMs) >= sizeBytes
        && doneBytes(nowMs) < sizeBytes;
  }

  /** Whether its source, which speaks of copies, should have told of it. */
  private boolean isWaitedFor(long nowMs) {
    return ofLateBytesPerSec == 0 && nowMs - sinceMs > BEGINS_WITHIN_MS;
  }

  private double plannedBytes(long nowMs) {
    return plannedBytes + rateBytesPerSec * (nowMs - plannedMs) / 1000.0;
  }

  /**
   * Says it of the last task of a batch.
   *
   * @param mayMove whether it can begin elsewhere
   */
  public void addTo(
      RecoveryBatch.Builder batch, int source, int destination, long nowMs, boolean mayMove) {
    long done = Math.min(doneBytes(nowMs), Math.max(1, sizeBytes));
    batch.running(source, destination, done, runningSec(nowMs)).speed(speedBytesPerSec());
    if (isMeasured) {
      batch.rate(rateBytesPerSec);
    }
    if (!mayMove) {
      batch.bound();
    } else if (isOverdue(nowMs)) {
      batch.overdue();
    }
  }
}
