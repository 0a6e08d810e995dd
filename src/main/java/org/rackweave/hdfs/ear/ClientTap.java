package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AbandonBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UpdatePipelineRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.GetXAttrsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.GetXAttrsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.XAttrProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.XAttrProto.XAttrNamespaceProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.LogThrottle;
import org.rackweave.hdfs.degraded.Decoders;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in front of HDFS's own handler of client calls and tells stripes what becomes of blocks:
 * their ids, whether they are abandoned, where a rebuilt pipeline goes. HDFS handles every call and
 * its answer and exceptions are passed on as they are. Only where an encoded block would change may
 * a call fail here, see {@link EncodedFileGuard}.
 */
public final class ClientTap implements BlockingService {
  private static final Logger LOG = LoggerFactory.getLogger(ClientTap.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();

  private static final MethodDescriptor ADD_BLOCK = method("addBlock");
  private static final MethodDescriptor ABANDON_BLOCK = method("abandonBlock");
  private static final MethodDescriptor UPDATE_PIPELINE = method("updatePipeline");
  private static final MethodDescriptor APPEND = method("append");
  private static final MethodDescriptor SET_REPLICATION = method("setReplication");

  private final BlockingService hdfs;
  private final StripeBook book;
  private final EncodedFileGuard guard;
  private final DecodeDesk decoding;

  /**
   * @param hdfs HDFS's own handler
   * @param book who is told
   * @param guard who is asked before blocks that are encoded change
   * @param decoding who knows which DataNodes decode
   */
  public ClientTap(
      BlockingService hdfs, StripeBook book, EncodedFileGuard guard, DecodeDesk decoding) {
    this.hdfs = hdfs;
    this.book = book;
    this.guard = guard;
    this.decoding = decoding;
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
    Message response = guarded(method, rpc, request);
    try {
      if (method == ABANDON_BLOCK) {
        long blockId = ((AbandonBlockRequestProto) request).getB().getBlockId();
        book.withdraw(blockId, Time.monotonicNow());
      } else if (method == UPDATE_PIPELINE) {
        pipelineRebuilt((UpdatePipelineRequestProto) request);
      } else if (method == APPEND) {
        appended((AppendResponseProto) response);
      } else if (method == SET_REPLICATION) {
        SetReplicationRequestProto set = (SetReplicationRequestProto) request;
        guard.replicationSet(set.getSrc(), set.getReplication());
      }
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
    return response;
  }

  private Message guarded(MethodDescriptor method, RpcController rpc, Message request)
      throws ServiceException {
    EncodedFileGuard.Call<Message, ServiceException> call =
        () -> hdfs.callBlockingMethod(method, rpc, request);
    try {
      if (request instanceof AppendRequestProto append) {
        boolean newBlock =
            PBHelperClient.convertCreateFlag(append.getFlag()).get().contains(CreateFlag.NEW_BLOCK);
        return guard.append(append.getSrc(), newBlock, call);
      }
      if (request instanceof TruncateRequestProto truncate) {
        return guard.truncate(truncate.getSrc(), truncate.getNewLength(), call);
      }
      if (request instanceof ConcatRequestProto concat) {
        return guard.concat(concat.getTrg(), call);
      }
      if (request instanceof GetXAttrsRequestProto asked && asksWhoDecodes(asked)) {
        Optional<byte[]> decoders = decoding.decodersFor(asked.getSrc(), Time.monotonicNow());
        return decoders.isPresent() ? whoDecodes(asked, decoders.get()) : call.answer();
      }
    } catch (IOException e) {
      throw new ServiceException(e);
    }
    return call.answer();
  }

  private static boolean asksWhoDecodes(GetXAttrsRequestProto asked) {
    return asked.getXAttrsCount() == 1
        && asked.getXAttrs(0).getNamespace() == XAttrNamespaceProto.USER
        && asked.getXAttrs(0).getName().equals(Decoders.NAME);
  }

  private static Message whoDecodes(GetXAttrsRequestProto asked, byte[] decoders) {
    XAttrProto attribute =
        asked.getXAttrs(0).toBuilder().setValue(ByteString.copyFrom(decoders)).build();
    return GetXAttrsResponseProto.newBuilder().addXAttrs(attribute).build();
  }

  private Message addBlock(RpcController rpc, Message request) throws ServiceException {
    AddBlockCall call = AddBlockCall.begin(book);
    try {
      Message response = hdfs.callBlockingMethod(ADD_BLOCK, rpc, request);
      LocatedBlockProto block = ((AddBlockResponseProto) response).getBlock();
      List<String> uuids = new ArrayList<>(block.getLocsCount());
      for (DatanodeInfoProto location : block.getLocsList()) {
        uuids.add(location.getId().getDatanodeUuid());
      }
      answered(call, block.getB().getBlockId(), uuids);
      return response;
    } finally {
      end(call);
    }
  }

  private static void answered(AddBlockCall call, long blockId, List<String> uuids) {
    try {
      call.answered(blockId, uuids);
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private static void end(AddBlockCall call) {
    try {
      call.end();
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

  private static void failed(Exception cause) {
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
