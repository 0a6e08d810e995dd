package org.rackweave.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.Require;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;

/**
 * What share of their links DataNodes and racks have used lately: a fixed number of frames, each
 * the mean over a step of time. Two bytes a DataNode and frame, so that a day of 25,000 DataNodes
 * in steps of five minutes takes 15 MB. Thread-safe.
 */
public final class LinkHistory {
  /** Share of a link that is not known. */
  public static final byte UNKNOWN = -1;

  private static final int FULL = 100;

  private final long stepMs;
  private final int framesMost;
  private final Deque<Frame> frames = new ArrayDeque<>();
  private Sums open;

  /**
   * Shares of a step, in per cent, each {@link #UNKNOWN} where nothing was known.
   *
   * @param atMs wall clock at the step's begin
   * @param fromMs wall clock when what is known of the step begins
   * @param toMs wall clock when it ends, later
   * @param topology which DataNodes and racks are meant; their indices are those of the shares
   * @param hostRx what DataNodes received
   * @param hostTx what they sent
   * @param rackRx what racks received from others
   * @param rackTx what they sent to others
   */
  public record Frame(
      long atMs,
      long fromMs,
      long toMs,
      ClusterTopology topology,
      byte[] hostRx,
      byte[] hostTx,
      byte[] rackRx,
      byte[] rackTx) {}

  /** What is being summed of one kind of link. */
  private static final class Shares {
    final double[] sums;
    final int[] counts;

    Shares(int size) {
      sums = new double[size];
      counts = new int[size];
    }

    void add(int link, double bytesPerSec, double capacity) {
      if (capacity > 0) {
        sums[link] += Math.min(1, bytesPerSec / capacity);
        counts[link]++;
      }
    }

    void addOf(int link, Shares other, int its) {
      sums[link] += other.sums[its];
      counts[link] += other.counts[its];
    }

    byte[] perCent() {
      byte[] all = new byte[sums.length];
      Arrays.fill(all, UNKNOWN);
      for (int i = 0; i < all.length; i++) {
        if (counts[i] > 0) {
          all[i] = (byte) Math.round(FULL * sums[i] / counts[i]);
        }
      }
      return all;
    }
  }

  /** A step that is not over. */
  private static final class Sums {
    final long atMs;
    final long fromMs;
    final ClusterTopology topology;
    final Shares hostRx;
    final Shares hostTx;
    final Shares rackRx;
    final Shares rackTx;
    long toMs;

    Sums(long atMs, long fromMs, ClusterTopology topology) {
      this.atMs = atMs;
      this.fromMs = fromMs;
      toMs = fromMs;
      this.topology = topology;
      hostRx = new Shares(topology.nodeCount());
      hostTx = new Shares(topology.nodeCount());
      rackRx = new Shares(topology.rackCount());
      rackTx = new Shares(topology.rackCount());
    }

    /** The same of a cluster in which DataNodes are new, or gone. */
    Sums over(ClusterTopology changed) {
      Sums next = new Sums(atMs, fromMs, changed);
      for (int rack = 0; rack < changed.rackCount(); rack++) {
        int before = topology.rackAt(changed.rackPath(rack));
        if (before != ClusterTopology.NONE) {
          next.rackRx.addOf(rack, rackRx, before);
          next.rackTx.addOf(rack, rackTx, before);
          Map<String, Integer> nodes = new HashMap<>();
          for (int i = topology.firstNode(before); i < topology.firstNode(before + 1); i++) {
            nodes.put(topology.nodeName(i), i);
          }
          for (int node = changed.firstNode(rack); node < changed.firstNode(rack + 1); node++) {
            Integer its = nodes.get(changed.nodeName(node));
            if (its != null) {
              next.hostRx.addOf(node, hostRx, its);
              next.hostTx.addOf(node, hostTx, its);
            }
          }
        }
      }
      return next;
    }

    void add(long nowMs, LinkSnapshot links) {
      toMs = Math.max(toMs, nowMs);
      for (int node = 0; node < topology.nodeCount(); node++) {
        if (links.source(node) != LinkSource.MISSING) { // which counts as full elsewhere
          hostRx.add(node, links.hostRx(node), links.hostCapacity(node));
          hostTx.add(node, links.hostTx(node), links.hostCapacity(node));
        }
      }
      for (int rack = 0; rack < topology.rackCount(); rack++) {
        rackRx.add(rack, links.rackRx(rack), links.rackCapacity(rack));
        rackTx.add(rack, links.rackTx(rack), links.rackCapacity(rack));
      }
    }

    Frame frame() {
      return new Frame(
          atMs,
          fromMs,
          Math.max(toMs, fromMs + 1),
          topology,
          hostRx.perCent(),
          hostTx.perCent(),
          rackRx.perCent(),
          rackTx.perCent());
    }
  }

  /**
   * @param stepMs length of a frame, at least 1
   * @param framesMost how many are kept, at least 1
   */
  public LinkHistory(long stepMs, int framesMost) {
    Require.atLeast("length of a frame, in ms", stepMs, 1);
    Require.atLeast("frames kept", framesMost, 1);
    this.stepMs = stepMs;
    this.framesMost = framesMost;
  }

  /** Length of a frame. */
  public long stepMs() {
    return stepMs;
  }

  /**
   * Takes a look at the links. What is known of a DataNode that is gone by the next look is left
   * out.
   *
   * @param atMs wall clock
   * @return the frame that is over by this, {@code null} for none
   */
  public synchronized Frame add(long atMs, LinkSnapshot links) {
    long stepAtMs = Math.floorDiv(atMs, stepMs) * stepMs;
    ClusterTopology now = links.topology();
    if (open != null && now.hasNamesOf(open.topology)) {
      now = open.topology; // of a day's frames one is kept, as long as nothing changes
    }
    Frame over = null;
    long fromMs = atMs;
    if (open != null && open.atMs != stepAtMs) {
      if (open.atMs + stepMs == stepAtMs) { // no gap between them
        open.toMs = stepAtMs;
        fromMs = stepAtMs;
      }
      over = open.frame();
      keep(over);
      open = null;
    }
    if (open == null) {
      open = new Sums(stepAtMs, fromMs, now);
    } else if (open.topology != now) {
      open = open.over(now);
    }
    open.add(atMs, links);
    return over;
  }

  /** Takes frames that were written down before a restart, the oldest first. */
  public synchronized void resume(List<Frame> before) {
    List<Frame> since = new ArrayList<>(frames);
    frames.clear();
    before.forEach(this::keep);
    since.forEach(this::keep);
  }

  private void keep(Frame frame) {
    frames.addLast(frame);
    if (frames.size() > framesMost) {
      frames.removeFirst();
    }
  }

  /**
   * Frames that begin at a time or later, the oldest first; what is known so far of the latest is
   * the last.
   */
  public synchronized List<Frame> since(long atMs) {
    List<Frame> found = new ArrayList<>();
    for (Frame frame : frames) {
      if (frame.atMs() >= atMs) {
        found.add(frame);
      }
    }
    if (open != null) {
      found.add(open.frame());
    }
    return found;
  }
}
