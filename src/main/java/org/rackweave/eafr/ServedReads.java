package org.rackweave.eafr;

import java.util.HashMap;
import java.util.Map;
import org.rackweave.model.Require;

/**
 * The most reads that servers were seen to serve in an interval T.
 *
 * <p><b>Algorithm.</b> Reads are counted by server over windows of a part of T each. A server that
 * served n reads in the s-th part of T can serve n / s in all of it. Of three servers or more the
 * second busiest counts, so that none sets thresholds for all by what it tells, or by telling late.
 * The most of that is kept, and fades. Example: windows of an eighth, in one of which servers
 * served 90, 50 and 10 reads: 400 in an interval.
 *
 * <p>A heuristic: where no server was busy yet it is too low, and thresholds that are shares of it
 * are, too. That adds no replicas, for which servers have to be overloaded (Eq. 6), and lets fewer
 * files count as cold. Soft state, some sixty bytes a server. For one thread, but for {@link
 * #most}.
 */
public final class ServedReads {
  private final double kept;
  private final Map<Long, long[]> inWindow = new HashMap<>();
  private volatile double most;

  /**
   * @param kept part of what was seen that an interval leaves, in [0, 1]
   */
  public ServedReads(double kept) {
    Require.that(kept >= 0 && kept <= 1, "kept part of a peak", kept, "[0, 1]");
    this.kept = kept;
  }

  /** A server has served reads. */
  public void add(long server, long reads) {
    inWindow.computeIfAbsent(server, ignored -> new long[1])[0] += reads;
  }

  /**
   * A window is over.
   *
   * @param share of an interval that it has lasted, above 0
   */
  public void endWindow(double share) {
    long busiest = 0;
    long second = 0;
    for (long[] reads : inWindow.values()) {
      second = Math.max(second, Math.min(busiest, reads[0]));
      busiest = Math.max(busiest, reads[0]);
    }
    long counts = inWindow.size() < 3 ? busiest : second;
    inWindow.clear();
    most = Math.max(most * Math.pow(kept, share), counts / share);
  }

  /** Reads an interval. */
  public double most() {
    return most;
  }
}
