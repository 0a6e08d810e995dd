package org.rackweave.hdfs.eafr;

import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetReplicationRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlocksProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.rackweave.hdfs.RpcInterceptor;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * Stands in front of the handler of client calls and notes which blocks readers are sent to, and
 * whose factor users set. Every call is handled first; its answer and exceptions are passed on as
 * they are, and nothing that happens here can fail a call.
 *
 * <p>A block in an answer counts as one read of the replica that the answer names first. A client
 * that opens a file hears of ten blocks at once and may read fewer; where agents report what
 * DataNodes serve, that is counted instead.
 */
public final class ReadInterceptor extends RpcInterceptor {
  private static final MethodDescriptor GET_BLOCK_LOCATIONS =
      ClientNamenodeProtocol.getDescriptor().findMethodByName("getBlockLocations");
  private static final MethodDescriptor SET_REPLICATION =
      ClientNamenodeProtocol.getDescriptor().findMethodByName("setReplication");

  private final ReadCounting counting;
  private final FactorListener factors;

  /** Hears of users' calls. */
  @FunctionalInterface
  public interface FactorListener {
    /** A user has set the factor of a file, which now is the file's own; must be quick. */
    void factorSet(String path);

    /** A reader has been sent to a DataNode, of whose blocks it reads one at a time. */
    default void sentTo(String datanodeUuid) {}
  }

  /**
   * @param next HDFS's own handler, or another interceptor
   */
  public ReadInterceptor(BlockingService next, ReadCounting counting, FactorListener factors) {
    super(next);
    this.counting = counting;
    this.factors = factors;
  }

  @Override
  public Message callBlockingMethod(MethodDescriptor method, RpcController rpc, Message request)
      throws ServiceException {
    Message response = answer(method, rpc, request);
    if (method == GET_BLOCK_LOCATIONS) {
      HookGuard.run(Hook.READ_CALL, () -> located((GetBlockLocationsResponseProto) response));
    } else if (method == SET_REPLICATION) {
      HookGuard.run(
          Hook.READ_CALL, () -> factors.factorSet(((SetReplicationRequestProto) request).getSrc()));
    }
    return response;
  }

  private void located(GetBlockLocationsResponseProto response) {
    if (!response.hasLocations() || !counting.isWanted()) {
      return;
    }
    LocatedBlocksProto blocks = response.getLocations();
    int size = blocks.getBlocksCount();
    long[] reads = new long[ReadLog.WIDTH * size];
    int at = 0;
    for (int i = 0; i < size; i++) {
      LocatedBlockProto block = blocks.getBlocks(i);
      if (block.getLocsCount() > 0) {
        reads[at++] = block.getB().getBlockId();
        reads[at++] = ServerKey.of(block.getLocs(0).getId().getDatanodeUuidBytes());
      }
    }
    if (size > 0 && blocks.getBlocks(0).getLocsCount() > 0) {
      factors.sentTo(blocks.getBlocks(0).getLocs(0).getId().getDatanodeUuid());
    }
    counting.located(reads, at / ReadLog.WIDTH);
  }
}
