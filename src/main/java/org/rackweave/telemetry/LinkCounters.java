package org.rackweave.telemetry;

/**
 * Cumulative byte counters of one link at one moment.
 *
 * @param link what is counted; counters of different links have nothing in common
 * @param rxBytes bytes received
 * @param txBytes bytes sent
 * @param blockBytesReceived bytes of HDFS blocks received, those of writers on the DataNode's own
 *     host included; {@link #UNKNOWN} where blocks are not told apart
 * @param blockBytesSent bytes of HDFS blocks sent; {@link #UNKNOWN} where blocks are not told apart
 */
public record LinkCounters(
    String link, long rxBytes, long txBytes, long blockBytesReceived, long blockBytesSent) {

  /** In place of the bytes of blocks. */
  public static final long UNKNOWN = -1;

  boolean tellsBlocksApart() {
    return blockBytesReceived != UNKNOWN && blockBytesSent != UNKNOWN;
  }

  /** Whether these can be compared with earlier ones. */
  boolean continues(LinkCounters before) {
    return link.equals(before.link)
        && tellsBlocksApart() == before.tellsBlocksApart()
        && rxBytes >= before.rxBytes
        && txBytes >= before.txBytes
        && blockBytesReceived >= before.blockBytesReceived
        && blockBytesSent >= before.blockBytesSent;
  }
}
