package org.rackweave.hdfs.eafr;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.hdfs.copies.CopyState;

/** HDFS as far as moves go: orders stay under way until a test says what becomes of them. */
final class FakeMoves implements ReplicaMoves {
  private final Map<Long, List<DatanodeDescriptor>> holders = new HashMap<>();
  private final Map<Long, CopyState> states = new HashMap<>();
  final Map<Long, Order> answers = new HashMap<>();
  final List<Move> ordered = new ArrayList<>();
  final List<Copy> released = new ArrayList<>();
  boolean isTermOver;

  void place(long block, DatanodeDescriptor... on) {
    holders.put(block, new ArrayList<>(List.of(on)));
  }

  void unsettle(long block) {
    holders.remove(block);
  }

  /** Ends a move; one that has arrived is not complete. */
  void end(Move move, CopyState state) {
    states.put(move.blockId(), state);
  }

  void complete(Move move) {
    end(move, CopyState.ARRIVED);
    holders.get(move.blockId()).remove(move.source());
    holders.get(move.blockId()).add(move.target());
  }

  @Override
  public int batchSize() {
    return 100;
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
        states.put(move.blockId(), CopyState.UNDER_WAY);
      }
    }
    return orders;
  }

  @Override
  public List<CopyState> states(List<? extends Copy> moves) {
    return moves.stream().map(move -> states.get(move.blockId())).toList();
  }

  @Override
  public List<Move> completed(List<Move> arrived) {
    return arrived.stream()
        .filter(move -> !holders.get(move.blockId()).contains(move.source()))
        .toList();
  }

  @Override
  public void release(List<? extends Copy> broken, long term) {
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
