package org.rackweave.hdfs.datanode;

import static org.apache.hadoop.fs.CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH;
import static org.apache.hadoop.fs.CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.rackweave.hdfs.PiggybackField;
import org.rackweave.hdfs.namenode.NameNodeBridge;
import org.rackweave.telemetry.BlockReads;
import org.rackweave.telemetry.DropCause;
import org.rackweave.telemetry.HeartbeatReply;
import org.rackweave.telemetry.HeartbeatReplyCodec;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.ReportReader;

/** Listens on a NameNode's DataNode protocol and keeps what agents send. */
final class CapturedReports implements BlockingService {
  private final BlockingService hdfs;
  private final Map<String, HeartbeatReport> latest = new ConcurrentHashMap<>();
  private final Map<Long, Long> reads = new ConcurrentHashMap<>();
  private final AtomicLong heartbeats = new AtomicLong();
  private final AtomicLong broken = new AtomicLong();
  private volatile HeartbeatReply reply = HeartbeatReply.NOTHING;

  private CapturedReports(BlockingService hdfs) {
    this.hdfs = hdfs;
  }

  static CapturedReports of(NameNode nameNode, Configuration conf) {
    int maxDataLength = conf.getInt(IPC_MAXIMUM_DATA_LENGTH, IPC_MAXIMUM_DATA_LENGTH_DEFAULT);
    CapturedReports captured =
        new CapturedReports(
            DatanodeProtocolService.newReflectiveBlockingService(
                new DatanodeProtocolServerSideTranslatorPB(
                    nameNode.getRpcServer(), maxDataLength)));
    for (RPC.Server server : NameNodeBridge.of(nameNode).rpcServers()) {
      server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, DatanodeProtocolPB.class, captured);
    }
    return captured;
  }

  /** What every reply asks for from now on. */
  void ask(HeartbeatReply reply) {
    this.reply = reply;
  }

  /** The last report of a DataNode, or null. */
  HeartbeatReport of(String datanodeUuid) {
    return latest.get(datanodeUuid);
  }

  List<HeartbeatReport> all() {
    return new ArrayList<>(latest.values());
  }

  void forget() {
    latest.clear();
  }

  /** Reads of a block added up over all reports. */
  long readsOf(long blockId) {
    return reads.getOrDefault(blockId, 0L);
  }

  long heartbeats() {
    return heartbeats.get();
  }

  /** Reports that a NameNode would have dropped. */
  long broken() {
    return broken.get();
  }

  @Override
  public Message callBlockingMethod(MethodDescriptor method, RpcController rpc, Message request)
      throws ServiceException {
    Message response = hdfs.callBlockingMethod(method, rpc, request);
    if (!(request instanceof HeartbeatRequestProto heartbeat)) {
      return response;
    }
    heartbeats.incrementAndGet();
    ByteString payload = PiggybackField.find(heartbeat.getUnknownFields());
    if (payload != null) {
      keep(heartbeat.getRegistration().getDatanodeID().getDatanodeUuid(), payload.toByteArray());
    }
    return PiggybackField.attach(
        (HeartbeatResponseProto) response, HeartbeatReplyCodec.encode(reply));
  }

  private void keep(String datanodeUuid, byte[] payload) {
    ReportReader reader = new ReportReader();
    DropCause cause = reader.read(payload, 0, payload.length);
    if (cause != null) {
      broken.incrementAndGet();
      return;
    }
    for (BlockReads block : reader.topReads()) {
      reads.merge(block.blockId(), block.reads(), Long::sum);
    }
    latest.put(datanodeUuid, reader.toReport());
  }

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return hdfs.getDescriptorForType();
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return hdfs.getRequestPrototype(method);
  }

  @Override
  public Message getResponsePrototype(MethodDescriptor method) {
    return hdfs.getResponsePrototype(method);
  }
}
