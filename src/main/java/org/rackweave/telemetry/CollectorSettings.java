package org.rackweave.telemetry;

/**
 * How measurements become estimates.
 *
 * @param alpha weight of the new measurement in the EWMA, in (0, 1]; the paper uses 0.2 (section
 *     6.2)
 * @param staleAfterMs age after which a link without a new measurement counts as fully loaded
 * @param futureToleranceMs how far a report's wall clock may run ahead of ours before it is dropped
 * @param warmUpMs nodes first heard of later than this after start-up re-enter as fully loaded, so
 *     that a rack just back from downtime is not flooded
 * @param hostBytesPerSec link speed of a host whose agent reports none
 * @param derived whether load may be derived from stock heartbeats where no agent reports
 */
public record CollectorSettings(
    double alpha,
    long staleAfterMs,
    long futureToleranceMs,
    long warmUpMs,
    double hostBytesPerSec,
    boolean derived) {}
