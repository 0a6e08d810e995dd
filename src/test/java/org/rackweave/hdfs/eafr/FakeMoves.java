package org.rackweave.hdfs.eafr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/** HDFS as far as moves go: orders stay under way until a test says what becomes of them. */
final class FakeMoves implements ReplicaMoves {
  private final Map<Long, List<DatanodeDescriptor>> holders = new HashMap<>();
  private final Map<Long, Fate> fates = new HashMap<>();
  final Map<Long, Order> answers = new HashMap<>();
  final List<Move> ordered = new ArrayList<>();
  final List<Move> released = new ArrayList<>();
  boolean isTermOver;

  void place(long block, DatanodeDescriptor... on) {
    holders.put(block, new ArrayList<>(List.of(on)));
  }

  void unsettle(long block) {
    holders.remove(block);
  }

  /** Ends a move. */
  void end(Move move, Fate fate) {
    fates.put(move.blockId(), fate);
    if (fate == Fate.MOVED) {
      holders.get(move.blockId()).remove(move.from());
      holders.get(move.blockId()).add(move.to());
    }
  }

  @Override
  public List<SettledBlock> settled(List<Long> blockIds) {
    List<SettledBlock> found = new ArrayList<>();
    for (long id : blockIds) {
      List<DatanodeDescriptor> on = holders.get(id);
      found.add(on == null ? null : new SettledBlock(id, 100, List.copyOf(on)));
    }
    return found;
  }

  @Override
  public List<Order> order(List<Move> moves, long term) {
    if (isTermOver) {
      return List.of();
    }
    List<Order> orders = new ArrayList<>();
    for (Move move : moves) {
      Order answer = answers.getOrDefault(move.blockId(), Order.ORDERED);
      orders.add(answer);
      if (answer == Order.ORDERED) {
        ordered.add(move);
        fates.put(move.blockId(), Fate.UNDER_WAY);
      }
    }
    return orders;
  }

  @Override
  public List<Fate> fates(List<Move> moves) {
    return moves.stream().map(move -> fates.get(move.blockId())).toList();
  }

  @Override
  public void release(List<Move> broken, long term) {
    released.addAll(broken);
  }

  @Override
  public int streams() {
    return 2;
  }

  @Override
  public int streamsHardLimit() {
    return 3;
  }
}
