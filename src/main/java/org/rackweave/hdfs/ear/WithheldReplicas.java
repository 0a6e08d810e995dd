package org.rackweave.hdfs.ear;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.BlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.LogThrottle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas of deleted blocks whose bytes an encoded stripe still counts on. HDFS forgets a block
 * with its file and tells DataNodes on replies to their heartbeats to delete its replicas; for such
 * a block that order is taken out of the reply, whatever call deleted the file. When the stripe can
 * do without, the order is put back into HDFS's own queue, from which it comes again.
 *
 * <p>So it is at once, and remembered by nobody here, while it is not known which blocks stripes
 * count on, and for more than {@value #MAX} replicas: HDFS has these orders in its memory as it has
 * them before it gives them. Nothing is ever let go because time has passed; that only raises an
 * alarm.
 *
 * <p>Soft state, some 200 bytes a replica. What it does not know any more, after a restart or a
 * failover, the DataNode keeps all the same: it reports a replica that HDFS does not know, is told
 * anew to delete it, and that is withheld again. HDFS passes over such replicas in the first full
 * report of a DataNode, so until the next one {@link ReplicaSearch} asks who has them.
 *
 * <p>Thread-safe; whether a replica is needed is never asked under its lock.
 */
public final class WithheldReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(WithheldReplicas.class);
  private static final LogThrottle ALARM = LogThrottle.oncePerMinute();
  private static final int MAX = 1_000_000;

  /** How long deletions may wait for stripes to be read before that is an error. */
  private static final long ALARM_AFTER_MS = 60_000;

  /** For who reads the log, or asks for the state of stripes. */
  static final String WHAT_TO_DO =
      "this NameNode has not read the encoded stripes yet, or cannot read all of them"
          + " (EncodedStripesUnreadable). If that does not end, look for errors of"
          + " rackweave-encoding in its log, and whether DataNodes are registered and it is out of"
          + " safe mode; a failover to another NameNode has that read them";

  private static final long NOTHING_WAITS = -1;

  /** HDFS's own queue of replicas to delete. */
  interface DeletionQueue {
    /** Those of some blocks that belong to no file, in one short hold of the read lock. */
    List<Block> ofNoFile(List<Block> blocks);

    /**
     * Has replicas on a DataNode deleted later: HDFS orders it anew in its own time. Those of a
     * DataNode that is dead it orders when that comes back and reports them.
     */
    void deleteLater(String datanodeUuid, List<Block> replicas);
  }

  private final BooleanSupplier areStripesKnown;
  private final Predicate<Block> needed;
  private final DeletionQueue queue;
  private final LongConsumer withheldNow;
  private final LongConsumer passedOn;
  private final int max;

  /** By block id, then by the DataNode's UUID. */
  private final Map<Long, Map<String, Block>> held = new LinkedHashMap<>();

  private int count;

  /** Since when deletions have waited for stripes to be known, monotonic. */
  private final AtomicLong waitingSinceMs = new AtomicLong(NOTHING_WAITS);

  private final LongAdder putBack = new LongAdder();

  /**
   * @param areStripesKnown whether it is known of every block whether a stripe counts on it
   * @param needed whether a deleted block's replica is to stay, asked when that is known
   * @param withheldNow told the ids of blocks of which a replica has been withheld
   * @param passedOn told the ids of blocks of which a replica is deleted as HDFS wants it
   */
  WithheldReplicas(
      BooleanSupplier areStripesKnown,
      Predicate<Block> needed,
      DeletionQueue queue,
      LongConsumer withheldNow,
      LongConsumer passedOn) {
    this(areStripesKnown, needed, queue, withheldNow, passedOn, MAX);
  }

  /**
   * @param max replicas that are remembered
   */
  WithheldReplicas(
      BooleanSupplier areStripesKnown,
      Predicate<Block> needed,
      DeletionQueue queue,
      LongConsumer withheldNow,
      LongConsumer passedOn,
      int max) {
    this.areStripesKnown = areStripesKnown;
    this.needed = needed;
    this.queue = queue;
    this.withheldNow = withheldNow;
    this.passedOn = passedOn;
    this.max = max;
  }

  /** The reply without the orders that would delete what is needed, or may be. */
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
    return changed == null ? reply : changed.build();
  }

  /** The reply without any order to delete. */
  public static HeartbeatResponseProto withoutDeletions(HeartbeatResponseProto reply) {
    HeartbeatResponseProto.Builder rest = reply.toBuilder().clearCmds();
    reply.getCmdsList().stream().filter(command -> !isDeletion(command)).forEach(rest::addCmds);
    return rest.build();
  }

  /** Has HDFS give all orders to delete of a reply once more, later. */
  public void putBack(String datanodeUuid, HeartbeatResponseProto reply) {
    for (DatanodeCommandProto command : reply.getCmdsList()) {
      if (isDeletion(command)) {
        putBack(datanodeUuid, blocks(command));
      }
    }
  }

  private static boolean isDeletion(DatanodeCommandProto command) {
    return command.getCmdType() == DatanodeCommandProto.Type.BlockCommand
        && command.getBlkCmd().getAction() == BlockCommandProto.Action.INVALIDATE;
  }

  private static List<Block> blocks(DatanodeCommandProto deletion) {
    List<Block> blocks = new ArrayList<>(deletion.getBlkCmd().getBlocksCount());
    deletion.getBlkCmd().getBlocksList().forEach(one -> blocks.add(PBHelperClient.convert(one)));
    return blocks;
  }

  private DatanodeCommandProto withhold(String datanodeUuid, DatanodeCommandProto command) {
    BlockCommandProto deletion = command.getBlkCmd();
    List<Block> ordered = blocks(command);
    Set<Block> kept =
        new HashSet<>(
            areStripesKnown.getAsBoolean()
                ? withhold(datanodeUuid, ordered)
                : putOff(datanodeUuid, ordered));
    List<BlockProto> rest = new ArrayList<>(ordered.size());
    for (int i = 0; i < ordered.size(); i++) {
      if (!kept.contains(ordered.get(i))) {
        rest.add(deletion.getBlocks(i));
        passedOn.accept(ordered.get(i).getBlockId());
      }
    }
    return kept.isEmpty()
        ? command
        : command.toBuilder()
            .setBlkCmd(deletion.toBuilder().clearBlocks().addAllBlocks(rest))
            .build();
  }

  /** Withholds what stripes count on. */
  private List<Block> withhold(String datanodeUuid, List<Block> ordered) {
    waitingSinceMs.set(NOTHING_WAITS);
    List<Block> kept = ordered.stream().filter(needed).toList();
    putBack(datanodeUuid, kept.stream().filter(block -> !hold(datanodeUuid, block)).toList());
    kept.forEach(block -> withheldNow.accept(block.getBlockId()));
    return kept;
  }

  /** Puts off deleting what stripes may count on that are yet to be read. */
  private List<Block> putOff(String datanodeUuid, List<Block> ordered) {
    List<Block> kept = queue.ofNoFile(ordered);
    putBack(datanodeUuid, kept);
    if (!kept.isEmpty()) {
      waitingSinceMs.compareAndSet(NOTHING_WAITS, Time.monotonicNow());
      if (waitingMs() > ALARM_AFTER_MS && ALARM.shouldLog()) {
        LOG.error(
            "For {} s no replica of a deleted block has been deleted, and its space is not freed:"
                + " {}",
            waitingMs() / 1000,
            WHAT_TO_DO);
      }
    }
    return kept;
  }

  private void putBack(String datanodeUuid, List<Block> replicas) {
    if (!replicas.isEmpty()) {
      queue.deleteLater(datanodeUuid, replicas);
      putBack.add(replicas.size());
    }
  }

  /** Whether there is room to remember a replica. */
  private synchronized boolean hold(String datanodeUuid, Block block) {
    Map<String, Block> replicas = held.get(block.getBlockId());
    boolean isKnown = replicas != null && replicas.containsKey(datanodeUuid);
    if (!isKnown && count < max) {
      held.computeIfAbsent(block.getBlockId(), id -> new HashMap<>(2)).put(datanodeUuid, block);
      count++;
      return true;
    }
    return isKnown;
  }

  /**
   * A DataNode has said that it has a replica of a deleted block, which HDFS has not ordered it to
   * delete yet.
   */
  void found(String datanodeUuid, Block block) {
    if (needed.test(block) && hold(datanodeUuid, block)) {
      withheldNow.accept(block.getBlockId());
    }
  }

  /** The DataNodes that keep a replica of a deleted block, by UUID. */
  public synchronized List<String> holders(long blockId) {
    return List.copyOf(held.getOrDefault(blockId, Map.of()).keySet());
  }

  /** Has the replicas of a deleted block deleted at last, which is not needed any more. */
  void release(long blockId) {
    Map<String, Block> replicas;
    synchronized (this) {
      replicas = held.remove(blockId);
      count -= replicas == null ? 0 : replicas.size();
    }
    if (replicas != null) {
      replicas.forEach((uuid, block) -> queue.deleteLater(uuid, List.of(block)));
    }
  }

  /** Forgets everything: another NameNode gives the orders now. */
  synchronized void clear() {
    held.clear();
    count = 0;
    waitingSinceMs.set(NOTHING_WAITS);
  }

  /** Replicas withheld because stripes count on them. */
  public synchronized int count() {
    return count;
  }

  /** How long deletions have waited for stripes to be known, 0 when none does. */
  public long waitingMs() {
    long sinceMs = waitingSinceMs.get();
    return sinceMs == NOTHING_WAITS || areStripesKnown.getAsBoolean()
        ? 0
        : Time.monotonicNow() - sinceMs;
  }

  /** Orders put back into HDFS's queue since the start, as often as they were. */
  public long putBackCount() {
    return putBack.sum();
  }
}
