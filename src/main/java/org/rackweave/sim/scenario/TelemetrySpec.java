package org.rackweave.sim.scenario;

/**
 * What the NameNode comes to know of links, and when.
 *
 * @param intervalMs time between two reports of a node, the paper's Delta
 * @param jitterMs each interval is longer or shorter by up to this much, less than the interval
 * @param delayMs how long a report travels
 * @param loss fraction of reports that never arrive, 0 to 1
 * @param alpha weight of a new measurement in the moving average, above 0 and at most 1
 * @param staleIntervals after this many intervals without a report a link counts as fully loaded
 */
public record TelemetrySpec(
    long intervalMs, long jitterMs, long delayMs, double loss, double alpha, int staleIntervals) {}
