package org.rackweave.dayu;

import java.util.Arrays;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.Require;

/**
 * Holds recovery back when so much vanishes at once that a switch or a power feed is likelier than
 * so many failed nodes: copying what comes back by itself would only load a cluster in trouble.
 *
 * <p>Nodes that vanished within one window of each other vanished at once. When they are at least
 * three and more than a share of the cluster, or all of a rack with at least three nodes, recovery
 * waits until the grace has passed since the last of them went. Two nodes are never an outage,
 * however small the cluster: what they had is the work of two failures. Nodes that have been gone
 * for longer than the grace are failures like any other and hold nothing back. Not in the paper,
 * which recovers one node at a time.
 *
 * <p>Pure: O(nodes log nodes).
 *
 * @param shareMax of all nodes that may vanish at once, 0 to 1; two nodes always may
 * @param windowSec how far apart nodes may vanish and still vanish at once, from 0
 * @param graceSec how long to wait for them, from 0
 */
public record Brake(double shareMax, double windowSec, double graceSec) {

  /** A tenth of the nodes within a minute; a quarter of an hour's grace. */
  public static final Brake DEFAULT = new Brake(0.1, 60, 900);

  /** Fewer that vanish at once are failures like any other. */
  private static final int FEWEST_AT_ONCE = 3;

  /** Why recovery goes or waits. */
  public enum Cause {
    /** Nothing unusual: it goes. */
    NONE,
    /** Three nodes or more, and more than the share, vanished at once: it waits. */
    SHARE,
    /** A whole rack vanished at once: it waits. */
    RACK,
    /** It would wait, but the operator said go. */
    OVERRIDDEN
  }

  /**
   * @param waitSec how much longer to wait, 0 to go
   * @param vanished nodes that vanished at once, 0 when nothing is unusual
   * @param rack the rack that did, or {@link ClusterTopology#NONE}
   */
  public record Judgement(Cause cause, double waitSec, int vanished, int rack) {
    public boolean mayRecover() {
      return waitSec == 0;
    }
  }

  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public Brake {
    Require.within("shareMax", shareMax, 0, 1);
    Require.rate("windowSec", windowSec);
    Require.rate("graceSec", graceSec);
  }

  /**
   * @param goneForSec of each node how long it has been gone, negative when it is there
   * @param overridden whether the operator wants recovery now
   */
  public Judgement judge(ClusterTopology topology, double[] goneForSec, boolean overridden) {
    int nodes = topology.nodeCount();
    Require.within("number of nodes in goneForSec", goneForSec.length, nodes, nodes);
    for (int node = 0; node < nodes; node++) {
      if (Double.isNaN(goneForSec[node])) {
        throw new IllegalArgumentException(
            "goneForSec of " + topology.nodeName(node) + " is a number, not NaN");
      }
    }
    Judgement judgement = judgeShare(goneForSec);
    for (int rack = 0; rack < topology.rackCount(); rack++) {
      Judgement ofRack = judgeRack(topology, goneForSec, rack);
      judgement = ofRack.waitSec() > judgement.waitSec() ? ofRack : judgement;
    }
    return overridden && !judgement.mayRecover()
        ? new Judgement(Cause.OVERRIDDEN, 0, judgement.vanished(), judgement.rack())
        : judgement;
  }

  private static Judgement nothing() {
    return new Judgement(Cause.NONE, 0, 0, ClusterTopology.NONE);
  }

  private Judgement judgeShare(double[] goneForSec) {
    double[] gone =
        Arrays.stream(goneForSec).filter(sec -> sec >= 0 && sec < graceSec).sorted().toArray();
    int last = 0;
    for (int first = 0; first < gone.length; first++) {
      last = Math.max(last, first);
      while (last < gone.length && gone[last] - gone[first] <= windowSec) {
        last++;
      }
      // The one that went last decides, and it comes first in this order.
      if (last - first >= FEWEST_AT_ONCE && last - first > shareMax * goneForSec.length) {
        return new Judgement(
            Cause.SHARE, graceSec - gone[first], last - first, ClusterTopology.NONE);
      }
    }
    return nothing();
  }

  private Judgement judgeRack(ClusterTopology topology, double[] goneForSec, int rack) {
    double shortest = Double.POSITIVE_INFINITY;
    double longest = 0;
    for (int node = topology.firstNode(rack); node < topology.firstNode(rack + 1); node++) {
      if (goneForSec[node] < 0) {
        return nothing();
      }
      shortest = Math.min(shortest, goneForSec[node]);
      longest = Math.max(longest, goneForSec[node]);
    }
    boolean atOnce = longest - shortest <= windowSec && topology.rackSize(rack) >= FEWEST_AT_ONCE;
    return atOnce && shortest < graceSec
        ? new Judgement(Cause.RACK, graceSec - shortest, topology.rackSize(rack), rack)
        : nothing();
  }
}
