package org.rackweave.hdfs.eafr;

/** The moving average of a value of each server, and its peak in the current window. */
final class AveragePeaks {
  private final float weight;
  private float[] average = {};
  private float[] peak = {};

  /**
   * @param weight of what is added against what was there, above 0 to 1
   */
  AveragePeaks(float weight) {
    this.weight = weight;
  }

  void add(int node, float value) {
    average[node] += weight * (value - average[node]);
    peak[node] = Math.max(peak[node], average[node]);
  }

  float average(int node) {
    return average[node];
  }

  float peak(int node) {
    return peak[node];
  }

  /** A window is over: the next begins with what is now. */
  void endWindow() {
    peak = average.clone();
  }

  /**
   * The cluster has changed.
   *
   * @param oldNumbers of each server that is there now its number before, -1 for a new one
   */
  void renumber(int[] oldNumbers) {
    average = renumbered(average, oldNumbers);
    peak = renumbered(peak, oldNumbers);
  }

  private static float[] renumbered(float[] values, int[] oldNumbers) {
    float[] next = new float[oldNumbers.length];
    for (int node = 0; node < next.length; node++) {
      next[node] = oldNumbers[node] < 0 ? 0 : values[oldNumbers[node]];
    }
    return next;
  }
}
