package org.rackweave.dayu;

import java.util.Arrays;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.Require;

/**
 * What nodes and rack links have left for recovery when a slot is planned, immutable. Rates are
 * bytes per second by {@link RecoveryBandwidth}, {@code in} is towards a node or into a rack.
 *
 * <p>About 17 bytes a node and 8 a node and storage type.
 */
public final class RecoverySnapshot {
  private final ClusterTopology topology;
  private final double[] in;
  private final double[] out;
  private final double[] rackIn;
  private final double[] rackOut;
  private final boolean[] accepting;
  private final boolean[] leaving;
  private final boolean[] crowded;
  private final boolean[] crowdedOut;
  private final long[][] freeBytes;

  private RecoverySnapshot(Builder builder) {
    topology = builder.topology;
    in = builder.in.clone();
    out = builder.out.clone();
    rackIn = builder.rackIn.clone();
    rackOut = builder.rackOut.clone();
    accepting = builder.accepting.clone();
    leaving = builder.leaving.clone();
    crowded = builder.crowded.clone();
    crowdedOut = builder.crowdedOut.clone();
    freeBytes = Arrays.stream(builder.freeBytes).map(long[]::clone).toArray(long[][]::new);
  }

  public ClusterTopology topology() {
    return topology;
  }

  public double inBytesPerSec(int node) {
    return in[node];
  }

  public double outBytesPerSec(int node) {
    return out[node];
  }

  /** Of a rack's link, infinite where it is no bottleneck. */
  public double rackInBytesPerSec(int rack) {
    return rackIn[rack];
  }

  /** Of a rack's link, infinite where it is no bottleneck. */
  public double rackOutBytesPerSec(int rack) {
    return rackOut[rack];
  }

  /** Whether a node may get replicas at all. */
  public boolean acceptsReplicas(int node) {
    return accepting[node];
  }

  /** Whether a node's replicas are to go elsewhere: they can be read, but count for no spread. */
  public boolean isLeaving(int node) {
    return leaving[node];
  }

  /** Whether others take so much of what leads to a node that only B_min is left. */
  public boolean isCrowded(int node) {
    return crowded[node];
  }

  /** The same of what leads away from a node. */
  public boolean isCrowdedOut(int node) {
    return crowdedOut[node];
  }

  public int storageTypes() {
    return freeBytes.length;
  }

  /** Room on storage of one type; 0 where a node has none of the type. */
  public long freeBytes(int storageType, int node) {
    return freeBytes[storageType][node];
  }

  /** Racks with a node that may get replicas. */
  int acceptingRacks() {
    int racks = 0;
    for (int rack = 0; rack < topology.rackCount(); rack++) {
      boolean found = false;
      for (int node = topology.firstNode(rack); node < topology.firstNode(rack + 1); node++) {
        found |= accepting[node];
      }
      racks += found ? 1 : 0;
    }
    return racks;
  }

  /**
   * S: bytes that all links together can carry in a slot (Eq. 2).
   *
   * @param lengthSec of the slot
   */
  public double slotBytes(double lengthSec) {
    return Math.min(Arrays.stream(in).sum(), Arrays.stream(out).sum()) * lengthSec;
  }

  /**
   * Fills in a snapshot. Where nothing is said a node has no bandwidth and no room and accepts
   * replicas, and a rack's link is no bottleneck. All throw {@link IllegalArgumentException} naming
   * the thing, its value and its range.
   */
  public static final class Builder {
    private final ClusterTopology topology;
    private final double[] in;
    private final double[] out;
    private final double[] rackIn;
    private final double[] rackOut;
    private final boolean[] accepting;
    private final boolean[] leaving;
    private final boolean[] crowded;
    private final boolean[] crowdedOut;
    private final long[][] freeBytes;

    /**
     * @param storageTypes how many there are, numbered from 0, at least 1
     */
    public Builder(ClusterTopology topology, int storageTypes) {
      Require.within("storageTypes", storageTypes, 1, Byte.MAX_VALUE);
      this.topology = topology;
      in = new double[topology.nodeCount()];
      out = new double[topology.nodeCount()];
      rackIn = new double[topology.rackCount()];
      rackOut = new double[topology.rackCount()];
      Arrays.fill(rackIn, Double.POSITIVE_INFINITY);
      Arrays.fill(rackOut, Double.POSITIVE_INFINITY);
      accepting = new boolean[topology.nodeCount()];
      Arrays.fill(accepting, true);
      leaving = new boolean[topology.nodeCount()];
      crowded = new boolean[topology.nodeCount()];
      crowdedOut = new boolean[topology.nodeCount()];
      freeBytes = new long[storageTypes][topology.nodeCount()];
    }

    /** B_recover of a node. */
    public Builder node(int node, double inBytesPerSec, double outBytesPerSec) {
      String name = topology.nodeName(node);
      in[node] = Require.rate("inBytesPerSec of " + name, inBytesPerSec);
      out[node] = Require.rate("outBytesPerSec of " + name, outBytesPerSec);
      return this;
    }

    /** B_recover of the link between a rack and the core. */
    public Builder rack(int rack, double inBytesPerSec, double outBytesPerSec) {
      String path = topology.rackPath(rack);
      rackIn[rack] = Require.limit("inBytesPerSec of " + path, inBytesPerSec);
      rackOut[rack] = Require.limit("outBytesPerSec of " + path, outBytesPerSec);
      return this;
    }

    /** Says whether a node may get replicas. */
    public Builder accepts(int node, boolean replicas) {
      accepting[node] = replicas;
      return this;
    }

    /** Says that a node is being decommissioned or maintained: read from, never written to. */
    public Builder leaving(int node) {
      leaving[node] = true;
      accepting[node] = false;
      return this;
    }

    /** Says that others take so much of what leads to a node that only B_min is left. */
    public Builder crowded(int node) {
      crowded[node] = true;
      return this;
    }

    /** Says the same of what leads away from it. */
    public Builder crowdedOut(int node) {
      crowdedOut[node] = true;
      return this;
    }

    /** Room of a node on storage of one type. */
    public Builder free(int storageType, int node, long bytes) {
      Require.atLeast("free bytes of " + topology.nodeName(node), bytes, 0);
      freeBytes[storageType][node] = bytes;
      return this;
    }

    /** The same room on every node. */
    public Builder freeEverywhere(int storageType, long bytes) {
      for (int node = 0; node < topology.nodeCount(); node++) {
        free(storageType, node, bytes);
      }
      return this;
    }

    public RecoverySnapshot build() {
      return new RecoverySnapshot(this);
    }
  }
}
