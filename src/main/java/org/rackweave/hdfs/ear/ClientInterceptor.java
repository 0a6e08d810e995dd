package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AbandonBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddBlockResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AppendResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CompleteRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.TruncateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UpdatePipelineRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeIDProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.DatanodeInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.GetXAttrsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.GetXAttrsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.XAttrProto.XAttrNamespaceProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.RpcInterceptor;
import org.rackweave.hdfs.degraded.Decoders;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.trial.WriteTrials;

/**
 * Stands in front of HDFS's own handler of client calls and tells stripes what becomes of blocks:
 * their ids, whether they are abandoned, where a rebuilt pipeline goes. HDFS handles every call and
 * its answer and exceptions are passed on as they are. Only where an encoded block would change may
 * a call fail here, see {@link EncodedFileGuard}.
 */
public final class ClientInterceptor extends RpcInterceptor {
  private static final MethodDescriptor ADD_BLOCK = method("addBlock");
  private static final MethodDescriptor ABANDON_BLOCK = method("abandonBlock");
  private static final MethodDescriptor UPDATE_PIPELINE = method("updatePipeline");
  private static final MethodDescriptor APPEND = method("append");
  private static final MethodDescriptor COMPLETE = method("complete");

  private final StripeRegistry registry;
  private final EncodedFileGuard guard;
  private final DegradedReads decoding;
  private final OutsideWork outside;
  private final WriteTrials trials;

  /**
   * @param hdfs HDFS's own handler
   * @param registry who is told
   * @param guard who is asked before blocks that are encoded change
   * @param decoding who knows which DataNodes decode
   * @param outside who has work for commands
   * @param trials who times the writes of blocks
   */
  public ClientInterceptor(
      BlockingService hdfs,
      StripeRegistry registry,
      EncodedFileGuard guard,
      DegradedReads decoding,
      OutsideWork outside,
      WriteTrials trials) {
    super(hdfs);
    this.registry = registry;
    this.guard = guard;
    this.decoding = decoding;
    this.outside = outside;
    this.trials = trials;
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
    long calledNanos = System.nanoTime();
    Message response = guarded(method, rpc, request);
    if (method == COMPLETE && !trials.isIdle()) {
      CompleteRequestProto last = (CompleteRequestProto) request;
      HookGuard.run(
          Hook.WRITE_TIMES,
          () -> written(last.hasLast(), last.getLast(), last.getFileId(), calledNanos));
    }
    HookGuard.run(Hook.CLIENT_CALL, () -> answered(method, request, response));
    return response;
  }

  private void answered(MethodDescriptor method, Message request, Message response)
      throws IOException {
    if (method == ABANDON_BLOCK) {
      AbandonBlockRequestProto given = (AbandonBlockRequestProto) request;
      registry.withdraw(given.getB().getBlockId(), Time.monotonicNow());
      trials.abandon(given.getFileId(), given.getB().getBlockId());
    } else if (method == UPDATE_PIPELINE) {
      pipelineRebuilt((UpdatePipelineRequestProto) request);
    } else if (method == APPEND) {
      appended((AppendResponseProto) response);
    }
  }

  private Message guarded(MethodDescriptor method, RpcController rpc, Message request)
      throws ServiceException {
    if (request instanceof GetXAttrsRequestProto asked && asksWhoDecodes(asked)) {
      Message answer = HookGuard.call(Hook.CLIENT_CALL, null, () -> whoDecodes(asked));
      return answer == null ? answer(method, rpc, request) : answer;
    }
    if (outside.isAskedIn(request)) {
      return fetchWork(request, answer(method, rpc, request));
    }
    if (!(request instanceof AppendRequestProto
        || request instanceof TruncateRequestProto
        || request instanceof ConcatRequestProto
        || request instanceof SetReplicationRequestProto)) {
      return answer(method, rpc, request);
    }
    HdfsCall<Message, ServiceException> call = new HdfsCall<>(() -> answer(method, rpc, request));
    Exception refused = HookGuard.call(Hook.FILE_GUARD, null, () -> change(request, call));
    if (call.isOver()) {
      return call.end();
    }
    if (refused instanceof ServiceException e) {
      throw e;
    }
    throw new ServiceException(
        refused == null
            ? new RetriableException("it is not known whether blocks of the file are encoded")
            : refused);
  }

  /** Who may have no work, or has to ask another NameNode, is told so. */
  private Message fetchWork(Message request, Message response) throws ServiceException {
    Object answer =
        HookGuard.call(
            Hook.CLIENT_CALL,
            response,
            () -> {
              try {
                return outside.answer(request, response);
              } catch (IOException e) {
                return e;
              }
            });
    if (answer instanceof IOException e) {
      throw new ServiceException(e);
    }
    return (Message) answer;
  }

  /** Has a file changed, or says why not. */
  private Exception change(Message request, HdfsCall<Message, ServiceException> call) {
    try {
      if (request instanceof AppendRequestProto append) {
        boolean newBlock =
            PBHelperClient.convertCreateFlag(append.getFlag()).get().contains(CreateFlag.NEW_BLOCK);
        guard.append(append.getSrc(), newBlock, call);
      } else if (request instanceof TruncateRequestProto truncate) {
        guard.truncate(truncate.getSrc(), truncate.getNewLength(), call);
      } else if (request instanceof SetReplicationRequestProto set) {
        guard.setReplication(set.getSrc(), set.getReplication(), call);
      } else {
        guard.concat(((ConcatRequestProto) request).getTrg(), call);
      }
      return null;
    } catch (IOException | ServiceException e) {
      return e;
    } catch (RuntimeException | Error e) {
      if (call.hasThrown(e)) {
        return null; // HDFS's own
      }
      throw e;
    }
  }

  /**
   * Older clients ask for an attribute of a user's; what a user may have set there is no answer.
   */
  private static boolean asksWhoDecodes(GetXAttrsRequestProto asked) {
    if (asked.getXAttrsCount() != 1 || !asked.getXAttrs(0).getName().equals(Decoders.NAME)) {
      return false;
    }
    XAttrNamespaceProto namespace = asked.getXAttrs(0).getNamespace();
    return namespace == XAttrNamespaceProto.SYSTEM || namespace == XAttrNamespaceProto.USER;
  }

  private Message whoDecodes(GetXAttrsRequestProto asked) throws IOException {
    Optional<byte[]> decoders = decoding.decodersFor(asked.getSrc(), Time.monotonicNow());
    return decoders
        .map(
            value ->
                GetXAttrsResponseProto.newBuilder()
                    .addXAttrs(asked.getXAttrs(0).toBuilder().setValue(ByteString.copyFrom(value)))
                    .build())
        .orElse(null);
  }

  private Message addBlock(RpcController rpc, Message request) throws ServiceException {
    long calledNanos = System.nanoTime();
    AddBlockCall call = HookGuard.call(Hook.CLIENT_CALL, null, () -> begin(request));
    if (call == null) {
      return answer(ADD_BLOCK, rpc, request);
    }
    try {
      Message response = answer(ADD_BLOCK, rpc, request);
      if (!trials.isIdle()) {
        AddBlockRequestProto next = (AddBlockRequestProto) request;
        HookGuard.run(
            Hook.WRITE_TIMES,
            () -> written(next.hasPrevious(), next.getPrevious(), next.getFileId(), calledNanos));
      }
      HookGuard.run(Hook.CLIENT_CALL, () -> added(call, (AddBlockResponseProto) response));
      return response;
    } finally {
      HookGuard.run(Hook.CLIENT_CALL, call::end);
    }
  }

  private AddBlockCall begin(Message request) {
    return AddBlockCall.begin(registry).forFile(((AddBlockRequestProto) request).getFileId());
  }

  /**
   * A client has said of a block, if of any, that all replicas have acknowledged all its bytes.
   * Only what HDFS has let it say of its own file counts, and as of when it was said.
   */
  private void written(boolean isAny, ExtendedBlockProto block, long fileId, long calledNanos) {
    if (isAny) {
      trials.end(
          fileId, block.getBlockId(), block.getGenerationStamp(), block.getNumBytes(), calledNanos);
    }
  }

  private void added(AddBlockCall call, AddBlockResponseProto response) {
    LocatedBlockProto block = response.getBlock();
    List<String> uuids = new ArrayList<>(block.getLocsCount());
    for (DatanodeInfoProto location : block.getLocsList()) {
      uuids.add(location.getId().getDatanodeUuid());
    }
    call.answered(block.getB().getBlockId(), uuids);
    WriteTrials.Write timed = call.write();
    if (timed != null) {
      ExtendedBlockProto allocated = block.getB();
      trials.begin(
          allocated.getBlockId(), allocated.getGenerationStamp(), timed, System.nanoTime());
    }
  }

  private void pipelineRebuilt(UpdatePipelineRequestProto request) {
    List<String> uuids =
        request.getNewNodesList().stream().map(DatanodeIDProto::getDatanodeUuid).toList();
    registry.moved(request.getNewBlock().getBlockId(), uuids, Time.monotonicNow());
  }

  /** The block appended to is written again, and is whole when it is closed. */
  private void appended(AppendResponseProto response) {
    if (response.hasBlock()) {
      registry.withdraw(response.getBlock().getB().getBlockId(), Time.monotonicNow());
    }
  }
}
