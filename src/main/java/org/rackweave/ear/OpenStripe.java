package org.rackweave.ear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;

/**
 * A stripe that waits for blocks, or for the ids of those it has. Its core rack's lock guards it.
 */
final class OpenStripe {
  final long id;
  final long openedAtMs;
  final Seat[] seats;
  private final StripeRules rules;
  private final BlockSize first;

  /** When it was opened, or its blocks were last offered to stripes of longer ones. */
  long offeredAtMs;

  StripeLayout layout;
  int taken;
  int bound;

  /** No more blocks are let in, however few there are. */
  boolean exhausted;

  /** Sealed or broken up: its seats are nobody's. */
  boolean closed;

  /**
   * @param first size of the block it is opened for; those that join are similar
   */
  OpenStripe(
      long id,
      StripeRules rules,
      ClusterTopology topology,
      TargetRacks targets,
      BlockSize first,
      long openedAtMs) {
    this.id = id;
    this.rules = rules;
    this.first = first;
    this.openedAtMs = openedAtMs;
    offeredAtMs = openedAtMs;
    seats = new Seat[rules.code().dataBlocks()];
    layout = new StripeLayout(rules, topology, targets, seats.length);
  }

  boolean isAccepting() {
    return !exhausted && taken < seats.length;
  }

  /**
   * Whether it lets blocks of this size in. Blocks that have waited in vain for others like them
   * are not particular: where nothing but new blocks comes, they would wait for ever.
   */
  boolean isAccepting(BlockSize size) {
    boolean hasWaited = offeredAtMs > openedAtMs;
    return isAccepting() && (first.isSimilar(size) || hasWaited && staysDenseWith(size));
  }

  /** Whether no id is missing. */
  boolean isBound() {
    return bound == taken;
  }

  /** A seat for a block with replicas on these nodes, {@code null} when they do not fit. */
  Seat seat(CoreRack coreRack, int[] nodes, BlockSize size, long nowMs) {
    int number = layout.add(nodes);
    if (number == StripeLayout.NONE) {
      return null;
    }
    taken++;
    seats[number] = new Seat(coreRack, this, number, nodes, size, nowMs);
    return seats[number];
  }

  void bind(Seat seat, long blockId) {
    seat.blockId = blockId;
    seat.bound = true;
    bound++;
  }

  void release(Seat seat) {
    layout.remove(seat.number);
    dropFromCount(seat);
  }

  private void dropFromCount(Seat seat) {
    seats[seat.number] = null;
    taken--;
    bound -= seat.bound ? 1 : 0;
  }

  /** Gives a seat other replicas; false when they do not fit, and then it is released. */
  boolean move(Seat seat, int[] nodes) {
    layout.remove(seat.number);
    int number = layout.add(nodes);
    if (number == StripeLayout.NONE) {
      dropFromCount(seat);
      return false;
    }
    // The number is the lowest that is free, and in a stripe with gaps may be another one.
    seats[seat.number] = null;
    seat.number = number;
    seat.nodes = nodes;
    seats[number] = seat;
    return true;
  }

  /** Starts an empty layout in another topology and returns who sat in the last one. */
  List<Seat> clear(ClusterTopology topology, TargetRacks targets) {
    List<Seat> before = seated().toList();
    layout = new StripeLayout(rules, topology, targets, seats.length);
    Arrays.fill(seats, null);
    taken = 0;
    bound = 0;
    return before;
  }

  /** Gives a seat back to who had it before {@link #clear}; false when its replicas do not fit. */
  boolean seatAgain(Seat seat) {
    int number = layout.add(seat.nodes);
    if (number == StripeLayout.NONE) {
      return false;
    }
    seat.number = number;
    seats[number] = seat;
    taken++;
    bound += seat.bound ? 1 : 0;
    return true;
  }

  /**
   * Takes a block of another stripe along if that costs no parity: one that is no longer than the
   * longest here, as long as there are not too many such.
   */
  boolean takeAlong(Seat seat) {
    if (!isAccepting()
        || seat.size.bytes() > saving().longestBytes()
        || !staysDenseWith(seat.size)
        || !layout.fits(seat.nodes)) {
      return false;
    }
    seat.stripe.release(seat);
    seat.stripe = this;
    return seatAgain(seat);
  }

  Stream<Seat> seated() {
    return Arrays.stream(seats).filter(Objects::nonNull);
  }

  /** What encoding the blocks there are would save, as far as their lengths are known. */
  StripeSaving saving() {
    StripeSaving saving = StripeSaving.none(rules.code());
    for (Seat seat : seats) {
      saving = seat == null ? saving : saving.with(seat.size.bytes(), seat.size.replication());
    }
    return saving;
  }

  private boolean staysDenseWith(BlockSize size) {
    return saving().with(size.bytes(), size.replication()).isDense();
  }

  /** Worthwhile, and dense even where long blocks have left. */
  boolean isWorthParity() {
    StripeSaving saving = saving();
    return saving.isWorthwhile() && saving.isDense();
  }

  SealedStripe seal(CoreRack coreRack, SealReason reason, long nowMs) {
    ClusterTopology topology = coreRack.topology;
    long[] blockIds = new long[taken];
    List<List<String>> replicas = new ArrayList<>(taken);
    for (Seat seat : seats) {
      if (seat != null) {
        blockIds[replicas.size()] = seat.blockId;
        replicas.add(replicas(seat, topology));
      }
    }
    return new SealedStripe(
        id,
        rules.code(),
        coreRack.path,
        layout.targets().paths(topology),
        blockIds,
        replicas,
        reason,
        openedAtMs,
        nowMs);
  }

  /** Names of a seat's nodes, the keeper in front. */
  private List<String> replicas(Seat seat, ClusterTopology topology) {
    int keeper = layout.keeperOf(seat.number);
    String[] names = new String[seat.nodes.length];
    names[0] = topology.nodeName(keeper);
    int count = 1;
    for (int node : seat.nodes) {
      if (node != keeper) {
        names[count++] = topology.nodeName(node);
      }
    }
    return List.of(names);
  }
}
