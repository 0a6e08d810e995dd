package org.rackweave.cli.demo;

/**
 * The size of one demo. Everything that shapes the figures is here and is printed with them.
 *
 * @param racks racks of the cluster
 * @param nodesPerRack DataNodes in each rack
 * @param hotRacks racks that carry background load at any time
 * @param linkBytesPerSec what each DataNode can receive
 * @param foregroundShare what background load leaves of a hot DataNode's link, a fraction
 * @param hotPeriodMs how long a set of racks stays hot before the load moves on
 * @param settleMs background load alone, before the first write of a round
 * @param arrivalsMs how long writes arrive in a round
 * @param roundPairs rounds of each policy; a pair repeats the same writes and the same hot racks
 * @param offeredLoad bytes that writers offer per second, as a fraction of one link
 * @param blockBytes HDFS block size
 * @param fileBlocks blocks of a file at most; longer input files are copied in parts
 * @param outsiders writers outside the cluster, beside one on every DataNode
 * @param heartbeatMs how often a DataNode reports
 */
public record DemoSettings(
    int racks,
    int nodesPerRack,
    int hotRacks,
    long linkBytesPerSec,
    double foregroundShare,
    int hotPeriodMs,
    int settleMs,
    int arrivalsMs,
    int roundPairs,
    double offeredLoad,
    int blockBytes,
    int fileBlocks,
    int outsiders,
    int heartbeatMs) {

  /** Replicas of every block. */
  public static final int REPLICATION = 3;

  /** What {@code bin/rackweave demo} runs. */
  public static DemoSettings standard() {
    return new DemoSettings(
        6, 2, 2, 8 << 20, 0.25, 10_000, 2_000, 11_000, 3, 0.75, 1 << 20, 2, 3, 500);
  }

  /** A few seconds of the same, for tests. */
  public static DemoSettings brief() {
    return new DemoSettings(
        3, 2, 1, 8 << 20, 0.25, 2_000, 1_000, 3_000, 1, 0.5, 1 << 20, 2, 1, 500);
  }

  /** DataNodes of the cluster. */
  public int nodes() {
    return racks * nodesPerRack;
  }

  /** DataNodes that carry background load at any time. */
  public int hotNodes() {
    return hotRacks * nodesPerRack;
  }

  /** The rack (from 0) of DataNode {@code node} (from 0). */
  public int rackOf(int node) {
    return node / nodesPerRack;
  }

  /** Writers: one on every DataNode, then those outside the cluster. */
  public int writers() {
    return nodes() + outsiders;
  }

  /** What a hot DataNode's link leaves for writes, in bytes per second. */
  public long hotWriteBytesPerSec() {
    return Math.round(linkBytesPerSec * foregroundShare);
  }

  /** What background load takes of a hot DataNode's link, in bytes per second. */
  public long backgroundBytesPerSec() {
    return linkBytesPerSec - hotWriteBytesPerSec();
  }

  /** What all writers offer together, in bytes per second. */
  public double offeredBytesPerSec() {
    return offeredLoad * linkBytesPerSec;
  }

  /** Longest part of a file that is copied as one HDFS file, in bytes. */
  public int maxFileBytes() {
    return blockBytes * fileBlocks;
  }
}
