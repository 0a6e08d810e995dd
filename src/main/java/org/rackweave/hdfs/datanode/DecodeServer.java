package org.rackweave.hdfs.datanode;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.degraded.DecodeRequest;
import org.rackweave.hdfs.degraded.FramedBytes;
import org.rackweave.hdfs.degraded.NameNodeQuery;
import org.rackweave.hdfs.erasure.CoderSelection;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.MoveTask;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.Task;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkOrder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decodes ranges of blocks that have no replica, for clients that read them: checks the client's
 * block token, asks the NameNode what to read, reads the same range of other blocks of the stripe
 * with tokens of its own, and sends what that makes, and nothing else. Connections are secured as
 * HDFS's own transfers are.
 *
 * <p>Who reads what one replica still has is sent that and costs no decoding. What is read of other
 * DataNodes for all clients together keeps to a rate; {@link DecodeListener} bounds the rest.
 */
final class DecodeServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DecodeServer.class);
  private static final String THREAD = "rackweave-decode";
  private static final long ANNOUNCE_MS = 60_000;
  private static final long LOOK_MS = 1_000;

  /** NameNodes may take so long to answer; a client waits for a minute. */
  private static final long ANSWER_MS = 20_000;

  /**
   * A machine that is gone refuses no connection, and HDFS would wait a minute for it, as long as
   * the client waits for the first byte. In this time a connection is asked for three times.
   */
  private static final int CONNECT_MS = 5_000;

  /** HDFS calls a DataNode stale that has been silent for so long. */
  private static final long GONE_MS = 30_000;

  /** Leaves room to name more. */
  private static final int GONE_MAX = NameNodeQuery.Recipe.UNREACHABLE_MAX / 2;

  /** Ranges are short, and their first byte is waited for. */
  private static final int CHUNK_BYTES = 64 << 10;

  private final DataNode dataNode;
  private final AgentMetrics metrics = AgentMetrics.ofThisProcess();
  private final DecodeListener listener;
  private final HookTimer announcer = new HookTimer(THREAD);
  private final CodingPool codings;

  private final DecodePace pace;

  /** What each NameNode was last told; only the announcer knows. */
  private final Map<NameNodeChannel, Announced> announced = new HashMap<>();

  private int announcedPort;

  /** When other DataNodes did not answer; kept for {@value #GONE_MS} ms. */
  private final Map<String, Long> goneAtMs = new ConcurrentHashMap<>();

  private record Announced(long atMs, CompletableFuture<?> answer) {
    /** A NameNode that has not answered is not told again. */
    boolean isToBeRepeated(long nowMs) {
      return answer.isDone() && (answer.isCompletedExceptionally() || nowMs - atMs > ANNOUNCE_MS);
    }
  }

  /**
   * Listens from now on, or as soon as that can be.
   *
   * @param mayMove whether it may listen at another port when this one is taken
   */
  DecodeServer(
      DataNode dataNode,
      InetSocketAddress address,
      boolean mayMove,
      AgentConfig config,
      CoderSelection coders) {
    this.dataNode = dataNode;
    codings = new CodingPool(coders, config.decodeThreads(), CHUNK_BYTES);
    pace = new DecodePace(config.decodeBytesPerSec(), Throttle.Clock.SYSTEM);
    listener =
        new DecodeListener(
            address,
            mayMove,
            DecodeListener.Limits.of(config.decodeThreads()),
            metrics,
            this::serve);
    listener.start();
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

  private void announce() {
    String uuid = dataNode.getDatanodeUuid();
    List<NameNodeChannel> lines = uuid == null ? List.of() : NameNodeChannels.of(uuid);
    announced.keySet().retainAll(lines);
    int port = listener.port();
    if (port != announcedPort) {
      announced.clear();
      announcedPort = port;
    }
    if (port == 0) {
      return;
    }
    long nowMs = Time.monotonicNow();
    for (NameNodeChannel line : lines) {
      Announced before = announced.get(line);
      if (before == null || before.isToBeRepeated(nowMs)) {
        CompletableFuture<?> answer = line.ask(new NameNodeQuery.Announcement(uuid, port));
        announced.put(line, new Announced(nowMs, answer));
        answer.exceptionally(
            e -> {
              HookGuard.failed(Hook.DECODE_ANNOUNCE, e);
              return null;
            });
      }
    }
  }

  private void serve(DecodeClient client) throws IOException {
    Socket socket = client.socket();
    Peer peer = null;
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(dataNode.getDnConf().getSocketTimeout());
      peer = DFSUtilClient.peerFromSocket(socket);
      IOStreamPair streams =
          dataNode
              .getSaslServer()
              .receive(
                  peer,
                  peer.getOutputStream(),
                  peer.getInputStream(),
                  socket.getLocalPort(),
                  dataNode.getDatanodeId());
      DataInputStream in = new DataInputStream(new BufferedInputStream(streams.in));
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(client.timed(streams.out)));
      DecodeRequest request = DecodeRequest.read(in);
      client.hasAsked();
      FramedBytes.Sender sender = new FramedBytes.Sender(out);
      try {
        checkAccess(request);
        listener.inTurn(client, () -> send(request, sender));
        sender.end();
      } catch (IOException | RuntimeException e) {
        if (client.isGone()) {
          return;
        }
        if (!(e instanceof DecodeListener.BusyException)) {
          HookGuard.failed(Hook.DECODE_REQUEST, e);
        }
        sender.fail(e);
      }
    } finally {
      IOUtils.closeStream(peer);
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

  private void send(DecodeRequest request, FramedBytes.Sender sender) throws IOException {
    Set<String> unreachable = gone();
    Task recipe;
    try {
      recipe = recipe(request.block(), unreachable);
    } catch (IOException e) {
      if (unreachable.isEmpty()) {
        throw e;
      }
      unreachable.clear(); // maybe one of them is back
      recipe = recipe(request.block(), unreachable);
    }
    sender.grant();
    while (!isSent(recipe, request, sender, unreachable)) {
      recipe = recipe(request.block(), unreachable);
    }
  }

  /** Who did not answer a moment ago: each request would wait for it again. */
  private Set<String> gone() {
    long sinceMs = Time.monotonicNow() - GONE_MS;
    goneAtMs.values().removeIf(atMs -> atMs < sinceMs);
    Set<String> gone = new LinkedHashSet<>();
    goneAtMs.keySet().stream().limit(GONE_MAX).forEach(gone::add);
    return gone;
  }

  /**
   * Where several DataNodes fail at once, NameNodes know of none for minutes, and name them.
   *
   * @param unreachable takes a DataNode that was to be read from, when the answer is false; what it
   *     has sent before need not be sent again
   * @throws IOException when there is no other way
   */
  private boolean isSent(
      Task recipe, DecodeRequest request, FramedBytes.Sender sender, Set<String> unreachable)
      throws IOException {
    long offset = request.offset() + sender.sentBytes();
    long length = request.length() - sender.sentBytes();
    StripeWork work = new StripeWork(new DataNodeOrigin(dataNode, CONNECT_MS));
    try {
      if (recipe instanceof MoveTask there) {
        work.copyRange(there.from(), offset, length, sender, pace.of(there));
        metrics.replicaRangeSent();
      } else if (recipe instanceof DecodeTask task) {
        if (!isProven(work, task, offset, length, sender)) {
          metrics.disproved();
          withoutOne(task, request, sender, unreachable);
        }
        metrics.rangeDecoded();
      }
      return true;
    } catch (SourceFailedException e) {
      if (unreachable.size() == NameNodeQuery.Recipe.UNREACHABLE_MAX
          || !unreachable.add(e.datanodeUuid())) {
        throw e;
      }
      goneAtMs.put(e.datanodeUuid(), Time.monotonicNow());
      return false;
    }
  }

  /** Whether all could be sent, and not only what came before something that is disproved. */
  private boolean isProven(
      StripeWork work, DecodeTask task, long offset, long length, FramedBytes.Sender sender)
      throws IOException {
    long end = Math.min(offset + length, task.wanted().get(0).block().getBlockSize());
    BlockCoding coding = codings.take(task.code());
    try {
      return work.decodeRange(task, offset, length, coding, sender, pace.of(task)) >= end;
    } finally {
      codings.giveBack(coding);
    }
  }

  /**
   * Goes on without one of the blocks that were read, which one of them is not what was encoded.
   * Where all the others are read again it is certain that it is this one, and HDFS is told, so
   * that it is made again.
   *
   * @throws DisprovedException when it does not go on to the end
   */
  private void withoutOne(
      DecodeTask disproved,
      DecodeRequest request,
      FramedBytes.Sender sender,
      Set<String> unreachable)
      throws IOException {
    DataNodeOrigin origin = new DataNodeOrigin(dataNode, CONNECT_MS);
    for (StripeUnit suspect : disproved.sources()) {
      Set<String> without = new LinkedHashSet<>(unreachable);
      without.add(suspect.block().getLocations()[0].getDatanodeUuid());
      long before = sender.sentBytes();
      boolean isWhole;
      boolean isCertain;
      try {
        DecodeTask task = recipe(request.block(), without) instanceof DecodeTask one ? one : null;
        isCertain = task != null && task.readsAllOf(disproved, suspect);
        isWhole =
            task != null
                && isProven(
                    new StripeWork(origin),
                    task,
                    request.offset() + before,
                    request.length() - before,
                    sender);
      } catch (SourceFailedException e) {
        if (unreachable.size() < NameNodeQuery.Recipe.UNREACHABLE_MAX) {
          unreachable.add(e.datanodeUuid());
        }
        continue;
      } catch (IOException e) {
        continue; // it is needed
      }
      if (isCertain && sender.sentBytes() > before) {
        LOG.warn(
            "{} on {} does not match its stripe: it decodes {} to other data",
            suspect.block().getBlock(),
            suspect.block().getLocations()[0],
            request.block());
        origin.reportCorrupt(suspect.block());
      }
      if (isWhole) {
        return;
      }
    }
    throw new DisprovedException(
        request.block() + " cannot be made as it was encoded: blocks of its stripe were changed");
  }

  private Task recipe(ExtendedBlock block, Set<String> unreachable) throws IOException {
    String uuid = dataNode.getDatanodeUuid();
    NameNodeQuery.Recipe question = NameNodeQuery.Recipe.of(uuid, block, List.copyOf(unreachable));
    return NameNodeChannels.ask(
            NameNodeChannels.of(uuid, block.getBlockPoolId()),
            question,
            answer ->
                WorkCodec.reply(answer).orders().stream()
                    .map(WorkOrder::task)
                    .filter(question::isAnsweredBy)
                    .findFirst(),
            ANSWER_MS)
        .orElseThrow(() -> new IOException("no NameNode knows how to make " + block));
  }

  @Override
  public void close() {
    announcer.closeNow();
    listener.close();
    codings.clear();
  }
}
