package org.rackweave.sim.recovery;

import java.util.Iterator;
import java.util.stream.Stream;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.workload.TimedRequest;

/**
 * What others send over the links: now, and on average over the last report interval. Time goes
 * forward only. Single-threaded.
 */
final class Foreground implements AutoCloseable {
  private final RecoveryLinks links;
  private final Stream<TimedRequest> changes;
  private final Iterator<TimedRequest> ahead;
  private final double[] ofNodes;
  private final double[] carried;
  private final double[] carriedAtReport;
  private double[] loads;
  private TimedRequest next;
  private double nowSec;
  private double reportedSec;

  /**
   * @param changes loads of nodes by time; other requests count for nothing
   */
  Foreground(RecoveryLinks links, Stream<TimedRequest> changes) {
    this.links = links;
    this.changes = changes;
    ahead = changes.iterator();
    ofNodes = new double[2 * links.topology().nodeCount()];
    loads = new double[links.count()];
    carried = new double[links.count()];
    carriedAtReport = new double[links.count()];
    next = ahead.hasNext() ? ahead.next() : null;
    advanceTo(0);
  }

  /** When it changes next, seconds; infinite when it stays. */
  double nextChangeSec() {
    return next == null ? Double.POSITIVE_INFINITY : SimTime.toSeconds(next.atNanos());
  }

  /** Goes on to a moment and takes over what changes until then and at it. */
  void advanceTo(double sec) {
    while (nextChangeSec() <= sec) {
      double at = nextChangeSec();
      pass(at);
      while (nextChangeSec() == at) {
        if (next instanceof TimedRequest.NodeLoad load) {
          ofNodes[2 * load.node()] = load.inBytesPerSec();
          ofNodes[2 * load.node() + 1] = load.outBytesPerSec();
        }
        next = ahead.hasNext() ? ahead.next() : null;
      }
      addUp();
    }
    pass(sec);
  }

  private void pass(double sec) {
    double passed = sec - nowSec;
    if (passed > 0) {
      for (int link = 0; link < carried.length; link++) {
        carried[link] += loads[link] * passed;
      }
      nowSec = sec;
    }
  }

  private void addUp() {
    double[] sums = new double[links.count()];
    for (int node = 0; node < links.topology().nodeCount(); node++) {
      links.addForeground(sums, node, ofNodes[2 * node], ofNodes[2 * node + 1]);
    }
    loads = sums;
  }

  /** Bytes per second of each link now; not to be changed. */
  double[] loads() {
    return loads;
  }

  /** Bytes per second of each link on average since the last report; what it is now at once. */
  double[] report() {
    double passed = nowSec - reportedSec;
    double[] mean = loads.clone();
    for (int link = 0; link < mean.length && passed > 0; link++) {
      mean[link] = (carried[link] - carriedAtReport[link]) / passed;
    }
    System.arraycopy(carried, 0, carriedAtReport, 0, carried.length);
    reportedSec = nowSec;
    return mean;
  }

  @Override
  public void close() {
    changes.close();
  }
}
