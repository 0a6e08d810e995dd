package org.rackweave.hdfs.datanode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.NNHAStatusHeartbeatProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.rackweave.hdfs.DaemonThreads;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.telemetry.BlockFigures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of blocks for which the NameNode names a rate: takes them out of HDFS's commands and has
 * the DataNode make them at that rate, and changes the rates of those under way. A rate holds until
 * the next reply of an active NameNode; what that does not mention any more goes on unlimited and
 * is forgotten. For {@link BlockFigures#CANCEL} a copy under way is ended, and one that has not
 * begun will not; that this is so is told on the next heartbeat.
 *
 * <p><b>A NameNode that is gone,</b> or has become a standby, names no rates. Copies keep the last
 * ones then, and those that are done leave theirs to others: all at once without a limit would fill
 * the links just when the next NameNode begins. After a long silence what is left goes on
 * unlimited: its rate may have been low, and nobody would raise it again.
 *
 * <p>Where the DataNode lacks the plugin, or anything is not as expected, HDFS's commands stay as
 * they are. At most {@link BlockFigures#MOST} transfers.
 *
 * <p>Thread-safe; transfers begin on a thread of their own, because a DataNode looks at the
 * replica's files first.
 */
final class PacedTransfers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PacedTransfers.class);
  private static final long THREAD_IDLE_MS = 60_000;

  private final Function<String, OwnTraffic> dataNodes;
  private final AgentMetrics metrics;
  private final long silenceMs;
  private final ScheduledThreadPoolExecutor starter = starter();
  private final Map<Long, Pace> paces = new LinkedHashMap<>();
  private Future<?> lapse;
  private long repliedNanos;
  private int held;

  /**
   * @param dataNodes finds a DataNode with the plugin by its UUID, {@code null} for others
   * @param silenceMs for how long rates hold without a reply of an active NameNode
   */
  PacedTransfers(Function<String, OwnTraffic> dataNodes, AgentMetrics metrics, long silenceMs) {
    this.dataNodes = dataNodes;
    this.metrics = metrics;
    this.silenceMs = silenceMs;
  }

  private static ScheduledThreadPoolExecutor starter() {
    ScheduledThreadPoolExecutor starter =
        new ScheduledThreadPoolExecutor(1, DaemonThreads.named("rackweave-transfers"));
    starter.setKeepAliveTime(THREAD_IDLE_MS, TimeUnit.MILLISECONDS);
    starter.allowCoreThreadTimeOut(true);
    starter.setRemoveOnCancelPolicy(true);
    return starter;
  }

  /**
   * How far transfers are, {@code null} where no rate could be enforced. Told also when there are
   * none: a NameNode that knows that copies will be held to their rates orders many at a time.
   */
  synchronized byte[] progress(String datanodeUuid) {
    if (dataNodes.apply(datanodeUuid) == null) {
      return null;
    }
    Map<Long, Long> done = new LinkedHashMap<>();
    paces.forEach(
        (block, pace) ->
            done.put(block, pace.isCancelled() ? BlockFigures.CANCELLED : pace.sentBytes()));
    return BlockFigures.encode(done);
  }

  /**
   * Follows a reply; a standby's changes nothing.
   *
   * @param encoded rates by block, {@code null} for none
   * @return the reply that is left for HDFS
   */
  synchronized HeartbeatResponseProto follow(
      byte[] encoded, HeartbeatResponseProto response, String datanodeUuid) {
    if (!isFromActive(response)) {
      paces.values().removeIf(Pace::isSent);
      countHeld();
      return response;
    }
    Map<Long, Long> rates = encoded == null ? Map.of() : BlockFigures.decode(encoded);
    OwnTraffic dataNode = rates == null || rates.isEmpty() ? null : dataNodes.apply(datanodeUuid);
    boolean isAsked = dataNode != null;
    Map<Long, Long> named = isAsked ? rates : Map.of();
    paces
        .entrySet()
        .removeIf(
            each -> {
              Long rate = named.get(each.getKey());
              adjust(each.getValue(), rate == null ? Pace.UNLIMITED : rate);
              return rate == null;
            });
    named.forEach(
        (block, rate) -> {
          if (rate == BlockFigures.CANCEL) {
            paces.computeIfAbsent(block, unknown -> neverBegun());
          }
        });
    HeartbeatResponseProto left = isAsked ? takeOut(named, response, dataNode) : response;
    paces.values().stream().filter(Pace::isSent).toList().forEach(this::leaveRate);
    countHeld();
    expectReply();
    return left;
  }

  /**
   * Gives the rate of a transfer that has sent its block to the slowest of the others, until the
   * NameNode, which does not know of it yet, says otherwise: the DataNode sends no more than it was
   * to.
   */
  private synchronized void leaveRate(Pace sent) {
    if (sent.bytesPerSec() == Pace.UNLIMITED) {
      return;
    }
    paces.values().stream()
        .filter(pace -> !pace.isSent() && !pace.isCancelled())
        .min(Comparator.comparingDouble(Pace::bytesPerSec))
        .ifPresent(slowest -> slowest.change(slowest.bytesPerSec() + sent.bytesPerSec()));
  }

  private void countHeld() {
    int now = 0;
    for (Pace pace : paces.values()) {
      now += pace.bytesPerSec() != Pace.UNLIMITED && !pace.isCancelled() ? 1 : 0;
    }
    metrics.copiesHeld(now - held);
    held = now;
  }

  private void expectReply() {
    repliedNanos = System.nanoTime();
    if (lapse != null) {
      lapse.cancel(false);
      lapse = null;
    }
    if (held > 0 && !starter.isShutdown()) {
      lapse =
          starter.scheduleWithFixedDelay(
              () -> HookGuard.run(Hook.TRANSFER_LAPSE, this::missReply),
              silenceMs,
              silenceMs,
              TimeUnit.MILLISECONDS);
    }
  }

  private synchronized void missReply() {
    if (System.nanoTime() - repliedNanos < TimeUnit.MILLISECONDS.toNanos(silenceMs)) {
      return; // a reply came in the very moment
    }
    LOG.warn(
        "No active NameNode has replied for {} ms; {} copies continue without a rate",
        silenceMs,
        held);
    letGo();
    expectReply(); // no more
  }

  private void letGo() {
    paces.values().forEach(pace -> pace.change(Pace.UNLIMITED));
    countHeld();
  }

  private static void adjust(Pace pace, double rate) {
    if (rate == BlockFigures.CANCEL) {
      pace.cancel();
    } else {
      pace.change(rate);
    }
  }

  private static Pace neverBegun() {
    Pace pace = new Pace(Pace.UNLIMITED, Long.MAX_VALUE, System::nanoTime, sent -> {});
    pace.cancel();
    return pace;
  }

  private static boolean isFromActive(HeartbeatResponseProto response) {
    return response.hasHaStatus()
        && response.getHaStatus().getState() == NNHAStatusHeartbeatProto.State.ACTIVE;
  }

  private HeartbeatResponseProto takeOut(
      Map<Long, Long> rates, HeartbeatResponseProto response, OwnTraffic dataNode) {
    List<DatanodeCommandProto> left = new ArrayList<>(response.getCmdsCount());
    boolean isChanged = false;
    for (DatanodeCommandProto command : response.getCmdsList()) {
      DatanodeCommandProto rest = isTransfer(command) ? rest(rates, command, dataNode) : command;
      isChanged |= rest != command;
      if (rest != null) {
        left.add(rest);
      }
    }
    return isChanged ? response.toBuilder().clearCmds().addAllCmds(left).build() : response;
  }

  private static boolean isTransfer(DatanodeCommandProto command) {
    return command.hasBlkCmd()
        && command.getBlkCmd().getAction() == BlockCommandProto.Action.TRANSFER;
  }

  /**
   * Starts what has a rate, unless it is cancelled; returns what has none, or {@code null} when all
   * have one.
   */
  private DatanodeCommandProto rest(
      Map<Long, Long> rates, DatanodeCommandProto command, OwnTraffic dataNode) {
    BlockCommand blocks = PBHelper.convert(command.getBlkCmd());
    BlockCommandProto.Builder rest = command.getBlkCmd().toBuilder();
    rest.clearBlocks().clearTargets().clearTargetStorageTypes().clearTargetStorageUuids();
    boolean hasTypes = command.getBlkCmd().getTargetStorageTypesCount() > 0;
    boolean hasIds = command.getBlkCmd().getTargetStorageUuidsCount() > 0;
    Map<Integer, Pace> started = new HashMap<>();
    boolean isCut = false;
    for (int i = 0; i < blocks.getBlocks().length; i++) {
      Block block = blocks.getBlocks()[i];
      Long rate = rates.get(block.getBlockId());
      if (rate != null) {
        isCut = true;
        if (rate != BlockFigures.CANCEL) {
          started.put(i, new Pace(rate, block.getNumBytes(), System::nanoTime, this::leaveRate));
        }
        continue;
      }
      rest.addBlocks(command.getBlkCmd().getBlocks(i))
          .addTargets(command.getBlkCmd().getTargets(i));
      if (hasTypes) {
        rest.addTargetStorageTypes(command.getBlkCmd().getTargetStorageTypes(i));
      }
      if (hasIds) {
        rest.addTargetStorageUuids(command.getBlkCmd().getTargetStorageUuids(i));
      }
    }
    if (!isCut || !start(blocks, started, dataNode)) {
      return command;
    }
    return rest.getBlocksCount() == 0 ? null : command.toBuilder().setBlkCmd(rest).build();
  }

  private boolean start(BlockCommand command, Map<Integer, Pace> started, OwnTraffic dataNode) {
    try {
      starter.execute(() -> started.forEach((i, pace) -> start(command, i, pace, dataNode)));
    } catch (RejectedExecutionException e) {
      return false; // the agent ends
    }
    started.forEach(
        (i, pace) -> {
          Pace before = paces.put(command.getBlocks()[i].getBlockId(), pace);
          if (before != null) {
            before.change(Pace.UNLIMITED); // nobody could change or end it any more
          }
        });
    return true;
  }

  private static void start(BlockCommand command, int i, Pace pace, OwnTraffic dataNode) {
    Block block = command.getBlocks()[i];
    HookGuard.run(
        Hook.TRANSFER_START,
        () ->
            dataNode.transfer(
                new ExtendedBlock(command.getBlockPoolId(), block),
                command.getTargets()[i],
                command.getTargetStorageTypes()[i],
                command.getTargetStorageIDs()[i],
                pace));
  }

  @Override
  public synchronized void close() {
    letGo();
    expectReply();
    starter.shutdown();
  }
}
