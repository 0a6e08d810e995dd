package org.apache.hadoop.hdfs.server.datanode.metrics;

import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;
import org.apache.hadoop.metrics2.lib.MutableMetric;
import org.apache.hadoop.metrics2.lib.MutableStat;

/**
 * Bridge: a DataNode's metrics as they are now. JMX shows values up to ten seconds old, and taking
 * a metrics snapshot would reset the intervals other readers see.
 */
public final class LiveCounters {
  private final MutableCounterLong bytesWritten;
  private final MutableCounterLong packetsReceived;
  private final MutableStat downstreamAcks;
  private final MutableGaugeInt readXceivers;
  private final MutableGaugeInt writeXceivers;

  public LiveCounters(DataNodeMetrics metrics) {
    bytesWritten = metrics.bytesWritten;
    packetsReceived = named(metrics, "PacketsReceived", MutableCounterLong.class);
    downstreamAcks = named(metrics, "PacketAckRoundTripTimeNanos", MutableStat.class);
    readXceivers = named(metrics, "DataNodeReadActiveXceiversCount", MutableGaugeInt.class);
    writeXceivers = named(metrics, "DataNodeWriteActiveXceiversCount", MutableGaugeInt.class);
  }

  private static <M extends MutableMetric> M named(
      DataNodeMetrics metrics, String name, Class<M> type) {
    return type.cast(metrics.registry.get(name));
  }

  /** Bytes of blocks received from clients and other DataNodes; grows with every packet. */
  public long bytesWritten() {
    return bytesWritten.value();
  }

  /** Packets of blocks received; grows with every packet. */
  public long packetsReceived() {
    return packetsReceived.value();
  }

  /**
   * Acknowledgements received from the next DataNode of a write pipeline, one for every packet
   * forwarded, since the metrics system last took a snapshot: may start again at 0 at any time.
   */
  public long downstreamAcksThisInterval() {
    return downstreamAcks.lastStat().numSamples();
  }

  /** Threads that serve a read now. */
  public int readXceivers() {
    return readXceivers.value();
  }

  /** Threads that receive a block now. */
  public int writeXceivers() {
    return writeXceivers.value();
  }
}
