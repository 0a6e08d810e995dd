package org.rackweave.telemetry;

/**
 * How measurements become estimates.
 *
 * @param smoothing how measurements are averaged. {@link Smoothing.InTime} also takes what agents
 *     that look at their links by themselves say of this moment; {@link Smoothing.PerReport} goes
 *     by counters alone, as the paper does
 * @param staleAfterMs age after which a link without a new measurement counts as fully loaded
 * @param futureToleranceMs how far a report's wall clock may run ahead of ours before it is dropped
 * @param warmUpMs nodes first heard of later than this after start-up re-enter as fully loaded, so
 *     that a rack just back from downtime is not flooded
 * @param hostBytesPerSec link speed of a host whose agent reports none; 0: not declared
 * @param derived whether load may be derived from stock heartbeats where no agent reports
 */
public record CollectorSettings(
    Smoothing smoothing,
    long staleAfterMs,
    long futureToleranceMs,
    long warmUpMs,
    double hostBytesPerSec,
    boolean derived) {

  private static final double GIGABIT_BYTES_PER_SEC = 125e6;

  /** Link speed of a host of which nobody says one. */
  public double assumedBytesPerSec() {
    return isHostDeclared() ? hostBytesPerSec : GIGABIT_BYTES_PER_SEC;
  }

  /** Whether a link cannot be faster than is said, though it carries more. */
  boolean isHostDeclared() {
    return hostBytesPerSec > 0;
  }

  /** With the paper's moving average of a weight. */
  public CollectorSettings(
      double alpha,
      long staleAfterMs,
      long futureToleranceMs,
      long warmUpMs,
      double hostBytesPerSec,
      boolean derived) {
    this(
        new Smoothing.PerReport(alpha),
        staleAfterMs,
        futureToleranceMs,
        warmUpMs,
        hostBytesPerSec,
        derived);
  }
}
