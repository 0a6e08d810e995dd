package org.rackweave.eafr;

import java.util.Arrays;
import org.rackweave.model.Require;

/**
 * How fast files get to each server, from how long recent ones took (section 3.3, Eq. 9).
 *
 * <p>In each time window the bytes and the time of the transfers that ended are added up; when it
 * closes, Y is their quotient and V = alpha * Y + (1 - alpha) * V. The first Y is taken as it is. A
 * window without a transfer leaves V alone. Example: alpha 0.3, V 100 MB/s and a window at 50 give
 * 85.
 *
 * <p>Soft state, lost with the process; 24 bytes a server. Thread-safe.
 */
public final class TransferSpeeds {
  private volatile double alpha;
  private double[] bytesPerSec;
  private double[] windowBytes;
  private double[] windowSeconds;

  /**
   * @param alpha weight of the last window, in (0, 1)
   */
  public TransferSpeeds(int nodes, double alpha) {
    weigh(alpha);
    bytesPerSec = unknown(nodes);
    windowBytes = new double[nodes];
    windowSeconds = new double[nodes];
  }

  /**
   * Has windows that end from now on count otherwise.
   *
   * @param latest weight of the last window, in (0, 1)
   */
  public void weigh(double latest) {
    Require.fraction("alpha", latest);
    alpha = latest;
  }

  private static double[] unknown(int nodes) {
    double[] speeds = new double[nodes];
    Arrays.fill(speeds, Double.NaN);
    return speeds;
  }

  /** A transfer to a server has ended; one too short to be timed is left out. */
  public synchronized void completed(int node, long bytes, long nanos) {
    if (bytes > 0 && nanos > 0) {
      windowBytes[node] += bytes;
      windowSeconds[node] += nanos / 1e9;
    }
  }

  /** The time window is over. */
  public synchronized void endWindow() {
    for (int node = 0; node < bytesPerSec.length; node++) {
      if (windowSeconds[node] > 0) {
        double measured = windowBytes[node] / windowSeconds[node];
        double before = bytesPerSec[node];
        bytesPerSec[node] =
            Double.isNaN(before) ? measured : alpha * measured + (1 - alpha) * before;
        windowBytes[node] = 0;
        windowSeconds[node] = 0;
      }
    }
  }

  /**
   * Expected speed to each server in bytes per second. Servers nobody has sent to yet count as the
   * mean of the others, so that they are neither flooded nor forgotten.
   */
  public synchronized double[] expected() {
    double mean =
        Arrays.stream(bytesPerSec).filter(speed -> !Double.isNaN(speed)).average().orElse(1);
    return Arrays.stream(bytesPerSec).map(speed -> Double.isNaN(speed) ? mean : speed).toArray();
  }

  /**
   * The cluster has changed.
   *
   * @param oldNumbers of each server that is there now its number before, -1 for a new one
   */
  public synchronized void renumber(int[] oldNumbers) {
    double[] speeds = unknown(oldNumbers.length);
    double[] bytes = new double[oldNumbers.length];
    double[] seconds = new double[oldNumbers.length];
    for (int node = 0; node < oldNumbers.length; node++) {
      int old = oldNumbers[node];
      if (old >= 0) {
        speeds[node] = bytesPerSec[old];
        bytes[node] = windowBytes[old];
        seconds[node] = windowSeconds[old];
      }
    }
    bytesPerSec = speeds;
    windowBytes = bytes;
    windowSeconds = seconds;
  }
}
