package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.ipc.RpcInvocationHandler;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.rackweave.hdfs.DaemonThreads;
import org.rackweave.hdfs.PiggybackField;
import org.rackweave.hdfs.degraded.NameNodeQuery;

/**
 * A DataNode's way to ask one of its NameNodes something at once, and not on the next heartbeat: on
 * the back of a call for the NameNode's version, the cheapest there is. Thread-safe.
 */
final class NameNodeChannel {
  private static final Method VERSION_REQUEST = versionRequest();

  private static final ExecutorService CALLS =
      Executors.newCachedThreadPool(DaemonThreads.numbered("rackweave-ask"));

  private final RpcInvocationHandler hadoop;
  private final int callsMax;
  private final Semaphore calls;

  /** Of the NameNode's namespace; {@code null} until it has told its version, the first call. */
  private volatile String blockPool;

  /**
   * @param callsMax calls that may wait for the NameNode
   */
  NameNodeChannel(RpcInvocationHandler hadoop, int callsMax) {
    this.hadoop = hadoop;
    this.callsMax = callsMax;
    calls = new Semaphore(callsMax);
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
   * Asks. A waiting thread has to give up by itself: where a NameNode's host is down, Hadoop tries
   * to reach it for a quarter of an hour. It is asked nothing more while as many calls as may wait
   * for it.
   *
   * @return the answer, or else an {@code IOException} or what Hadoop has thrown; empty when the
   *     NameNode has none, as on a standby or without Rackweave
   */
  CompletableFuture<Optional<byte[]>> ask(NameNodeQuery question) {
    CompletableFuture<Optional<byte[]>> answer = new CompletableFuture<>();
    if (!calls.tryAcquire()) {
      answer.completeExceptionally(
          new IOException(callsMax + " calls wait for a NameNode that does not answer"));
      return answer;
    }
    try {
      CALLS.execute(
          () -> {
            try {
              answer.complete(call(question));
            } catch (Throwable e) { // reported to the waiting thread
              answer.completeExceptionally(e);
            } finally {
              calls.release();
            }
          });
    } catch (RuntimeException | Error e) { // there is no thread
      calls.release();
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private Optional<byte[]> call(NameNodeQuery question) throws IOException {
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
