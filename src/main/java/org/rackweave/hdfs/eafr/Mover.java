package org.rackweave.hdfs.eafr;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.FileKind;
import org.rackweave.eafr.FileRule;
import org.rackweave.eafr.ReplicaChoice;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;
import org.rackweave.hdfs.eafr.MovesUnderWay.MoveGivenUp;
import org.rackweave.hdfs.eafr.ReplicaMoves.Move;
import org.rackweave.hdfs.eafr.ReplicaMoves.Order;
import org.rackweave.hdfs.eafr.ReplicaMoves.SettledBlock;
import org.rackweave.model.Parts;

/**
 * Moves replicas of cold files from hot to standby servers (Algorithm 1, line 11), block by block.
 *
 * <p><b>How.</b> HDFS is told to copy a block to a standby server. When that reports the replica,
 * the report gets the hint that HDFS's own Balancer gives: delete the one on the hot server. So
 * there is one replica more for a moment and never one less, and HDFS's own rules for racks and
 * storage types have the last word. If this NameNode fails in between, the next one finds a replica
 * too many and deletes one; nothing is kept anywhere else.
 *
 * <p><b>Bounds.</b> No more blocks wait or are under way than may be in flight, those HDFS copies
 * for other reasons among the latter. A hot server copies no more at a time than HDFS lets it
 * ({@code dfs.namenode.replication.max-streams}), a standby one takes no more than the hard limit
 * ({@code ...max-streams-hard-limit}); others' copies go before. Blocks wait for servers that are
 * busy, and are given up for every other reason: their file is looked at again as long as it is
 * cold.
 *
 * <p>Single-threaded but for the counts and {@link MovesUnderWay}. Soft state, some 200 bytes a
 * block.
 */
final class Mover {
  /** Between two looks at what is under way. */
  private static final long ROUND_MS = 500;

  /** Blocks looked at in a round, and in one hold of the namesystem's lock. */
  private static final int BLOCKS_PER_ROUND = 100;

  /** Blocks of one file. */
  private static final int BLOCKS_MAX = Candidates.BLOCKS_MAX;

  private final ReplicaMoves moves;
  private final FileLookup lookup;
  private final EncodedPaths encoded;
  private final Supplier<EafrConfig> config;
  private final MovedFiles moved;
  private final TransferRates rates;

  private record Waiting(long fileId, int factor, int hotReplicas) {}

  /** By block, in the order of their turns. */
  private final Map<Long, Waiting> waiting = new LinkedHashMap<>();

  private final MovesUnderWay underWay;
  private volatile int waits;
  private long roundMs = Long.MIN_VALUE / 2;
  private PlacedServers placed;

  /**
   * @param encoded files that are left alone
   * @param moved told which files' replicas are moved
   * @param rates told which blocks are to be copied
   */
  Mover(
      ReplicaMoves moves,
      FileLookup lookup,
      Supplier<EafrConfig> config,
      EncodedPaths encoded,
      MovedFiles moved,
      TransferRates rates) {
    this.moves = moves;
    underWay = new MovesUnderWay(moves);
    this.lookup = lookup;
    this.encoded = encoded;
    this.config = config;
    this.moved = moved;
    this.rates = rates;
  }

  /** What is known now, for {@link #accept}. */
  void look(PlacedServers now) {
    placed = now;
  }

  /**
   * Takes a file whose replicas are to move.
   *
   * @param nowMs wall clock
   * @return {@code null} when it is taken, otherwise why not
   */
  Skipped accept(FoundFile planned, long nowMs) {
    FoundFile file = lookup.files(List.of(planned.id())).get(0);
    FileLookup.Replicas replicas = file == null ? null : lookup.replicas(file.id(), BLOCKS_MAX);
    if (replicas == null) {
      return Skipped.GONE;
    }
    Optional<FileRule> rule = config.get().paths().of(file.path());
    if (file.factor() != planned.factor()
        || file.kind() != FileKind.REPLICATED
        || rule.isEmpty()
        || encoded.isEncoded(file.path())) {
      return Skipped.CHANGED_MEANWHILE;
    }
    int hotReplicas = rule.get().hotReplicas();
    List<Long> blocks = new ArrayList<>();
    for (long block : replicas.blockIds()) {
      if (waiting.containsKey(block) || underWay.contains(block)) {
        return Skipped.MOVING;
      }
      blocks.add(block);
    }
    if (waiting.size() + blocks.size()
        > config.get().rails().inFlightMax() - lookup.pendingBlocks()) {
      return Skipped.TOO_MANY_IN_FLIGHT;
    }
    if (!canAnyMove(blocks, hotReplicas)) {
      return Skipped.NO_PLACE;
    }
    Waiting turn = new Waiting(file.id(), file.factor(), hotReplicas);
    blocks.forEach(block -> waiting.put(block, turn));
    waits = waiting.size();
    moved.put(file.id(), nowMs);
    return null;
  }

  private boolean canAnyMove(List<Long> blocks, int hotReplicas) {
    ReplicaChoice choice = placed.choice(hotReplicas, config.get().reserveBytes());
    for (List<Long> part : Parts.of(blocks, BLOCKS_PER_ROUND)) {
      for (SettledBlock block : moves.settled(part)) {
        int[] holders = block == null ? null : placed.holders(block);
        if (holders != null && choice.toMigrate(holders, block.sizeBytes()) != null) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether there is anything to do. */
  boolean isIdle() {
    return waiting.isEmpty() && underWay.isEmpty();
  }

  /** Whether it is time for {@link #goOn}. */
  boolean isDue(long nowMs) {
    return !isIdle() && nowMs - roundMs >= ROUND_MS;
  }

  /**
   * Looks how moves stand, and orders more.
   *
   * @param mayOrder false to wait
   * @param term the change of state since which this NameNode is active
   */
  void goOn(boolean mayOrder, long term, long nowMs) {
    roundMs = nowMs;
    underWay.settle(term);
    if (mayOrder && !waiting.isEmpty()) {
      orderSome(term, nowMs);
    }
  }

  private void orderSome(long term, long nowMs) {
    int room =
        Math.min(BLOCKS_PER_ROUND, config.get().rails().inFlightMax() - lookup.pendingBlocks());
    if (room <= 0) {
      return;
    }
    List<Long> turn = waiting.keySet().stream().limit(room).toList();
    List<SettledBlock> blocks = moves.settled(turn);
    MoveLoad load = new MoveLoad(moves.streams(), moves.streamsHardLimit(), placed, underWay.all());
    List<Move> chosen = new ArrayList<>();
    List<Waiting> wanted = new ArrayList<>();
    for (int i = 0; i < turn.size(); i++) {
      Waiting file = waiting.remove(turn.get(i));
      SettledBlock block = blocks.get(i);
      int[] holders = block == null ? null : placed.holders(block);
      ReplicaChoice choice = placed.choice(file.hotReplicas(), config.get().reserveBytes());
      if (holders == null) {
        underWay.giveUp(MoveGivenUp.UNSETTLED, 1);
      } else if (choice.toMigrate(holders, block.sizeBytes()) == null) {
        underWay.giveUp(MoveGivenUp.NO_PLACE, 1);
      } else {
        ReplicaChoice.Move move =
            choice.toMigrate(holders, block.sizeBytes(), load::mayGive, load::mayTake);
        if (move == null) {
          waiting.put(block.id(), file); // again, behind the others
        } else {
          load.add(move.from(), move.to());
          chosen.add(move(file, block, move));
          wanted.add(file);
        }
      }
    }
    order(chosen, wanted, term, nowMs);
    waits = waiting.size();
  }

  private Move move(Waiting file, SettledBlock block, ReplicaChoice.Move move) {
    DatanodeDescriptor[] datanodes = placed.cluster().datanodes();
    return new Move(
        file.fileId(),
        file.factor(),
        block.id(),
        block.sizeBytes(),
        datanodes[move.from()],
        datanodes[move.to()]);
  }

  private void order(List<Move> chosen, List<Waiting> wanted, long term, long nowMs) {
    if (chosen.isEmpty()) {
      return;
    }
    // Before they are ordered: a replica may be there before the order returns.
    chosen.forEach(underWay::add);
    rates.expect(chosen.stream().map(Move::blockId).toList(), nowMs);
    List<Order> orders = moves.order(chosen, term);
    for (int i = 0; i < chosen.size(); i++) {
      Order order = i < orders.size() ? orders.get(i) : Order.SOURCE_BUSY;
      Move move = chosen.get(i);
      switch (order) {
        case ORDERED -> {}
        case SOURCE_BUSY -> {
          underWay.remove(move);
          waiting.put(move.blockId(), wanted.get(i));
        }
        case GONE -> underWay.giveUp(move, MoveGivenUp.GONE);
        case CHANGED -> underWay.giveUp(move, MoveGivenUp.CHANGED_MEANWHILE);
        case UNSETTLED -> underWay.giveUp(move, MoveGivenUp.UNSETTLED);
        case TARGET_REFUSED -> underWay.giveUp(move, MoveGivenUp.TARGET_REFUSED);
      }
    }
  }

  /** Orders no more of what waits; what is under way goes on. */
  void drop() {
    if (!waiting.isEmpty()) {
      underWay.giveUp(MoveGivenUp.SWITCHED_OFF, waiting.size());
      waiting.clear();
      waits = 0;
    }
  }

  /** Forgets everything: it is another NameNode's turn. */
  void end() {
    waiting.clear();
    underWay.clear();
    moved.clear();
    waits = 0;
  }

  /** Blocks that wait for their turn; for any thread. */
  int waiting() {
    return waits;
  }

  /** What has been ordered, and what became of it. */
  MovesUnderWay underWay() {
    return underWay;
  }
}
