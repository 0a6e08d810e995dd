package org.rackweave.hdfs.datanode;

/**
 * Estimates how many of the bytes a DataNode received it passed on to the next DataNode of a write
 * pipeline. HDFS does not count them, but it counts packets received and acknowledgements from
 * downstream, both as they happen; the share of packets acknowledged is the share forwarded.
 *
 * <p>The acknowledgement count restarts whenever the metrics system takes a snapshot. The share
 * seen before is kept for that one interval.
 *
 * <p>Not thread-safe.
 */
final class ForwardedBytes {
  private boolean started;
  private long lastBytes;
  private long lastPackets;
  private long lastAcks;
  private double share;
  private double forwardedBytes;

  /**
   * Takes the counters as they are now.
   *
   * @param bytes bytes received, cumulative
   * @param packets packets received, cumulative
   * @param acks acknowledgements from downstream, which may have restarted at 0
   */
  void advance(long bytes, long packets, long acks) {
    if (started && packets > lastPackets) {
      if (acks >= lastAcks) {
        share = Math.min(1, (double) (acks - lastAcks) / (packets - lastPackets));
      }
      forwardedBytes += share * Math.max(0, bytes - lastBytes);
    }
    started = true;
    lastBytes = bytes;
    lastPackets = packets;
    lastAcks = acks;
  }

  /** Bytes forwarded since the first {@link #advance}. */
  long total() {
    return (long) forwardedBytes;
  }
}
