package org.rackweave.ear;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;

/**
 * The open stripes of one core rack in the order in which they get blocks: the one that refused
 * last is the last to be asked. Its methods want its own lock.
 */
final class CoreRack {
  private static final Comparator<OpenStripe> FULLEST_THEN_OLDEST =
      Comparator.<OpenStripe>comparingInt(stripe -> stripe.taken)
          .thenComparing(stripe -> stripe.id, Comparator.reverseOrder());

  private static final Comparator<OpenStripe> SHORTEST_FIRST =
      Comparator.comparingLong(stripe -> stripe.saving().longestBytes());

  final String path;
  private final OpenStripes owner;
  private final StripeRules rules;
  private final List<OpenStripe> stripes = new ArrayList<>();

  /** The topology the stripes are laid out in, and the rack's number there. */
  ClusterTopology topology;

  int rack;

  CoreRack(OpenStripes owner, ClusterTopology topology, int rack) {
    this.owner = owner;
    this.topology = topology;
    this.rack = rack;
    rules = owner.rules();
    path = topology.rackPath(rack);
  }

  List<OpenStripe> stripes() {
    return stripes;
  }

  /**
   * The first stripe that lets blocks of this size in, some left aside; {@code null} when there is
   * none.
   */
  OpenStripe accepting(BlockSize size, List<OpenStripe> leftAside) {
    for (OpenStripe stripe : stripes) {
      if (stripe.isAccepting(size) && !leftAside.contains(stripe)) {
        return stripe;
      }
    }
    return null;
  }

  /** Lets the others have the next block first. */
  void defer(OpenStripe stripe) {
    if (stripes.remove(stripe)) {
      stripes.add(stripe);
    }
  }

  private int acceptingCount(BlockSize size) {
    int count = 0;
    for (OpenStripe stripe : stripes) {
      count += stripe.isAccepting(size) ? 1 : 0;
    }
    return count;
  }

  /** A seat in the first stripe where replicas on these nodes fit, {@code null} without one. */
  Seat join(int[] nodes, BlockSize size, long nowMs) {
    for (OpenStripe stripe : stripes) {
      Seat seat = stripe.isAccepting(size) ? stripe.seat(this, nodes, size, nowMs) : null;
      if (seat != null) {
        return seat;
      }
    }
    return null;
  }

  /** A seat in a new stripe; the fullest is closed for it when there are too many of its size. */
  Seat open(
      int[] nodes,
      BlockSize size,
      RandomGenerator random,
      long nowMs,
      Consumer<StripeEvent> events) {
    if (acceptingCount(size) >= rules.openStripesMax()) {
      OpenStripe fullest =
          stripes.stream()
              .filter(stripe -> stripe.isAccepting(size))
              .max(FULLEST_THEN_OLDEST)
              .orElseThrow();
      fullest.exhausted = true;
      closeIfDue(fullest, nowMs, events);
    }
    TargetRacks targets = TargetRacks.draw(rules, topology, racksOf(nodes), random);
    OpenStripe stripe = new OpenStripe(owner.nextStripeId(), rules, topology, targets, size, nowMs);
    stripes.add(0, stripe); // whichever else is open has just refused a block
    return stripe.seat(this, nodes, size, nowMs);
  }

  private int[] racksOf(int[] nodes) {
    int[] racks = new int[nodes.length + 1];
    racks[0] = rack;
    for (int i = 0; i < nodes.length; i++) {
      racks[i + 1] = topology.rackOf(nodes[i]);
    }
    return racks;
  }

  boolean holdsReplicaOf(int[] nodes) {
    for (int node : nodes) {
      if (topology.rackOf(node) == rack) {
        return true;
      }
    }
    return false;
  }

  void release(Seat seat, LeaveReason reason, long nowMs, Consumer<StripeEvent> events) {
    seat.stripe.release(seat);
    left(seat, reason, events);
    closeIfDue(seat.stripe, nowMs, events);
  }

  /** The block has other replicas now; it may have to leave. */
  void move(Seat seat, int[] nodes, long nowMs, Consumer<StripeEvent> events) {
    if (!holdsReplicaOf(nodes)) {
      release(seat, LeaveReason.NO_CORE_REPLICA, nowMs, events);
    } else if (!seat.stripe.move(seat, nodes)) {
      left(seat, LeaveReason.NO_KEEPER, events);
      closeIfDue(seat.stripe, nowMs, events);
    }
  }

  private void left(Seat seat, LeaveReason reason, Consumer<StripeEvent> events) {
    if (seat.bound) {
      owner.forgetSeat(seat);
      events.accept(new StripeEvent.Left(seat.stripe.id, seat.blockId, reason));
    }
  }

  /** Seals a stripe that will get no more blocks, once the ids of all its blocks are known. */
  void closeIfDue(OpenStripe stripe, long nowMs, Consumer<StripeEvent> events) {
    if (stripe.taken == 0) {
      close(stripe);
    } else if (stripe.isBound() && !stripe.isAccepting()) {
      if (stripe.isWorthParity()) {
        boolean isFull = stripe.taken == stripe.seats.length;
        seal(stripe, isFull ? SealReason.FULL : SealReason.EXHAUSTED, nowMs, events);
      } else {
        breakUp(stripe, LeaveReason.NOT_WORTH_PARITY, events);
      }
    }
  }

  private void seal(
      OpenStripe stripe, SealReason reason, long nowMs, Consumer<StripeEvent> events) {
    // Told before it is forgotten here, so that none of its blocks is ever in no stripe.
    events.accept(new StripeEvent.Sealed(stripe.seal(this, reason, nowMs)));
    for (Seat seat : stripe.seats) {
      if (seat != null) {
        owner.forgetSeat(seat);
      }
    }
    close(stripe);
  }

  private void breakUp(OpenStripe stripe, LeaveReason reason, Consumer<StripeEvent> events) {
    stripe.seated().forEach(seat -> left(seat, reason, events));
    close(stripe);
  }

  private void close(OpenStripe stripe) {
    stripe.closed = true;
    stripes.remove(stripe);
  }

  /**
   * Gives up seats nobody claimed, then seals what has waited long enough and is worth it; blocks
   * of what is not may get into stripes of longer ones.
   */
  void expire(long nowMs, Consumer<StripeEvent> events) {
    for (OpenStripe stripe : stripes.stream().sorted(SHORTEST_FIRST).toList()) {
      if (stripe.closed) {
        continue; // a shorter one's block was its last
      }
      stripe
          .seated()
          .filter(seat -> !seat.bound && nowMs - seat.takenAtMs >= rules.seatAgeMs())
          .forEach(stripe::release);
      closeIfDue(stripe, nowMs, events);
      if (stripe.closed || !stripe.isBound() || nowMs - stripe.openedAtMs < rules.sealAgeMs()) {
        continue;
      }
      if (stripe.isWorthParity()) {
        seal(stripe, SealReason.AGE, nowMs, events);
      } else if (nowMs - stripe.offeredAtMs >= rules.sealAgeMs()) {
        stripe.offeredAtMs = nowMs;
        offerToLonger(stripe, nowMs, events);
      }
    }
  }

  /** Seals what has a wanted block and is worth its parity, with blocks of what is not. */
  void seal(LongPredicate wanted, long nowMs, Consumer<StripeEvent> events) {
    for (OpenStripe stripe : stripes.stream().sorted(SHORTEST_FIRST).toList()) {
      if (isAskedFor(stripe, wanted) && !stripe.isWorthParity()) {
        offerToLonger(stripe, nowMs, events);
      }
    }
    for (OpenStripe stripe : List.copyOf(stripes)) {
      if (isAskedFor(stripe, wanted) && stripe.isWorthParity()) {
        seal(stripe, SealReason.ASKED, nowMs, events);
      }
    }
  }

  private static boolean isAskedFor(OpenStripe stripe, LongPredicate wanted) {
    return !stripe.closed
        && stripe.isBound()
        && stripe.seated().anyMatch(seat -> wanted.test(seat.blockId));
  }

  /** Stripes of longer blocks have parity for these anyway. */
  private void offerToLonger(OpenStripe stripe, long nowMs, Consumer<StripeEvent> events) {
    for (Seat seat : stripe.seated().toList()) {
      for (OpenStripe longer : List.copyOf(stripes)) {
        if (longer != stripe && longer.takeAlong(seat)) {
          closeIfDue(longer, nowMs, events);
          break;
        }
      }
    }
    closeIfDue(stripe, nowMs, events);
  }

  /** The rack is gone. */
  void abandon(Consumer<StripeEvent> events) {
    for (OpenStripe stripe : List.copyOf(stripes)) {
      breakUp(stripe, LeaveReason.CORE_RACK_GONE, events);
    }
  }

  /**
   * Lays all stripes out anew in another topology that still has the rack.
   *
   * @param numbers number of each node there, {@link ClusterTopology#NONE} for those that are gone
   */
  void adopt(
      ClusterTopology next,
      int[] numbers,
      RandomGenerator random,
      long nowMs,
      Consumer<StripeEvent> events) {
    ClusterTopology last = topology;
    topology = next;
    rack = next.rackAt(path);
    for (OpenStripe stripe : List.copyOf(stripes)) {
      TargetRacks before = stripe.layout.targets();
      TargetRacks after = before.in(next, last, rules, rack, random);
      if (!after.paths(next).equals(before.paths(last))) {
        events.accept(new StripeEvent.Retargeted(stripe.id, before.paths(last), after.paths(next)));
      }
      layOutAnew(stripe, after, numbers, events);
      closeIfDue(stripe, nowMs, events);
    }
  }

  private void layOutAnew(
      OpenStripe stripe, TargetRacks targets, int[] numbers, Consumer<StripeEvent> events) {
    for (Seat seat : stripe.clear(topology, targets)) {
      seat.nodes =
          IntStream.of(seat.nodes)
              .map(node -> numbers[node])
              .filter(node -> node != ClusterTopology.NONE)
              .toArray();
      if (!holdsReplicaOf(seat.nodes)) {
        left(seat, LeaveReason.NO_CORE_REPLICA, events);
      } else if (!stripe.seatAgain(seat)) {
        left(seat, LeaveReason.NO_KEEPER, events);
      }
    }
  }
}
