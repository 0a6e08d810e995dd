package org.rackweave.sim.reading;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A server's reads worked out the slow way: every read's bytes are counted down one by one. */
final class TextbookServer {
  record Asked(double atSec, double sizeBytes) {}

  private static final class Reading {
    final int number;
    double leftBytes;

    Reading(int number, double leftBytes) {
      this.number = number;
      this.leftBytes = leftBytes;
    }
  }

  private TextbookServer() {}

  /**
   * When each read ends, in seconds.
   *
   * @param reads in the order of their arrival
   */
  static double[] ends(int places, double bytesPerSec, List<Asked> reads) {
    double[] ends = new double[reads.size()];
    List<Reading> served = new ArrayList<>();
    Deque<Reading> waiting = new ArrayDeque<>();
    double now = 0;
    int next = 0;
    while (next < reads.size() || !served.isEmpty()) {
      double least = served.stream().mapToDouble(one -> one.leftBytes).min().orElse(Double.NaN);
      double endsIn = served.isEmpty() ? Double.MAX_VALUE : least * served.size() / bytesPerSec;
      double comesIn = next < reads.size() ? reads.get(next).atSec() - now : Double.MAX_VALUE;
      double step = Math.min(endsIn, comesIn);
      for (Reading one : served) {
        one.leftBytes -= step * bytesPerSec / served.size();
      }
      now += step;
      if (comesIn < endsIn) {
        waiting.add(new Reading(next, reads.get(next).sizeBytes()));
        next++;
      }
      for (Reading one : List.copyOf(served)) {
        if (one.leftBytes < 1e-6) {
          ends[one.number] = now;
          served.remove(one);
        }
      }
      while (served.size() < places && !waiting.isEmpty()) {
        served.add(waiting.poll());
      }
    }
    return ends;
  }
}
