package org.rackweave.hdfs.namenode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.PiggybackField;
import org.rackweave.hdfs.ReportingHeartbeat;
import org.rackweave.hdfs.RpcInterceptor;
import org.rackweave.hdfs.dayu.NameNodeRecovery;
import org.rackweave.hdfs.eafr.EafrService;
import org.rackweave.hdfs.ear.EncodingService;
import org.rackweave.hdfs.ear.WithheldReplicas;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.telemetry.HeartbeatReply;
import org.rackweave.telemetry.HeartbeatReplyCodec;
import org.rackweave.telemetry.HeartbeatReportCodec;
import org.rackweave.telemetry.HeartbeatReportCodec.Leading;

/**
 * Stands in front of HDFS's own handler of DataNode calls and reads what agents put on their
 * heartbeats. HDFS handles every call and gets every exception; nothing that happens here can fail
 * a heartbeat or delay one by more than setting a few dozen bytes aside, and a few copies.
 */
public final class HeartbeatInterceptor extends RpcInterceptor {
  private static final MethodDescriptor HEARTBEAT = method("sendHeartbeat");
  private static final MethodDescriptor REGISTER = method("registerDatanode");
  private static final byte[] NONE = {};

  /** A heartbeat's most read blocks: more are no hot ones. */
  private static final HeartbeatReply COUNT_READS = new HeartbeatReply(200);

  /** What a reply without orders says, where reads are to be counted. */
  private static final byte[] ONLY_COUNT_READS = HeartbeatReplyCodec.encode(COUNT_READS);

  private final PlacementContext context;

  /** {@code null} where it has not started. */
  private final EncodingService encoding;

  /** {@code null} where it has not started, as the next one. */
  private final NameNodeRecovery recovery;

  private final EafrService eafr;

  /**
   * @param hdfs HDFS's own handler
   * @param context where reports go
   * @param encoding what has a say in deletions and answers questions, {@code null} for nobody
   * @param recovery what names rates of copies, {@code null} for nobody
   * @param eafr what times and moves replicas, {@code null} for nobody
   */
  public HeartbeatInterceptor(
      BlockingService hdfs,
      PlacementContext context,
      EncodingService encoding,
      NameNodeRecovery recovery,
      EafrService eafr) {
    super(hdfs);
    this.context = context;
    this.encoding = encoding;
    this.recovery = recovery;
    this.eafr = eafr;
  }

  private static MethodDescriptor method(String name) {
    return DatanodeProtocolService.getDescriptor().findMethodByName(name);
  }

  @Override
  public Message callBlockingMethod(MethodDescriptor method, RpcController rpc, Message request)
      throws ServiceException {
    if (request instanceof ReportingHeartbeat heartbeat) {
      Leading said =
          HookGuard.call(
              Hook.HEARTBEAT, Leading.NONE, () -> HeartbeatReportCodec.leading(heartbeat.report()));
      if (eafr != null) {
        HookGuard.run(Hook.HEARTBEAT, () -> eafr.heartbeat(uuid(heartbeat), said.namespaces()));
      }
      HeartbeatResponseProto response =
          (HeartbeatResponseProto) answer(method, rpc, forHdfs(heartbeat));
      HeartbeatResponseProto left =
          encoding == null ? response : withoutNeeded(uuid(heartbeat), response);
      return HookGuard.call(Hook.HEARTBEAT_ANSWER, left, () -> answer(heartbeat, said, left));
    }
    Message hinted =
        eafr != null && request instanceof BlockReceivedAndDeletedRequestProto report
            ? HookGuard.call(Hook.REPLICAS_RECEIVED, report, () -> eafr.hint(report))
            : request;
    Message response = answer(method, rpc, hinted);
    if (method == REGISTER) {
      context.topologyChanged();
    } else if (encoding != null && request instanceof VersionRequestProto question) {
      return HookGuard.call(
          Hook.DATANODE_QUESTION,
          response,
          () -> answer(question, (VersionResponseProto) response));
    } else if (eafr != null && hinted instanceof BlockReceivedAndDeletedRequestProto received) {
      HookGuard.run(Hook.REPLICAS_RECEIVED, () -> eafr.received(received));
    }
    return response;
  }

  private HeartbeatRequestProto forHdfs(ReportingHeartbeat heartbeat) {
    HeartbeatRequestProto stock = heartbeat.heartbeat();
    return recovery == null
        ? stock
        : HookGuard.call(Hook.HEARTBEAT, stock, () -> recovery.withoutOwnTransfers(stock));
  }

  /** Where that fails nothing is deleted, and HDFS orders it again. */
  private HeartbeatResponseProto withoutNeeded(String uuid, HeartbeatResponseProto response) {
    HeartbeatResponseProto left =
        HookGuard.call(Hook.DELETIONS, null, () -> encoding.withheld().filter(uuid, response));
    if (left == null) {
      HookGuard.run(Hook.DELETIONS, () -> encoding.withheld().putBack(uuid, response));
      return WithheldReplicas.withoutDeletions(response);
    }
    return left;
  }

  private Message answer(VersionRequestProto request, VersionResponseProto response)
      throws IOException {
    ByteString question = PiggybackField.find(request.getUnknownFields());
    byte[] answer =
        question == null
            ? null
            : encoding.decoding().answer(question.toByteArray(), Time.monotonicNow());
    return answer == null ? response : PiggybackField.attach(response, answer);
  }

  private static String uuid(ReportingHeartbeat heartbeat) {
    return heartbeat.heartbeat().getRegistration().getDatanodeID().getDatanodeUuid();
  }

  private HeartbeatResponseProto answer(
      ReportingHeartbeat heartbeat, Leading said, HeartbeatResponseProto response) {
    if (eafr != null) {
      eafr.answered(response);
    }
    if (heartbeat.report() == null) {
      return withOrders(heartbeat, response);
    }
    String uuid = uuid(heartbeat);
    context.reportArrived(uuid, heartbeat.report());
    byte[] orders = orders(uuid, said.work());
    byte[] rates = rates(uuid, said.transfers(), response);
    boolean counts = context.wantsReadCounts();
    byte[] payload;
    if (orders == null && rates == null) {
      payload = counts ? ONLY_COUNT_READS : null;
    } else {
      payload =
          HeartbeatReplyCodec.encode(
              counts ? COUNT_READS : HeartbeatReply.NOTHING,
              orders == null ? NONE : orders,
              rates == null ? NONE : rates);
    }
    // Behind whatever may fail: an order that is lost is made again minutes later.
    HeartbeatResponseProto ordered = withOrders(heartbeat, response);
    return payload == null ? ordered : PiggybackField.attach(ordered, payload);
  }

  private HeartbeatResponseProto withOrders(
      ReportingHeartbeat heartbeat, HeartbeatResponseProto response) {
    return recovery == null ? response : recovery.withOrders(heartbeat.heartbeat(), response);
  }

  /** Dayu's before EAFR's, of which there are none but from before recovery became active. */
  private byte[] rates(String datanodeUuid, byte[] transfers, HeartbeatResponseProto response) {
    byte[] dayus = recovery == null ? null : recovery.heard(datanodeUuid, transfers);
    byte[] eafrs = eafr == null ? null : eafr.rates(datanodeUuid, transfers != null, response);
    return dayus == null && eafrs != null && (recovery == null || !recovery.choosesCopies())
        ? eafrs
        : dayus;
  }

  /** Asks not even for the time when nobody has anything to do, which is nearly always. */
  private byte[] orders(String datanodeUuid, byte[] reports) {
    return reports == null && context.work().isIdle()
        ? null
        : context.work().heard(datanodeUuid, reports, Time.monotonicNow());
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor method) {
    return method == HEARTBEAT ? ReportingHeartbeat.prototype() : super.getRequestPrototype(method);
  }
}
