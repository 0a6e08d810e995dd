package org.rackweave.hdfs.datanode;

import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.telemetry.LinkCounters;

/**
 * Counts the traffic of one DataNode by the DataNode's own counters, for DataNodes that share an
 * interface. All of them move with every packet, not at the end of a block:
 *
 * <ul>
 *   <li>rx: {@code BytesWritten}, the bytes of blocks that clients and DataNodes write to this one.
 *   <li>tx: bytes that went past the read and the transfer throttler ({@link OwnTraffic}), plus
 *       what write pipelines passed on ({@link ForwardedBytes}, an estimate).
 *   <li>disk: what was received; a DataNode writes nothing else worth counting.
 * </ul>
 *
 * <p>Traffic with a client on the same host is counted as if it came over the network, except short
 * circuit and domain socket reads.
 */
final class DataNodeSampler implements LinkSampler {
  /** These counters count blocks only, for any client. */
  private static final long NOT_TOLD_APART = 0;

  private final AgentConfig config;
  private final ForwardedBytes forwarded = new ForwardedBytes();

  /** Estimates apart from the other, for it is advanced on another thread. */
  private final ForwardedBytes forwardedOften = new ForwardedBytes();

  DataNodeSampler(AgentConfig config) {
    this.config = config;
  }

  @Override
  public LinkSample sample(HeartbeatRequestProto heartbeat) throws NothingToMeasureException {
    String uuid = heartbeat.getRegistration().getDatanodeID().getDatanodeUuid();
    OwnTraffic traffic = StartedDataNodes.find(uuid);
    if (traffic == null) {
      throw new NothingToMeasureException(
          config.pluginNamed()
              ? "the DataNode has not started its plugins yet"
              : "the DataNode's own counters need dfs.datanode.plugins = " + AgentConfig.PLUGIN);
    }
    traffic.attach();
    long bytesWritten = traffic.bytesWritten();
    forwarded.advance(bytesWritten, traffic.packetsReceived(), traffic.downstreamAcks());
    return new LinkSample(
        link(uuid),
        bytesWritten,
        traffic.bytesSent() + forwarded.total(),
        config.linkBytesPerSec(),
        bytesWritten,
        NOT_TOLD_APART,
        traffic.readers(),
        traffic.writers());
  }

  @Override
  public Optional<LinkCounters> counters(String datanodeUuid) {
    OwnTraffic traffic = StartedDataNodes.find(datanodeUuid);
    if (traffic == null) {
      return Optional.empty();
    }
    traffic.attach();
    long bytesWritten = traffic.bytesWritten();
    forwardedOften.advance(bytesWritten, traffic.packetsReceived(), traffic.downstreamAcks());
    return Optional.of(
        new LinkCounters(
            link(datanodeUuid),
            bytesWritten,
            traffic.bytesSent() + forwardedOften.total(),
            LinkCounters.UNKNOWN,
            LinkCounters.UNKNOWN));
  }

  private static String link(String datanodeUuid) {
    return "datanode " + datanodeUuid;
  }
}
