package org.rackweave.hdfs.datanode;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.security.token.block.BlockPoolTokenSecretManager;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.util.Time;
import org.rackweave.erasure.BlockCoding;
import org.rackweave.hdfs.degraded.DecodeRequest;
import org.rackweave.hdfs.degraded.FramedBytes;
import org.rackweave.hdfs.degraded.Question;
import org.rackweave.hdfs.erasure.CoderSelection;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkReply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes ranges of blocks that have no replica, for clients that read them: checks the client's
 * block token, asks the NameNode what to read, reads the same range of other blocks of the stripe
 * with tokens of its own, and sends what that makes, and nothing else. Connections are secured as
 * HDFS's own transfers are.
 *
 * <p>A fixed number of threads; who comes when all are busy is told so at once and asks another.
 */
final class DecodeServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DecodeServer.class);
  private static final String THREAD = "rackweave-decode";
  private static final int BACKLOG = 128;
  private static final long REST_NANOS = 100_000_000;
  private static final long ANNOUNCE_MS = 60_000;
  private static final long LOOK_MS = 1_000;

  /** Ranges are short, and their first byte is waited for. */
  private static final int CHUNK_BYTES = 64 << 10;

  private final DataNode dataNode;
  private final ServerSocket socket;
  private final ThreadPoolExecutor readers;
  private final ExecutorService acceptor =
      Executors.newSingleThreadExecutor(HookTimer.daemons(THREAD));
  private final HookTimer announcer = new HookTimer(THREAD);
  private final CodingPool codings;

  /** When each NameNode was last told; only the announcer knows. */
  private final Map<NameNodeLine, Long> announcedAtMs = new HashMap<>();

  /**
   * Listens from now on.
   *
   * @param threads requests served at a time, at least 1
   * @throws IOException when the address is taken
   */
  DecodeServer(DataNode dataNode, InetSocketAddress address, int threads, CoderSelection coders)
      throws IOException {
    this.dataNode = dataNode;
    codings = new CodingPool(coders, threads, CHUNK_BYTES);
    readers =
        new ThreadPoolExecutor(
            0, threads, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), HookTimer.daemons(THREAD));
    socket = new ServerSocket();
    try {
      socket.setReuseAddress(true);
      socket.bind(address, BACKLOG);
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    acceptor.execute(this::accept);
    announcer.every(Hook.DECODE_ANNOUNCE, LOOK_MS, this::announce);
  }

  /**
   * Why connections could not be secured, each of which HDFS would refuse; empty when they can.
   *
   * @param isKerberosOn whether everybody has to prove who he is
   * @param port where it is to listen
   */
  static Optional<String> whyNot(boolean isKerberosOn, Configuration conf, int port) {
    boolean isSecured =
        !isKerberosOn
            || SecurityUtil.isPrivilegedPort(port)
            || conf.getBoolean(
                DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY,
                DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_DEFAULT)
            || !conf.getTrimmed(DFSConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "").isEmpty()
            || conf.getBoolean(
                DFSConfigKeys.IGNORE_SECURE_PORTS_FOR_TESTING_KEY,
                DFSConfigKeys.IGNORE_SECURE_PORTS_FOR_TESTING_DEFAULT);
    return isSecured
        ? Optional.empty()
        : Optional.of(
            "Kerberos is on, and neither "
                + DFSConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY
                + " nor "
                + DFSConfigKeys.DFS_ENCRYPT_DATA_TRANSFER_KEY
                + " is set, without which HDFS secures ports below 1024 only");
  }

  int port() {
    return socket.getLocalPort();
  }

  private void announce() {
    String uuid = dataNode.getDatanodeUuid();
    List<NameNodeLine> lines = uuid == null ? List.of() : NameNodeLines.of(uuid);
    announcedAtMs.keySet().retainAll(lines);
    long nowMs = Time.monotonicNow();
    for (NameNodeLine line : lines) {
      Long before = announcedAtMs.get(line);
      if (before == null || nowMs - before > ANNOUNCE_MS) {
        HookGuard.run(
            Hook.DECODE_ANNOUNCE,
            () -> {
              line.ask(new Question.Announcement(uuid, port()));
              announcedAtMs.put(line, nowMs);
            });
      }
    }
  }

  private void accept() {
    while (!socket.isClosed()) {
      boolean isAccepted = HookGuard.call(Hook.DECODE_ACCEPT, false, this::acceptOne);
      if (!isAccepted && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(REST_NANOS); // for want of memory or files the next fails, too
      }
    }
  }

  private boolean acceptOne() throws IOException {
    try {
      Socket client = socket.accept();
      try {
        readers.execute(() -> HookGuard.run(Hook.DECODE_REQUEST, () -> serve(client)));
      } catch (RejectedExecutionException | OutOfMemoryError e) {
        IOUtils.closeSocket(client);
      }
      return true;
    } catch (IOException e) {
      if (socket.isClosed()) {
        return true;
      }
      throw e;
    }
  }

  private void serve(Socket client) throws IOException {
    Peer peer = null;
    try {
      client.setTcpNoDelay(true);
      client.setSoTimeout(dataNode.getDnConf().getSocketTimeout());
      peer = DFSUtilClient.peerFromSocket(client);
      IOStreamPair streams =
          dataNode
              .getSaslServer()
              .receive(
                  peer,
                  peer.getOutputStream(),
                  peer.getInputStream(),
                  port(),
                  dataNode.getDatanodeId());
      DataInputStream in = new DataInputStream(new BufferedInputStream(streams.in));
      DataOutputStream out = new DataOutputStream(new BufferedOutputStream(streams.out));
      DecodeRequest request = DecodeRequest.read(in);
      FramedBytes.Sender sender = new FramedBytes.Sender(out);
      try {
        checkAccess(request);
        decode(request, sender);
        sender.end();
      } catch (IOException | RuntimeException e) {
        HookGuard.failed(Hook.DECODE_REQUEST, e);
        sender.fail(e);
      }
    } finally {
      IOUtils.closeStream(peer);
      IOUtils.closeSocket(client);
    }
  }

  private void checkAccess(DecodeRequest request) throws IOException {
    BlockPoolTokenSecretManager tokens = dataNode.getBlockPoolTokenSecretManager();
    ExtendedBlock block = request.block();
    boolean areRequired =
        dataNode
                .getConf()
                .getBoolean(
                    DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY,
                    DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_DEFAULT)
            || tokens.isBlockPoolRegistered(block.getBlockPoolId());
    if (areRequired) {
      tokens.checkAccess(request.token(), null, block, AccessMode.READ);
    }
  }

  private void decode(DecodeRequest request, FramedBytes.Sender sender) throws IOException {
    DecodeTask recipe = recipe(request.block(), Set.of());
    sender.grant();
    BlockCoding coding = codings.take(recipe.code());
    Set<String> unreachable = new LinkedHashSet<>();
    try {
      while (!isDecoded(recipe, request, coding, sender, unreachable)) {
        recipe = recipe(request.block(), unreachable);
      }
    } finally {
      codings.giveBack(coding);
    }
  }

  /**
   * Where several DataNodes fail at once, NameNodes know of none for minutes, and name them.
   *
   * @param unreachable takes a DataNode that was to be read from, when the answer is false
   * @throws IOException when there is no other way, or bytes have been sent already
   */
  private boolean isDecoded(
      DecodeTask recipe,
      DecodeRequest request,
      BlockCoding coding,
      FramedBytes.Sender sender,
      Set<String> unreachable)
      throws IOException {
    try {
      new StripeWork(new DataNodeOrigin(dataNode))
          .decodeRange(recipe, request.offset(), request.length(), coding, sender);
      return true;
    } catch (SourceFailedException e) {
      if (unreachable.size() == Question.Recipe.UNREACHABLE_MAX
          || !unreachable.add(e.datanodeUuid())) {
        throw e;
      }
      return false;
    }
  }

  private DecodeTask recipe(ExtendedBlock block, Set<String> unreachable) throws IOException {
    String uuid = dataNode.getDatanodeUuid();
    Question.Recipe question = Question.Recipe.of(uuid, block, List.copyOf(unreachable));
    IOException last = new IOException("no NameNode knows how to make " + block);
    for (NameNodeLine line : NameNodeLines.of(uuid, block.getBlockPoolId())) {
      try {
        Optional<byte[]> answer = line.ask(question);
        if (answer.isPresent()) {
          WorkReply reply = WorkCodec.reply(answer.get());
          if (reply.orders().size() == 1
              && reply.orders().get(0).task() instanceof DecodeTask recipe
              && question.isAnsweredBy(recipe)) {
            return recipe;
          }
        }
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }

  @Override
  public void close() {
    announcer.closeNow();
    readers.shutdownNow();
    try {
      socket.close();
    } catch (IOException e) {
      LOG.warn("Closing {} failed", socket, e);
    }
    acceptor.shutdownNow();
    codings.clear();
  }
}
