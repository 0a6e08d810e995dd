package org.rackweave.hdfs.eafr;

import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.ReceivedDeletedBlockInfoProto.BlockStatus;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.hdfs.eafr.ReplicaMoves.Move;

/**
 * Moves that have been ordered, until they are over: gives DataNodes' reports the hints that end
 * them, sees what became of them, and counts that.
 *
 * <p>{@link Mover} alone adds, removes and settles; {@link #hint} and the counts are for any
 * thread. No more than {@link Mover} lets be in flight.
 */
final class MovesUnderWay {
  /** Why a block is not moved after all, or the move of one came to nothing. */
  enum MoveGivenUp {
    GONE,
    CHANGED_MEANWHILE,
    /** A replica is missing, surplus, on its way, or not reported since the failover. */
    UNSETTLED,
    /** No hot server can spare its replica, or no standby one has room where racks allow it. */
    NO_PLACE,
    /** HDFS takes no replica there. */
    TARGET_REFUSED,
    /** One of the servers died under way. */
    SERVER_LOST,
    /** The new replica did not come in time. */
    NOT_ARRIVED,
    /** The new replica came, and HDFS deleted another one or needed it. */
    KEPT,
    /** The kill switch. */
    SWITCHED_OFF
  }

  private final ReplicaMoves moves;
  private final Map<Long, Move> byBlock = new ConcurrentHashMap<>();
  private final Map<MoveGivenUp, Long> givenUp = new EnumMap<>(MoveGivenUp.class);
  private final LongAdder done = new LongAdder();

  MovesUnderWay(ReplicaMoves moves) {
    this.moves = moves;
  }

  boolean isEmpty() {
    return byBlock.isEmpty();
  }

  boolean contains(long blockId) {
    return byBlock.containsKey(blockId);
  }

  Collection<Move> all() {
    return byBlock.values();
  }

  void add(Move move) {
    byBlock.put(move.blockId(), move);
  }

  /** It has not been ordered after all. */
  void remove(Move move) {
    byBlock.remove(move.blockId());
  }

  /** Forgets all, but not what has been counted. */
  void clear() {
    byBlock.clear();
  }

  /**
   * Looks what has become of all.
   *
   * @param term the change of state since which this NameNode is active
   */
  void settle(long term) {
    Map<CopyState, List<Move>> now = moves.byState(List.copyOf(byBlock.values()), move -> move);
    List<Move> broken = now.get(CopyState.BROKEN);
    if (!broken.isEmpty()) {
      moves.release(broken, term);
    }
    broken.forEach(move -> giveUp(move, MoveGivenUp.SERVER_LOST));
    now.get(CopyState.GIVEN_UP).forEach(move -> giveUp(move, MoveGivenUp.NOT_ARRIVED));
    List<Move> arrived = now.get(CopyState.ARRIVED);
    Set<Move> completed = Set.copyOf(moves.completed(arrived));
    for (Move move : arrived) {
      if (completed.contains(move)) {
        remove(move);
        done.increment();
      } else {
        giveUp(move, MoveGivenUp.KEPT);
      }
    }
  }

  /** It came to nothing. */
  void giveUp(Move move, MoveGivenUp why) {
    remove(move);
    giveUp(why, 1);
  }

  /** Blocks will not be moved. */
  void giveUp(MoveGivenUp why, long blocks) {
    synchronized (givenUp) {
      givenUp.merge(why, blocks, Long::sum);
    }
  }

  /**
   * What a DataNode says it has received, with a hint at each replica that was moved which other
   * one is to go instead. For any thread, and without a lock.
   */
  BlockReceivedAndDeletedRequestProto hint(BlockReceivedAndDeletedRequestProto report) {
    if (byBlock.isEmpty()) {
      return report;
    }
    String uuid = report.getRegistration().getDatanodeID().getDatanodeUuid();
    BlockReceivedAndDeletedRequestProto.Builder hinted = null;
    for (int storage = 0; storage < report.getBlocksCount(); storage++) {
      List<ReceivedDeletedBlockInfoProto> blocks = report.getBlocks(storage).getBlocksList();
      for (int i = 0; i < blocks.size(); i++) {
        Move move = byBlock.get(blocks.get(i).getBlock().getBlockId());
        if (move != null
            && blocks.get(i).getStatus() == BlockStatus.RECEIVED
            && blocks.get(i).getDeleteHint().isEmpty()
            && uuid.equals(move.target().getDatanodeUuid())) {
          hinted = hinted == null ? report.toBuilder() : hinted;
          hinted
              .getBlocksBuilder(storage)
              .getBlocksBuilder(i)
              .setDeleteHint(move.source().getDatanodeUuid());
        }
      }
    }
    return hinted == null ? report : hinted.build();
  }

  /** Blocks that are being moved. */
  int size() {
    return byBlock.size();
  }

  /** Blocks that were moved since the NameNode started. */
  long done() {
    return done.sum();
  }

  /** Blocks that were not, by reason. */
  Map<MoveGivenUp, Long> givenUp() {
    synchronized (givenUp) {
      return new EnumMap<>(givenUp);
    }
  }
}
