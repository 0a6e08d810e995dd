package org.rackweave.telemetry;

/**
 * How often one DataNode may report out of turn: at most once a second, and in the long run once in
 * twenty regular heartbeats, so that a cluster has at most {@value #SHARE_PERCENT} % more of them
 * however its links' loads change. A few that were not used are kept.
 *
 * <p>Not thread-safe.
 */
public final class EarlyReportBudget {
  private static final int SHARE_PERCENT = 5;
  private static final double MOST_KEPT = 3;
  private static final double AT_FIRST = 1;
  private static final long LEAST_APART_NANOS = 1_000_000_000;

  private final double earnedPerNano;
  private final long startNanos;
  private double kept = AT_FIRST;
  private long countedNanos;
  private long takenNanos;
  private boolean isTaken;

  /**
   * @param heartbeatIntervalMs of regular heartbeats, at least 1
   * @param nowNanos monotonic time
   */
  public EarlyReportBudget(long heartbeatIntervalMs, long nowNanos) {
    earnedPerNano = SHARE_PERCENT / 100.0 / (heartbeatIntervalMs * 1e6);
    startNanos = nowNanos;
  }

  /** Whether there may be a report out of turn now. */
  public boolean allows(long nowNanos) {
    long sinceStart = nowNanos - startNanos;
    if (sinceStart > countedNanos) {
      kept = Math.min(MOST_KEPT, kept + (sinceStart - countedNanos) * earnedPerNano);
      countedNanos = sinceStart;
    }
    return kept >= 1 && !(isTaken && nowNanos - takenNanos < LEAST_APART_NANOS);
  }

  /** Says that there was one. */
  public void take(long nowNanos) {
    kept--;
    takenNanos = nowNanos;
    isTaken = true;
  }
}
