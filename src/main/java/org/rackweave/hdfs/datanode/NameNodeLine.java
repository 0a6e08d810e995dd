package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.rackweave.hdfs.PiggybackField;
import org.rackweave.hdfs.degraded.Question;

/**
 * A DataNode's way to ask one of its NameNodes something at once, and not on the next heartbeat: on
 * the back of a call for the NameNode's version, the cheapest there is. Thread-safe.
 */
final class NameNodeLine {
  private static final Method VERSION_REQUEST = versionRequest();

  private final RpcInvocationHandler hadoop;

  /** Of the NameNode's namespace; {@code null} until it has told its version, the first call. */
  private volatile String blockPool;

  NameNodeLine(RpcInvocationHandler hadoop) {
    this.hadoop = hadoop;
  }

  /** The NameNode has told its version. */
  void heard(VersionResponseProto response) {
    blockPool = response.getInfo().getBlockPoolID();
  }

  String blockPool() {
    return blockPool;
  }

  private static Method versionRequest() {
    try {
      return DatanodeProtocolPB.class.getMethod(
          "versionRequest", RpcController.class, VersionRequestProto.class);
    } catch (NoSuchMethodException e) {
      throw new AssertionError(DatanodeProtocolService.getDescriptor().getFullName(), e);
    }
  }

  /**
   * Asks and waits for the answer.
   *
   * @return empty when the NameNode has none, as on a standby or without Rackweave
   */
  Optional<byte[]> ask(Question question) throws IOException {
    VersionRequestProto call =
        PiggybackField.attach(VersionRequestProto.getDefaultInstance(), question.toBytes());
    Object response;
    try {
      response = hadoop.invoke(null, VERSION_REQUEST, new Object[] {null, call});
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException("asking the NameNode failed: " + e.getMessage(), e);
    }
    ByteString answer = PiggybackField.find(((VersionResponseProto) response).getUnknownFields());
    return Optional.ofNullable(answer).map(ByteString::toByteArray);
  }
}
