package org.rackweave.cli.demo.cluster;

import java.util.Set;

/**
 * What every DataNode received in one window of time.
 *
 * @param startMs milliseconds since the round began
 * @param lengthMs milliseconds of the window
 * @param receivedBytesPerSec by DataNode
 * @param hotRacks racks with background load when the window began
 */
public record LinkWindow(
    long startMs, long lengthMs, double[] receivedBytesPerSec, Set<Integer> hotRacks) {}
