package org.rackweave.hdfs.ear;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.protocol.BlockCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeCommand;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;

/**
 * Replicas of deleted blocks whose bytes an encoded stripe still counts on. HDFS forgets a block
 * with its file and tells DataNodes on replies to their heartbeats to delete its replicas; for such
 * a block that order is taken out of the reply, whoever deleted the file and by whichever way, and
 * given when the stripe can do without.
 *
 * <p>Soft state, at most {@value #MAX} replicas of some 100 bytes. What it does not know any more,
 * after a restart, a failover, or for want of room, the DataNode keeps all the same: it reports a
 * replica that HDFS does not know, is told anew to delete it, and that is withheld again.
 *
 * <p>Thread-safe; whether a replica is needed is never asked under its lock.
 */
public final class WithheldReplicas {
  private static final int MAX = 1_000_000;

  /** As many as stock HDFS has deleted in one heartbeat. */
  private static final int ORDERS_PER_REPLY = 1000;

  private final String blockPool;
  private final Predicate<Block> needed;
  private final LongConsumer withheldNow;
  private final LongConsumer passedOn;

  /** By block id, then by the DataNode's UUID. */
  private final Map<Long, Map<String, Block>> held = new LinkedHashMap<>();

  /** By the DataNode's UUID. */
  private final Map<String, Deque<Block>> released = new HashMap<>();

  private int count;
  private volatile boolean hasReleased;

  /**
   * @param needed whether a deleted block's replica is to stay
   * @param withheldNow told the ids of blocks of which a replica has been withheld
   * @param passedOn told the ids of blocks of which a replica is deleted as HDFS wants it
   */
  public WithheldReplicas(
      String blockPool, Predicate<Block> needed, LongConsumer withheldNow, LongConsumer passedOn) {
    this.blockPool = blockPool;
    this.needed = needed;
    this.withheldNow = withheldNow;
    this.passedOn = passedOn;
  }

  /** The reply without the orders that would delete what is needed, and with those put off. */
  public HeartbeatResponseProto filter(String datanodeUuid, HeartbeatResponseProto reply) {
    HeartbeatResponseProto.Builder changed = null;
    for (int i = 0; i < reply.getCmdsCount(); i++) {
      DatanodeCommandProto command = reply.getCmds(i);
      DatanodeCommandProto less = isDeletion(command) ? withhold(datanodeUuid, command) : command;
      if (less != command) {
        changed = changed == null ? reply.toBuilder() : changed;
        changed.setCmds(i, less);
      }
    }
    Block[] put = hasReleased ? takeReleased(datanodeUuid) : null;
    if (put != null) {
      changed = changed == null ? reply.toBuilder() : changed;
      changed.addCmds(
          PBHelper.convert(
              (DatanodeCommand) new BlockCommand(DatanodeProtocol.DNA_INVALIDATE, blockPool, put)));
    }
    return changed == null ? reply : changed.build();
  }

  /** The reply without any order to delete. */
  public static HeartbeatResponseProto withoutDeletions(HeartbeatResponseProto reply) {
    HeartbeatResponseProto.Builder rest = reply.toBuilder().clearCmds();
    reply.getCmdsList().stream().filter(command -> !isDeletion(command)).forEach(rest::addCmds);
    return rest.build();
  }

  private static boolean isDeletion(DatanodeCommandProto command) {
    return command.getCmdType() == DatanodeCommandProto.Type.BlockCommand
        && command.getBlkCmd().getAction() == BlockCommandProto.Action.INVALIDATE;
  }

  private DatanodeCommandProto withhold(String datanodeUuid, DatanodeCommandProto command) {
    BlockCommandProto deletion = command.getBlkCmd();
    List<BlockProto> rest = new ArrayList<>(deletion.getBlocksCount());
    for (BlockProto named : deletion.getBlocksList()) {
      Block block = PBHelperClient.convert(named);
      if (needed.test(block)) {
        hold(datanodeUuid, block);
        withheldNow.accept(block.getBlockId());
      } else {
        rest.add(named);
        passedOn.accept(block.getBlockId());
      }
    }
    return rest.size() == deletion.getBlocksCount()
        ? command
        : command.toBuilder()
            .setBlkCmd(deletion.toBuilder().clearBlocks().addAllBlocks(rest))
            .build();
  }

  private synchronized void hold(String datanodeUuid, Block block) {
    if (count < MAX
        && held.computeIfAbsent(block.getBlockId(), id -> new HashMap<>(2)).put(datanodeUuid, block)
            == null) {
      count++;
    }
  }

  private synchronized Block[] takeReleased(String datanodeUuid) {
    Deque<Block> blocks = released.get(datanodeUuid);
    if (blocks == null) {
      return null;
    }
    Block[] taken = new Block[Math.min(blocks.size(), ORDERS_PER_REPLY)];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = blocks.remove();
    }
    if (blocks.isEmpty()) {
      released.remove(datanodeUuid);
      hasReleased = !released.isEmpty();
    }
    count -= taken.length;
    return taken;
  }

  /** The DataNodes that keep a replica of a deleted block, by UUID. */
  public synchronized List<String> holders(long blockId) {
    return List.copyOf(held.getOrDefault(blockId, Map.of()).keySet());
  }

  /** Has the replicas of a deleted block deleted at last. */
  public synchronized void release(long blockId) {
    Map<String, Block> replicas = held.remove(blockId);
    if (replicas != null) {
      replicas.forEach(
          (uuid, block) -> released.computeIfAbsent(uuid, one -> new ArrayDeque<>()).add(block));
      hasReleased = true;
    }
  }

  /** Releases what is not needed any more. */
  public void releaseUnneeded() {
    List<Block> all = new ArrayList<>();
    synchronized (this) {
      held.values().forEach(replicas -> all.addAll(replicas.values()));
    }
    all.stream().filter(needed.negate()).forEach(block -> release(block.getBlockId()));
  }

  /** Forgets everything: another NameNode gives the orders now. */
  public synchronized void clear() {
    held.clear();
    released.clear();
    hasReleased = false;
    count = 0;
  }

  /** Replicas withheld, or released and not yet deleted. */
  public synchronized int count() {
    return count;
  }
}
