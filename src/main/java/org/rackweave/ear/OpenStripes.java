package org.rackweave.ear;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;

/**
 * The stripes of one code that wait for blocks, by core rack.
 *
 * <p>A block first takes a {@link Seat}, when its replicas are placed and its id is not known yet;
 * {@link #bind} tells the id. A stripe is sealed, and handed over as an event, when all its k seats
 * are bound; or short, when it is old or had to make room for newer ones; and only where {@link
 * StripeSaving} finds it worthwhile. A block that is abandoned or whose replicas move is reported
 * with {@link #withdraw} and {@link #moved}, so none stays as a ghost; a seat never bound expires.
 *
 * <p>Blocks of one stripe have similar lengths, more than half of the longest, because parity is as
 * long as that. While a block is written its length is not known, and what HDFS expects counts; a
 * caller that finds a sealed stripe to be otherwise dissolves it, and has its blocks {@link #join}
 * others by their real lengths. Blocks of a length too rare for a stripe are offered to stripes of
 * longer ones, which have parity for them anyway: when they are old, or asked for. Those that
 * nobody took let in blocks of other lengths, as long as the stripe stays dense.
 *
 * <p>Soft state: a failover loses it, and {@link #join} forms stripes from real locations again. At
 * most {@code openStripesMax} stripes a core rack and power of two of lengths let blocks in, each
 * some 100 bytes a block.
 *
 * <p>Thread-safe: every core rack has a lock of its own, held for a microsecond and never while the
 * host system is asked. Events are told while it is held; a consumer just notes them.
 */
public final class OpenStripes {
  private final StripeRules rules;
  private final AtomicLong stripeIds = new AtomicLong();
  private final Map<Long, Seat> seatOfBlock = new ConcurrentHashMap<>();
  private volatile Cluster cluster;

  /** The topology in force, its core racks, and whether it can hold a stripe at all. */
  private record Cluster(ClusterTopology topology, CoreRack[] coreRacks, boolean holdsStripes) {}

  public OpenStripes(StripeRules rules, ClusterTopology topology) {
    this.rules = rules;
    CoreRack[] coreRacks = new CoreRack[topology.rackCount()];
    Arrays.setAll(coreRacks, rack -> new CoreRack(this, topology, rack));
    cluster = clusterOf(topology, coreRacks);
  }

  private Cluster clusterOf(ClusterTopology topology, CoreRack[] coreRacks) {
    return new Cluster(topology, coreRacks, rules.roomIn(topology) >= rules.code().blocks());
  }

  public StripeRules rules() {
    return rules;
  }

  /** The topology that node numbers are understood in. */
  public ClusterTopology topology() {
    return cluster.topology();
  }

  /** Whether the racks and nodes there are can hold one stripe: n blocks, at most c in a rack. */
  public boolean holdsStripes() {
    return cluster.holdsStripes();
  }

  long nextStripeId() {
    return stripeIds.incrementAndGet();
  }

  void forgetSeat(Seat seat) {
    seatOfBlock.remove(seat.blockId, seat);
  }

  /** The core rack, {@code null} when another topology is in force. */
  CoreRack coreRack(int rack, ClusterTopology topology) {
    Cluster now = cluster;
    return now.topology() == topology ? now.coreRacks()[rack] : null;
  }

  /**
   * Takes a seat in a stripe of a core rack, a new one if need be.
   *
   * @param nodes replicas, at least one of them in the core rack
   * @return {@code null} when another topology came into force meanwhile
   */
  Seating seat(
      int rack,
      ClusterTopology topology,
      int[] nodes,
      BlockSize size,
      RandomGenerator random,
      long nowMs,
      Consumer<StripeEvent> events) {
    CoreRack coreRack = coreRack(rack, topology);
    if (coreRack == null) {
      return null;
    }
    synchronized (coreRack) {
      if (coreRack.topology != topology) {
        return null;
      }
      Seat joined = coreRack.join(nodes, size, nowMs);
      if (joined != null) {
        return new Seating(joined, StripeOutcome.JOINED);
      }
      StripeOutcome outcome =
          coreRack.accepting(size, List.of()) == null
              ? StripeOutcome.OPENED
              : StripeOutcome.OPENED_ANOTHER;
      return new Seating(coreRack.open(nodes, size, random, nowMs, events), outcome);
    }
  }

  record Seating(Seat seat, StripeOutcome outcome) {}

  /**
   * Tells the id of the block that took a seat. If it had another seat, as after a retried call, it
   * leaves that one.
   *
   * @return false when the seat is no more: the block is in no stripe
   */
  public boolean bind(Seat seat, long blockId, long nowMs, Consumer<StripeEvent> events) {
    Seat former;
    synchronized (seat.coreRack) {
      if (!seat.isHeld() || seat.bound) {
        return seat.isHeld() && seat.blockId == blockId;
      }
      seat.stripe.bind(seat, blockId);
      former = seatOfBlock.put(blockId, seat);
      if (former == null) {
        seat.coreRack.closeIfDue(seat.stripe, nowMs, events);
        return true;
      }
    }
    // The two may be in different core racks, and only one lock is held at a time.
    release(former, LeaveReason.SEATED_ANEW, nowMs, events);
    synchronized (seat.coreRack) {
      if (seat.isHeld()) {
        seat.coreRack.closeIfDue(seat.stripe, nowMs, events);
      }
    }
    return true;
  }

  /** Gives a seat back whose block was never written. */
  public void release(Seat seat, long nowMs, Consumer<StripeEvent> events) {
    release(seat, LeaveReason.WITHDRAWN, nowMs, events);
  }

  private void release(Seat seat, LeaveReason reason, long nowMs, Consumer<StripeEvent> events) {
    synchronized (seat.coreRack) {
      if (seat.isHeld()) {
        seat.coreRack.release(seat, reason, nowMs, events);
      }
    }
  }

  /**
   * Takes a block out that was abandoned or deleted, or is about to change.
   *
   * @return whether it was in an open stripe
   */
  public boolean withdraw(long blockId, long nowMs, Consumer<StripeEvent> events) {
    Seat seat = seatOfBlock.get(blockId);
    if (seat == null) {
      return false;
    }
    release(seat, LeaveReason.WITHDRAWN, nowMs, events);
    return true;
  }

  /**
   * Tells where a block's replicas are now: after pipeline recovery, re-replication, or a move. It
   * leaves its stripe when that cannot be encoded with it any more.
   *
   * @param topology the one the nodes are numbered in
   * @param nodes all replicas
   * @return false when another topology is in force, and nothing was done; tell again
   */
  public boolean moved(
      long blockId,
      ClusterTopology topology,
      int[] nodes,
      long nowMs,
      Consumer<StripeEvent> events) {
    Seat seat = seatOfBlock.get(blockId);
    if (seat == null) {
      return cluster.topology() == topology;
    }
    synchronized (seat.coreRack) {
      if (seat.coreRack.topology != topology) {
        return false;
      }
      if (seat.isHeld()) {
        seat.coreRack.move(seat, nodes.clone(), nowMs, events);
      }
      return true;
    }
  }

  /**
   * Finds a stripe for a block that is written already, by where its replicas are: at start, or
   * when it left another. The rack that has fewest of them was its core rack, if EAR placed it.
   *
   * @return whether it is in a stripe now; false when it has fewer than two replicas or all in one
   *     rack, the cluster cannot hold stripes, or another topology is in force
   */
  public boolean join(
      WrittenBlock block,
      int[] nodes,
      ClusterTopology topology,
      RandomGenerator random,
      long nowMs,
      Consumer<StripeEvent> events) {
    Integer[] racks =
        Arrays.stream(nodes)
            .map(topology::rackOf)
            .distinct()
            .boxed()
            .sorted(Comparator.comparingLong(rack -> replicasIn(rack, nodes, topology)))
            .toArray(Integer[]::new);
    if (racks.length < 2 || !cluster.holdsStripes()) {
      return false;
    }
    BlockSize size = BlockSize.known(block.lengthBytes(), block.replication());
    for (int rack : racks) {
      Seat seat = joinIn(rack, topology, nodes.clone(), size, nowMs);
      if (seat != null) {
        return bind(seat, block.id(), nowMs, events);
      }
    }
    Seating opened = seat(racks[0], topology, nodes.clone(), size, random, nowMs, events);
    return opened != null && bind(opened.seat(), block.id(), nowMs, events);
  }

  private static long replicasIn(int rack, int[] nodes, ClusterTopology topology) {
    return Arrays.stream(nodes).filter(node -> topology.rackOf(node) == rack).count();
  }

  private Seat joinIn(int rack, ClusterTopology topology, int[] nodes, BlockSize size, long nowMs) {
    CoreRack coreRack = coreRack(rack, topology);
    if (coreRack == null) {
      return null;
    }
    synchronized (coreRack) {
      return coreRack.topology == topology ? coreRack.join(nodes, size, nowMs) : null;
    }
  }

  /** Seals stripes that are old and releases seats nobody bound; to be called now and then. */
  public void expire(long nowMs, Consumer<StripeEvent> events) {
    for (CoreRack coreRack : cluster.coreRacks()) {
      synchronized (coreRack) {
        coreRack.expire(nowMs, events);
      }
    }
  }

  /**
   * Seals stripes that have a wanted block, with the blocks they have, where that is worthwhile.
   */
  public void seal(LongPredicate wanted, long nowMs, Consumer<StripeEvent> events) {
    for (CoreRack coreRack : cluster.coreRacks()) {
      synchronized (coreRack) {
        coreRack.seal(wanted, nowMs, events);
      }
    }
  }

  /**
   * Puts another topology in force and re-evaluates every open stripe in it. Decisions that were
   * made in the former one, and have no seat yet, get none.
   */
  public synchronized void adopt(
      ClusterTopology next, RandomGenerator random, long nowMs, Consumer<StripeEvent> events) {
    Cluster last = cluster;
    if (next == last.topology()) {
      return;
    }
    int[] numbers = numbersIn(next, last.topology());
    CoreRack[] coreRacks = new CoreRack[next.rackCount()];
    for (CoreRack coreRack : last.coreRacks()) {
      int rack = next.rackAt(coreRack.path);
      synchronized (coreRack) {
        if (rack == ClusterTopology.NONE) {
          coreRack.abandon(events);
          coreRack.topology = next;
        } else {
          coreRack.adopt(next, numbers, random, nowMs, events);
          coreRacks[rack] = coreRack;
        }
      }
    }
    for (int rack = 0; rack < coreRacks.length; rack++) {
      if (coreRacks[rack] == null) {
        coreRacks[rack] = new CoreRack(this, next, rack);
      }
    }
    cluster = clusterOf(next, coreRacks);
  }

  private static int[] numbersIn(ClusterTopology next, ClusterTopology last) {
    Map<String, Integer> byName = new HashMap<>(2 * next.nodeCount());
    for (int node = 0; node < next.nodeCount(); node++) {
      byName.put(next.nodeName(node), node);
    }
    int[] numbers = new int[last.nodeCount()];
    Arrays.setAll(numbers, node -> byName.getOrDefault(last.nodeName(node), ClusterTopology.NONE));
    return numbers;
  }

  /** The seat of a block in an open stripe, {@code null} without one. */
  public Seat seatOf(long blockId) {
    return seatOfBlock.get(blockId);
  }

  /** Every open stripe, for pages and reports. */
  public List<OpenStripeStatus> status() {
    List<OpenStripeStatus> all = new ArrayList<>();
    for (CoreRack coreRack : cluster.coreRacks()) {
      synchronized (coreRack) {
        for (OpenStripe stripe : coreRack.stripes()) {
          all.add(
              new OpenStripeStatus(
                  stripe.id,
                  coreRack.path,
                  stripe.bound,
                  stripe.taken - stripe.bound,
                  stripe.isAccepting(),
                  stripe.isWorthParity(),
                  stripe.openedAtMs));
        }
      }
    }
    return all;
  }
}
