package org.rackweave.hdfs.ear;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AbandonBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UpdatePipelineRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.LogThrottle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in front of HDFS's own handler of client calls and tells stripes what becomes of blocks:
 * their ids, whether they are abandoned, where a rebuilt pipeline goes. HDFS handles every call and
 * its answer and exceptions are passed on as they are; nothing that happens here can fail a call.
 */
public final class ClientTap implements BlockingService {
  private static final Logger LOG = LoggerFactory.getLogger(ClientTap.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();

  private static final MethodDescriptor ADD_BLOCK = method("addBlock");
  private static final MethodDescriptor ABANDON_BLOCK = method("abandonBlock");
  private static final MethodDescriptor UPDATE_PIPELINE = method("updatePipeline");
  private static final MethodDescriptor APPEND = method("append");

  private final BlockingService hdfs;
  private final StripeBook book;

  /**
   * @param hdfs HDFS's own handler
   * @param book who is told
   */
  public ClientTap(BlockingService hdfs, StripeBook book) {
    this.hdfs = hdfs;
    this.book = book;
  }

  private static MethodDescriptor method(String name) {
    return ClientNamenodeProtocol.getDescriptor().findMethodByName(name);
  }

  @Override
  public Message callBlockingMethod(MethodDescriptor method, RpcController rpc, Message request)
      throws ServiceException {
    if (method == ADD_BLOCK) {
      return addBlock(rpc, request);
    }
    Message response = hdfs.callBlockingMethod(method, rpc, request);
    try {
      if (method == ABANDON_BLOCK) {
        long blockId = ((AbandonBlockRequestProto) request).getB().getBlockId();
        book.withdraw(blockId, Time.monotonicNow());
      } else if (method == UPDATE_PIPELINE) {
        pipelineRebuilt((UpdatePipelineRequestProto) request);
      } else if (method == APPEND) {
        appended((AppendResponseProto) response);
      }
    } catch (RuntimeException e) {
      failed(e);
    }
    return response;
  }

  private Message addBlock(RpcController rpc, Message request) throws ServiceException {
    AddBlockCall call = AddBlockCall.begin(book);
    try {
      Message response = hdfs.callBlockingMethod(ADD_BLOCK, rpc, request);
      LocatedBlockProto block = ((AddBlockResponseProto) response).getBlock();
      Set<String> uuids = new HashSet<>();
      for (DatanodeInfoProto location : block.getLocsList()) {
        uuids.add(location.getId().getDatanodeUuid());
      }
      answered(call, block.getB().getBlockId(), uuids);
      return response;
    } finally {
      end(call);
    }
  }

  private static void answered(AddBlockCall call, long blockId, Set<String> uuids) {
    try {
      call.answered(blockId, uuids, Time.monotonicNow());
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private static void end(AddBlockCall call) {
    try {
      call.end(Time.monotonicNow());
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void pipelineRebuilt(UpdatePipelineRequestProto request) {
    List<String> uuids =
        request.getNewNodesList().stream().map(DatanodeIDProto::getDatanodeUuid).toList();
    book.moved(request.getNewBlock().getBlockId(), uuids, Time.monotonicNow());
  }

  /** The block appended to is written again, and is whole when it is closed. */
  private void appended(AppendResponseProto response) {
    if (response.hasBlock()) {
      book.withdraw(response.getBlock().getB().getBlockId(), Time.monotonicNow());
    }
  }

  private static void failed(RuntimeException cause) {
    if (ERROR_LOG.shouldLog()) {
      LOG.error("Stripes were not told of a block; it is in none until the next look", cause);
    }
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
