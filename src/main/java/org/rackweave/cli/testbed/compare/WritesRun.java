package org.rackweave.cli.testbed.compare;

import java.util.List;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.LinkWindow;
import org.rackweave.cli.experiment.WriteRun;

/**
 * One run of writes.
 *
 * @param hotPeriodMs how long racks stayed hot before the load moved on
 * @param measured what the figures are made of
 * @param whileWritten its blocks, classed by the racks that were hot at any moment while they were
 *     written; those measured are classed by the racks that were hot when they were due
 * @param uplinkWindows what every rack received from the core, from the beginning to the end
 * @param uplinkWindowsWithArrivals the same while writes began
 * @param backgroundUpBytes background load that reached the sink
 * @param backgroundDownBytes background load that reached the racks
 * @param latestStartSeconds the longest that a write began after its time
 * @param heartbeatsOfRegular heartbeats with a report, those brought forward among them, over those
 *     that would have come at regular intervals
 */
record WritesRun(
    int hotPeriodMs,
    WriteRun measured,
    List<BlockWrite> whileWritten,
    List<LinkWindow> uplinkWindows,
    List<LinkWindow> uplinkWindowsWithArrivals,
    long backgroundUpBytes,
    long backgroundDownBytes,
    double latestStartSeconds,
    double heartbeatsOfRegular) {}
