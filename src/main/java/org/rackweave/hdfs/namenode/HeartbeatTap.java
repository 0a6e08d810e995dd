package org.rackweave.hdfs.namenode;

import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.PiggybackField;
import org.rackweave.telemetry.DropCause;
import org.rackweave.telemetry.HeartbeatReply;
import org.rackweave.telemetry.HeartbeatReplyCodec;
import org.rackweave.telemetry.HeartbeatReport;
import org.rackweave.telemetry.ReportReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in front of HDFS's own handler of DataNode calls and reads what agents put on their
 * heartbeats. HDFS handles every call first and gets every exception; nothing that happens here can
 * fail a heartbeat or delay one by more than the decoding of a few dozen bytes.
 */
public final class HeartbeatTap implements BlockingService {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatTap.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();
  private static final MethodDescriptor HEARTBEAT = method("sendHeartbeat");
  private static final MethodDescriptor REGISTER = method("registerDatanode");

  /** One RPC handler thread decodes one payload at a time. */
  private static final class Scratch {
    final ReportReader reader = new ReportReader();
    final byte[] bytes = new byte[HeartbeatReport.MAX_ENCODED_BYTES];
  }

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  private final BlockingService hdfs;
  private final PlacementContext context;
  private final byte[] reply;

  /**
   * @param hdfs HDFS's own handler
   * @param context where reports go
   */
  public HeartbeatTap(BlockingService hdfs, PlacementContext context) {
    this.hdfs = hdfs;
    this.context = context;
    int topReads = context.config().readCountsTopK();
    reply = topReads == 0 ? null : HeartbeatReplyCodec.encode(new HeartbeatReply(topReads));
  }

  private static MethodDescriptor method(String name) {
    return DatanodeProtocolService.getDescriptor().findMethodByName(name);
  }

  @Override
  public Message callBlockingMethod(MethodDescriptor method, RpcController rpc, Message request)
      throws ServiceException {
    Message response = hdfs.callBlockingMethod(method, rpc, request);
    try {
      if (method == HEARTBEAT) {
        return afterHeartbeat((HeartbeatRequestProto) request, (HeartbeatResponseProto) response);
      }
      if (method == REGISTER) {
        context.topologyChanged();
      }
    } catch (RuntimeException e) {
      context.collector().drop(DropCause.MALFORMED);
      if (ERROR_LOG.shouldLog()) {
        LOG.error("Reading an agent's report failed; the heartbeat itself is not affected", e);
      }
    }
    return response;
  }

  private Message afterHeartbeat(HeartbeatRequestProto request, HeartbeatResponseProto response) {
    ByteString payload = PiggybackField.find(request.getUnknownFields());
    if (payload == null) {
      return response;
    }
    DropCause cause = read(payload);
    if (cause != null) {
      context.collector().drop(cause);
      return response;
    }
    context
        .collector()
        .accept(
            request.getRegistration().getDatanodeID().getDatanodeUuid(),
            SCRATCH.get().reader,
            Time.monotonicNow(),
            Time.now());
    return reply == null ? response : PiggybackField.attach(response, reply);
  }

  private static DropCause read(ByteString payload) {
    int length = payload.size();
    if (length > HeartbeatReport.MAX_ENCODED_BYTES) {
      return DropCause.OVERSIZED;
    }
    Scratch scratch = SCRATCH.get();
    payload.copyTo(scratch.bytes, 0);
    return scratch.reader.read(scratch.bytes, 0, length);
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
