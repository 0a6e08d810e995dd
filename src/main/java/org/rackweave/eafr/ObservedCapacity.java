package org.rackweave.eafr;

import java.util.Arrays;
import org.rackweave.model.Require;

/**
 * The service capacity of servers nobody configured it for: the most reads each was seen to serve
 * at a time, never less than what is assumed of all. The peak fades, so that a server that has
 * become slower is believed after a while.
 *
 * <p>A heuristic: the paper measures capacities beforehand. A server that was never busy counts as
 * the assumed one, which makes it look overloaded early rather than late. Soft state, four bytes a
 * server. Thread-safe.
 */
public final class ObservedCapacity {
  private final int assumed;
  private final float kept;
  private float[] peaks;

  /**
   * @param assumed concurrent reads any server can serve, at least 1
   * @param kept part of the peak above that which an interval leaves, in [0, 1]
   */
  public ObservedCapacity(int nodes, int assumed, double kept) {
    Require.atLeast("assumed service capacity", assumed, 1);
    Require.that(kept >= 0 && kept <= 1, "kept part of a peak", kept, "[0, 1]");
    this.assumed = assumed;
    this.kept = (float) kept;
    peaks = new float[nodes];
    Arrays.fill(peaks, assumed);
  }

  /**
   * Some reads were served at a time.
   *
   * @param concurrent without those that waited
   */
  public synchronized void observed(int node, int concurrent) {
    peaks[node] = Math.max(peaks[node], concurrent);
  }

  /** An interval is over. */
  public synchronized void endInterval() {
    for (int node = 0; node < peaks.length; node++) {
      peaks[node] = assumed + kept * (peaks[node] - assumed);
    }
  }

  /**
   * The cluster has changed.
   *
   * @param oldNumbers of each server that is there now its number before, -1 for a new one
   */
  public synchronized void renumber(int[] oldNumbers) {
    float[] renumbered = new float[oldNumbers.length];
    for (int node = 0; node < oldNumbers.length; node++) {
      renumbered[node] = oldNumbers[node] < 0 ? assumed : peaks[oldNumbers[node]];
    }
    peaks = renumbered;
  }

  public synchronized int of(int node) {
    return (int) peaks[node];
  }
}
