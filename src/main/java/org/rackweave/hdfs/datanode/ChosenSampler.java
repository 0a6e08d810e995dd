package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.telemetry.LinkCounters;

/** Asks the sampler the operator chose, or the one that fits the DataNode's address. */
final class ChosenSampler implements LinkSampler {
  private final AgentConfig config;
  private final LinkSampler nic;
  private final LinkSampler dataNode;
  private volatile LinkSampler chosen;

  ChosenSampler(AgentConfig config, LinkSampler nic, LinkSampler dataNode) {
    this.config = config;
    this.nic = nic;
    this.dataNode = dataNode;
  }

  @Override
  public LinkSample sample(HeartbeatRequestProto heartbeat)
      throws NothingToMeasureException, IOException {
    LinkSampler now =
        switch (config.sampler()) {
          case NIC -> nic;
          case DATANODE -> dataNode;
          case AUTO -> fitsDataNode(heartbeat) ? dataNode : nic;
        };
    chosen = now;
    return now.sample(heartbeat);
  }

  @Override
  public Optional<LinkCounters> counters(String datanodeUuid) throws IOException {
    LinkSampler now = chosen;
    return now == null ? Optional.empty() : now.counters(datanodeUuid);
  }

  private boolean fitsDataNode(HeartbeatRequestProto heartbeat) {
    DatanodeIDProto id = heartbeat.getRegistration().getDatanodeID();
    return isLoopback(id.getIpAddr())
        && (config.pluginNamed() || StartedDataNodes.find(id.getDatanodeUuid()) != null);
  }

  private static boolean isLoopback(String ipAddress) {
    return ipAddress.startsWith("127.")
        || ipAddress.equals("::1")
        || ipAddress.equals("0:0:0:0:0:0:0:1");
  }
}
