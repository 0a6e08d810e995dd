package org.rackweave.cli.experiment;

import java.util.Set;

/**
 * What every DataNode received in one window of time.
 *
 * @param startMs milliseconds since the run began
 * @param lengthMs milliseconds of the window
 * @param receivedBytesPerSec by DataNode
 * @param hotRacks racks with background load when the window began
 */
public record LinkWindow(
    long startMs, long lengthMs, double[] receivedBytesPerSec, Set<Integer> hotRacks) {

  /** Whether the whole window lies between two times, in milliseconds since the run began. */
  public boolean isWithin(long fromMs, long toMs) {
    return startMs >= fromMs && startMs + lengthMs <= toMs;
  }
}
