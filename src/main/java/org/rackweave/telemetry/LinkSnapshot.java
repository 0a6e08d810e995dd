package org.rackweave.telemetry;

import java.util.Arrays;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;

/**
 * Load of every link of the tree at one moment, immutable. Host links come from the DataNodes; the
 * link between a rack and the core carries the sum of its hosts (Sinbad, section 6.2). That sum
 * also holds traffic that stays inside the rack, because host counters cannot tell it apart: a rack
 * link is never thought freer than it is.
 *
 * <p>Rates and capacities are bytes per second, receive ({@code rx}) is towards the host.
 */
public final class LinkSnapshot {
  private static final double HARD_DISK_BYTES_PER_SEC = 150e6;

  /** Part of a link in use from which on it is busy. */
  private static final double BUSY = 0.8;

  private final Builder builder;
  private final ClusterTopology topology;
  private final NetworkSettings settings;
  private final long takenAtMs;

  private final LinkSource[] source;
  private final double[] hostCapacity;
  private final double[] hostRx;
  private final double[] hostTx;
  private final double[] hostMeanRx;
  private final double[] hostMeanTx;
  private final boolean[] hostApart;
  private final double[] hostOthersRx;
  private final double[] hostOthersTx;
  private final int[] hostTransfers;
  private final boolean[] saturatedRx;
  private final boolean[] saturatedTx;
  private final int[] sequence;
  private final long[] sampledAtMs;
  private final boolean[] usable;

  private final double learnedRackBytesPerSec;
  private final double diskWriteBytesPerSec;
  private final double[] rackCapacity;
  private final double[] rackRx;
  private final double[] rackTx;
  private final double[] rackMeanRx;
  private final double[] rackMeanTx;
  private final double[] rackOthersRx;
  private final double[] rackOthersTx;
  private final int[] rackTransfers;
  private final boolean[] rackLive;

  private final int liveCount;
  private final int measuredCount;
  private final int derivedCount;

  private LinkSnapshot(Builder builder) {
    this.builder = builder;
    topology = builder.topology;
    settings = builder.settings;
    takenAtMs = builder.takenAtMs;
    source = builder.source;
    hostCapacity = builder.hostCapacity;
    hostRx = builder.hostRx;
    hostTx = builder.hostTx;
    hostMeanRx = builder.hostMeanRx;
    hostMeanTx = builder.hostMeanTx;
    hostApart = builder.apart;
    hostOthersRx = builder.hostOthersRx;
    hostOthersTx = builder.hostOthersTx;
    hostTransfers = builder.hostTransfers;
    saturatedRx = builder.saturatedRx;
    saturatedTx = builder.saturatedTx;
    sequence = builder.sequence;
    sampledAtMs = builder.sampledAtMs;
    usable = builder.usableWithinStorageLimit();
    learnedRackBytesPerSec = builder.learnedRackBytesPerSec;
    diskWriteBytesPerSec =
        settings.isDiskDeclared()
            ? settings.diskWriteBytesPerSec()
            : builder.learnedDiskBytesPerSec > 0
                ? builder.learnedDiskBytesPerSec
                : HARD_DISK_BYTES_PER_SEC;
    int liveNodes = 0;
    int measured = 0;
    int derived = 0;
    for (int node = 0; node < source.length; node++) {
      if (builder.live[node]) {
        liveNodes++;
        measured += source[node] == LinkSource.MEASURED ? 1 : 0;
        derived += source[node] == LinkSource.DERIVED ? 1 : 0;
      }
    }
    liveCount = liveNodes;
    measuredCount = measured;
    derivedCount = derived;
    int racks = topology.rackCount();
    rackCapacity = new double[racks];
    rackRx = new double[racks];
    rackTx = new double[racks];
    rackMeanRx = new double[racks];
    rackMeanTx = new double[racks];
    rackOthersRx = new double[racks];
    rackOthersTx = new double[racks];
    rackTransfers = new int[racks];
    rackLive = new boolean[racks];
    for (int rack = 0; rack < racks; rack++) {
      sumRack(rack, builder);
    }
  }

  private void sumRack(int rack, Builder builder) {
    double capacity = 0;
    double rx = 0;
    double tx = 0;
    double meanRx = 0;
    double meanTx = 0;
    double othersRx = 0;
    double othersTx = 0;
    for (int node = topology.firstNode(rack); node < topology.firstNode(rack + 1); node++) {
      if (builder.live[node]) {
        rackLive[rack] = true;
        capacity += hostCapacity[node];
        rx += hostRx[node];
        tx += hostTx[node];
        meanRx += hostMeanRx[node];
        meanTx += hostMeanTx[node];
        othersRx += hostOthersRx[node];
        othersTx += hostOthersTx[node];
        rackTransfers[rack] += builder.acrossRacks[node];
      }
    }
    rackCapacity[rack] =
        settings.rackBytesPerSec() > 0
            ? settings.rackBytesPerSec()
            : capacity / Math.max(1, settings.oversubscription());
    rackRx[rack] = Math.min(rx, rackCapacity[rack]);
    rackTx[rack] = Math.min(tx, rackCapacity[rack]);
    rackMeanRx[rack] = Math.min(meanRx, rackCapacity[rack]);
    rackMeanTx[rack] = Math.min(meanTx, rackCapacity[rack]);
    rackOthersRx[rack] = Math.min(othersRx, rackCapacity[rack]);
    rackOthersTx[rack] = Math.min(othersTx, rackCapacity[rack]);
  }

  /**
   * The same, had a rack's link become another.
   *
   * @param share of what the link carries at most now, above 0
   */
  public LinkSnapshot withRackLink(int rack, double share) {
    LinkSnapshot other = new LinkSnapshot(builder);
    double capacity = share * rankedRackCapacity(rack);
    other.rackCapacity[rack] = capacity;
    Stream.of(
            other.rackRx,
            other.rackTx,
            other.rackMeanRx,
            other.rackMeanTx,
            other.rackOthersRx,
            other.rackOthersTx)
        .forEach(rates -> rates[rack] = Math.min(rates[rack], capacity));
    return other;
  }

  public ClusterTopology topology() {
    return topology;
  }

  public NetworkSettings settings() {
    return settings;
  }

  /** When the snapshot was taken, on the collector's monotonic clock. */
  public long takenAtMs() {
    return takenAtMs;
  }

  public LinkSource source(int node) {
    return source[node];
  }

  public double hostCapacity(int node) {
    return hostCapacity[node];
  }

  public double hostRx(int node) {
    return hostRx[node];
  }

  public double hostTx(int node) {
    return hostTx[node];
  }

  public double rackCapacity(int rack) {
    return rackCapacity[rack];
  }

  /** The same, or what full links of racks were learned to carry if that is less: for ranking. */
  double rankedRackCapacity(int rack) {
    return Math.min(rackCapacity[rack], learnedRackBytesPerSec);
  }

  /** Whether 80 % of a host's link, or of its rack's, are in use on the way in. */
  public boolean isBusy(int node) {
    int rack = topology.rackOf(node);
    return hostRx[node] > BUSY * hostCapacity[node]
        || rackRx[rack] > BUSY * rankedRackCapacity(rack);
  }

  /** What one block write can use at most, the paper's DiskWriteCap. */
  public double diskWriteBytesPerSec() {
    return diskWriteBytesPerSec;
  }

  public double rackRx(int rack) {
    return rackRx[rack];
  }

  public double rackTx(int rack) {
    return rackTx[rack];
  }

  /** What a host received on average between its last two reports, as copies count their bytes. */
  public double hostMeanRx(int node) {
    return hostMeanRx[node];
  }

  /** What a host sent on average between its last two reports. */
  public double hostMeanTx(int node) {
    return hostMeanTx[node];
  }

  /** Sum of what a rack's hosts received on average between their last two reports. */
  public double rackMeanRx(int rack) {
    return rackMeanRx[rack];
  }

  /** Sum of what a rack's hosts sent on average between their last two reports. */
  public double rackMeanTx(int rack) {
    return rackMeanTx[rack];
  }

  /** Whether the host's agent tells blocks of HDFS from other traffic. */
  boolean isApart(int node) {
    return hostApart[node];
  }

  /** What a host receives beside blocks; all it receives where these are not told apart. */
  public double hostOthersRx(int node) {
    return hostOthersRx[node];
  }

  /**
   * What a host sends beside blocks that it passes on; all it sends where these are not told apart.
   */
  public double hostOthersTx(int node) {
    return hostOthersTx[node];
  }

  /** What a rack receives beside blocks; all it receives where these are not told apart. */
  public double rackOthersRx(int rack) {
    return rackOthersRx[rack];
  }

  /** Sum of what a rack's hosts send beside blocks that they pass on. */
  public double rackOthersTx(int rack) {
    return rackOthersTx[rack];
  }

  /** Whether data were lost on the way to a host. */
  boolean isSaturatedRx(int node) {
    return saturatedRx[node];
  }

  /** Whether data that a host sent were lost. */
  boolean isSaturatedTx(int node) {
    return saturatedTx[node];
  }

  /** Blocks under way over a host's link; 0 where they are not told apart. */
  public int hostTransfers(int node) {
    return hostTransfers[node];
  }

  /** Blocks under way into a rack; 0 where they are not told apart. */
  public int rackTransfers(int rack) {
    return rackTransfers[rack];
  }

  /** Whether a rack has a live host; the link of one without carries nothing. */
  boolean hasLiveHost(int rack) {
    return rackLive[rack];
  }

  /** Number of measurements taken of a node so far; a larger number means a newer one arrived. */
  int sequence(int node) {
    return sequence[node];
  }

  /** When the node's last measurement arrived, or {@code Long.MIN_VALUE} when none did. */
  public long sampledAtMs(int node) {
    return sampledAtMs[node];
  }

  /** Whether the node is live and its disks are not much fuller than the cluster's. */
  public boolean usable(int node) {
    return usable[node];
  }

  /** Live DataNodes the snapshot knows. */
  public int liveCount() {
    return liveCount;
  }

  public int measuredCount() {
    return measuredCount;
  }

  public int derivedCount() {
    return derivedCount;
  }

  /** Share of live DataNodes whose load is known, measured or derived; 1 for an empty cluster. */
  public double coverage() {
    return liveCount == 0 ? 1 : (double) (measuredCount + derivedCount) / liveCount;
  }

  /** Fills in a snapshot, one {@link #host} and one {@link #storage} call a node. */
  public static final class Builder {
    private static final double ROUNDING = 1e-9;

    private final ClusterTopology topology;
    private final NetworkSettings settings;
    private final long takenAtMs;
    private final LinkSource[] source;
    private final double[] hostCapacity;
    private final double[] hostRx;
    private final double[] hostTx;
    private final double[] hostMeanRx;
    private final double[] hostMeanTx;
    private final boolean[] apart;
    private final double[] hostOthersRx;
    private final double[] hostOthersTx;
    private final int[] hostTransfers;
    private final int[] acrossRacks;
    private final boolean[] saturatedRx;
    private final boolean[] saturatedTx;
    private final int[] sequence;
    private final long[] sampledAtMs;
    private final boolean[] live;
    private final double[] usedFraction;
    private double capacityMax = Double.POSITIVE_INFINITY;
    private double learnedRackBytesPerSec = Double.POSITIVE_INFINITY;
    private double learnedDiskBytesPerSec;

    public Builder(ClusterTopology topology, NetworkSettings settings, long takenAtMs) {
      this.topology = topology;
      this.settings = settings;
      this.takenAtMs = takenAtMs;
      int nodes = topology.nodeCount();
      source = new LinkSource[nodes];
      hostCapacity = new double[nodes];
      hostRx = new double[nodes];
      hostTx = new double[nodes];
      hostMeanRx = new double[nodes];
      hostMeanTx = new double[nodes];
      apart = new boolean[nodes];
      hostOthersRx = new double[nodes];
      hostOthersTx = new double[nodes];
      hostTransfers = new int[nodes];
      acrossRacks = new int[nodes];
      saturatedRx = new boolean[nodes];
      saturatedTx = new boolean[nodes];
      sequence = new int[nodes];
      sampledAtMs = new long[nodes];
      live = new boolean[nodes];
      usedFraction = new double[nodes];
      Arrays.fill(source, LinkSource.MISSING);
      Arrays.fill(sampledAtMs, Long.MIN_VALUE);
    }

    /**
     * Says how fast a link is believed to be at most, before {@link #host}.
     *
     * @param capacity bytes per second
     */
    public Builder believe(double capacity) {
      capacityMax = capacity;
      return this;
    }

    /**
     * Says what nobody declares and full links and busy disks have shown.
     *
     * @param rackBytesPerSec what a rack's link carries at most; infinite where that is not known
     * @param diskBytesPerSec what a disk writes; 0 where that is not known
     */
    Builder learned(double rackBytesPerSec, double diskBytesPerSec) {
      learnedRackBytesPerSec = rackBytesPerSec;
      learnedDiskBytesPerSec = diskBytesPerSec;
      return this;
    }

    /** Says how loaded a host's link is; a missing one counts as fully loaded. */
    public Builder host(
        int node,
        LinkSource from,
        double capacity,
        double rx,
        double tx,
        int measurements,
        long atMs) {
      source[node] = from;
      double believed = Math.min(capacity, capacityMax);
      hostCapacity[node] = believed;
      hostRx[node] = from == LinkSource.MISSING ? believed : Math.min(rx, believed);
      hostTx[node] = from == LinkSource.MISSING ? believed : Math.min(tx, believed);
      hostMeanRx[node] = hostRx[node];
      hostMeanTx[node] = hostTx[node];
      hostOthersRx[node] = hostRx[node];
      hostOthersTx[node] = hostTx[node];
      sequence[node] = measurements;
      sampledAtMs[node] = atMs;
      return this;
    }

    /**
     * Says what a host's link carried on average between its last two reports, after {@link #host};
     * a missing link is as full as before.
     */
    Builder means(int node, double rx, double tx) {
      if (source[node] != LinkSource.MISSING) {
        hostMeanRx[node] = Math.min(rx, hostCapacity[node]);
        hostMeanTx[node] = Math.min(tx, hostCapacity[node]);
      }
      return this;
    }

    /**
     * Tells blocks apart from what else a host receives and sends, after {@link #host}.
     *
     * @param othersRx what the host receives beside them
     * @param othersTx what the host sends beside those it passes on
     * @param transfers blocks under way over the host's link
     * @param fromOtherRacks how many of them cross the rack's link too
     */
    Builder apart(int node, double othersRx, double othersTx, int transfers, int fromOtherRacks) {
      apart[node] = true;
      hostOthersRx[node] = Math.min(othersRx, hostCapacity[node]);
      hostOthersTx[node] = Math.min(othersTx, hostCapacity[node]);
      hostTransfers[node] = transfers;
      acrossRacks[node] = fromOtherRacks;
      return this;
    }

    /** Says whether a host loses data that it receives, or sends. */
    Builder saturated(int node, boolean rx, boolean tx) {
      saturatedRx[node] = rx;
      saturatedTx[node] = tx;
      return this;
    }

    /** Says that a host is live and how full it is, as a fraction of its capacity. */
    public Builder storage(int node, double fractionUsed) {
      live[node] = true;
      usedFraction[node] = fractionUsed;
      return this;
    }

    private boolean[] usableWithinStorageLimit() {
      double sum = 0;
      int count = 0;
      for (int node = 0; node < live.length; node++) {
        if (live[node]) {
          sum += usedFraction[node];
          count++;
        }
      }
      // The mean of equal fractions may come out a rounding error below each of them.
      double limit = (count == 0 ? 0 : sum / count) + settings.storageImbalance() + ROUNDING;
      boolean[] within = new boolean[live.length];
      for (int node = 0; node < live.length; node++) {
        within[node] = live[node] && usedFraction[node] <= limit;
      }
      return within;
    }

    public LinkSnapshot build() {
      return new LinkSnapshot(this);
    }
  }
}
