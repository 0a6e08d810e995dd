package org.rackweave.sim.reading;

import java.util.Map;
import org.rackweave.eafr.Action;
import org.rackweave.sim.statistics.Sample;

/**
 * What one system did with one load.
 *
 * @param latencies of the reads after the warm-up
 * @param waitingAtEnd reads that nobody had begun to serve at the end
 * @param utilisation of each server in each ten minutes the highest of ten looks (section 4.1.4)
 * @param overhead of each update its latency in ms, summed over replicas, times its size in MB
 *     (section 4)
 * @param storedBytes all replicas at the end
 * @param replicas where they were
 * @param power what was drawn after the warm-up
 * @param cold servers asleep at the end
 * @param changes that EAFR carried out; empty for others
 * @param readFactor replicas of a file, averaged over reads
 */
public record ReadRecord(
    LatencyLog latencies,
    long waitingAtEnd,
    Sample utilisation,
    Sample overhead,
    double storedBytes,
    ReplicaMap replicas,
    Power power,
    int cold,
    Map<Action, Integer> changes,
    double readFactor) {

  /** A server above this part of its places is overloaded (section 4). */
  private static final double OVERLOADED = 0.8;

  /**
   * Kilowatt-hours a day, all servers together.
   *
   * @param drawn with a sleeping server at table 2's 0 %
   * @param allOn had nobody slept
   * @param drawnNapping with a sleeping server at the draw of {@link ReadRun#NAP_WATTS}
   */
  public record Power(double drawn, double allOn, double drawnNapping) {}

  /** Part of the servers that are overloaded, over all tens of minutes. */
  public double overloadedShare() {
    double[] values = utilisation.values();
    int count = 0;
    for (double value : values) {
      count += value > OVERLOADED ? 1 : 0;
    }
    return count / (double) values.length;
  }
}
