package org.rackweave.hdfs.datanode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.rackweave.hdfs.AgentConfig;

/** Asks the sampler the operator chose, or the one that fits the DataNode's address. */
final class ChosenSampler implements LinkSampler {
  private final AgentConfig config;
  private final LinkSampler nic;
  private final LinkSampler dataNode;

  ChosenSampler(AgentConfig config, LinkSampler nic, LinkSampler dataNode) {
    this.config = config;
    this.nic = nic;
    this.dataNode = dataNode;
  }

  @Override
  public LinkSample sample(HeartbeatRequestProto heartbeat)
      throws NothingToMeasureException, IOException {
    return switch (config.sampler()) {
      case NIC -> nic.sample(heartbeat);
      case DATANODE -> dataNode.sample(heartbeat);
      case AUTO -> (fitsDataNode(heartbeat) ? dataNode : nic).sample(heartbeat);
    };
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
