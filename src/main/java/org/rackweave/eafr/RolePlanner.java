package org.rackweave.eafr;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.rackweave.eafr.RoleChange.Reason;

/**
 * Decides which servers fall asleep, which are woken (section 3.2.1), and which serve as hot ones
 * for a while.
 *
 * <p><b>Goals.</b> Full standby servers sleep; sleeping ones are woken when they are needed, and
 * else once in an interval, or when much was written meanwhile, to verify their files. Readers
 * never wait for servers that sleep or only keep cold files (ours: the paper's roles do not change
 * with the load).
 *
 * <p><b>Constraints.</b> No block ever has all its live replicas on cold servers. Busy servers do
 * not fall asleep. No more than {@code coldMax} sleep, and no more than {@code verifiesMax} are
 * awake only to verify.
 *
 * <p><b>Algorithm.</b> Standby servers below tau_s turn cold (Eq. 8), the fullest first, after
 * those that are to sleep whenever they can; each only if its blocks are awake elsewhere with those
 * before it asleep. A server woken to verify becomes standby and turns cold again by the same rule;
 * one woken by a failure becomes hot. None falls asleep unless those left, one more of them having
 * failed, have {@link #CALM} of their places taken at most; above {@link #BUSY} servers are woken,
 * those with most places first. Standby servers serve as hot ones by the same two bounds over hot
 * servers. Example: two full standby servers hold the two replicas of a block that are left; one
 * turns cold, the other must not.
 *
 * <p>The same input gives the same changes. Immutable.
 */
public final class RolePlanner {
  /** Share of the places of servers that may be taken so that one less still is enough. */
  static final double CALM = 0.5;

  /** Share above which one more is wanted; below the paper's tau_c, for a server takes its time. */
  static final double BUSY = 0.7;

  private final RoleRules rules;

  public RolePlanner(RoleRules rules) {
    this.rules = rules;
  }

  /** What it keeps to. */
  public RoleRules rules() {
    return rules;
  }

  /**
   * Standby servers that turn cold.
   *
   * @param busy whether a server has transfers, verifies or applies late updates
   */
  public List<RoleChange> toCold(Servers servers, SleepCheck check, IntPredicate busy) {
    BitSet asleep = servers.asleep();
    int cold = servers.coldServers();
    List<RoleChange> changes = new ArrayList<>();
    for (int node : sleepy(servers)) {
      if (cold + changes.size() >= rules.coldMax()) {
        break;
      }
      if (busy.test(node)) {
        continue;
      }
      asleep.set(node);
      if (!isEnough(servers, asleep)) {
        break;
      }
      if (check.keepsEveryBlockAwake(node, asleep)) {
        boolean isSleepy = servers.isSleepy(node);
        changes.add(
            new RoleChange(
                node,
                ServerRole.STANDBY,
                ServerRole.COLD,
                isSleepy ? Reason.NAMED : Reason.FULL,
                servers.freeBytes(node),
                isSleepy ? 0 : rules.reserveBytes()));
      } else {
        asleep.clear(node);
      }
    }
    return changes;
  }

  /**
   * Whether the others would do.
   *
   * @param asleep servers that are not awake
   */
  public boolean isEnough(Servers servers, BitSet asleep) {
    return !rules.followReads()
        || !Load.of(servers, node -> !asleep.get(node)).exceeds(CALM, awakeReads(servers));
  }

  /**
   * Cold servers that are woken because those awake have too many reads.
   *
   * @param waking servers that will be awake soon
   */
  public List<RoleChange> toServe(Servers servers, BitSet waking) {
    BitSet asleep = servers.asleep();
    asleep.andNot(waking);
    long reads = awakeReads(servers);
    List<RoleChange> changes = new ArrayList<>();
    for (int node :
        byPlaces(servers, node -> asleep.get(node) && servers.isLive(node, ServerRole.COLD))) {
      Load awake = Load.of(servers, other -> !asleep.get(other));
      if (!awake.exceeds(BUSY, reads)) {
        break;
      }
      asleep.clear(node);
      changes.add(
          new RoleChange(
              node, ServerRole.COLD, ServerRole.STANDBY, Reason.READS, reads, awake.places()));
    }
    return changes;
  }

  /** Standby servers that serve as hot ones, because hot ones have too many reads. */
  public List<RoleChange> toHot(Servers servers) {
    BitSet hot = new BitSet();
    nodes(servers, node -> servers.isLive(node, ServerRole.HOT)).forEach(hot::set);
    List<RoleChange> changes = new ArrayList<>();
    for (int node : byPlaces(servers, node -> servers.isLive(node, ServerRole.STANDBY))) {
      Load load = Load.of(servers, hot::get);
      if (!hot.isEmpty() && !load.exceeds(BUSY, load.reads())) {
        break;
      }
      hot.set(node);
      changes.add(
          new RoleChange(
              node, ServerRole.STANDBY, ServerRole.HOT, Reason.READS, load.reads(), load.places()));
    }
    return changes;
  }

  /**
   * Servers that are standby again, because hot ones do without them.
   *
   * @param promoted whether a hot server is one by {@link #toHot}
   */
  public List<RoleChange> toStandby(Servers servers, IntPredicate promoted) {
    BitSet hot = new BitSet();
    nodes(servers, node -> servers.isLive(node, ServerRole.HOT)).forEach(hot::set);
    long reads = Load.of(servers, hot::get).reads();
    List<RoleChange> changes = new ArrayList<>();
    for (int node : byPlaces(servers, node -> hot.get(node) && promoted.test(node))) {
      hot.clear(node);
      Load left = Load.of(servers, hot::get);
      if (hot.isEmpty() || left.exceeds(CALM, reads)) {
        break;
      }
      changes.add(
          new RoleChange(
              node, ServerRole.HOT, ServerRole.STANDBY, Reason.FEW_READS, reads, left.places()));
    }
    return changes;
  }

  private static long awakeReads(Servers servers) {
    return Load.of(servers, servers::isAwake).reads();
  }

  /** Those with most places first. */
  private static List<Integer> byPlaces(Servers servers, IntPredicate wanted) {
    return nodes(servers, wanted)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(node -> -servers.capacity(node))
                .thenComparingInt(node -> node))
        .toList();
  }

  /**
   * What some servers have to do.
   *
   * @param reads under way and waiting there
   * @param places for reads, without those of the largest server, which may fail, if there are two
   */
  private record Load(long reads, long places) {
    static Load of(Servers servers, IntPredicate which) {
      long reads = 0;
      long places = 0;
      int largest = 0;
      int count = 0;
      for (int node = 0; node < servers.topology().nodeCount(); node++) {
        if (which.test(node)) {
          reads += servers.reads(node);
          places += servers.capacity(node);
          largest = Math.max(largest, servers.capacity(node));
          count++;
        }
      }
      return new Load(reads, count > 1 ? places - largest : places);
    }

    /** Whether so many reads take more than a share of the places. */
    boolean exceeds(double share, long allReads) {
      return allReads > share * places;
    }
  }

  /** Standby servers that are to sleep whenever they can, and after them full ones. */
  public List<Integer> sleepy(Servers servers) {
    return nodes(servers, node -> servers.isLive(node, ServerRole.STANDBY))
        .filter(node -> servers.isSleepy(node) || servers.freeBytes(node) < rules.reserveBytes())
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(node -> servers.isSleepy(node) ? 0 : 1)
                .thenComparingLong(servers::freeBytes)
                .thenComparingInt(n -> n))
        .toList();
  }

  /**
   * Cold servers that are woken to verify their files, those that have slept longest first.
   *
   * @param asleepSinceMs of each cold server when it fell asleep
   * @param lateUpdatesFull whether more updates wait for a server than may; it does not sleep on
   * @param verifying servers awake only to verify
   */
  public List<RoleChange> toVerify(
      Servers servers,
      long[] asleepSinceMs,
      IntPredicate lateUpdatesFull,
      int verifying,
      long nowMs) {
    return nodes(servers, node -> servers.isLive(node, ServerRole.COLD))
        .filter(
            node ->
                nowMs - asleepSinceMs[node] >= rules.verifyIntervalMs()
                    || lateUpdatesFull.test(node))
        .boxed()
        .sorted(Comparator.<Integer>comparingLong(n -> asleepSinceMs[n]).thenComparingInt(n -> n))
        .limit(Math.max(0, rules.verifiesMax() - verifying))
        .map(node -> wakeToVerify(node, nowMs - asleepSinceMs[node]))
        .toList();
  }

  private RoleChange wakeToVerify(int node, long sleptMs) {
    Reason reason = sleptMs >= rules.verifyIntervalMs() ? Reason.VERIFY : Reason.LATE_UPDATES;
    return new RoleChange(
        node, ServerRole.COLD, ServerRole.STANDBY, reason, sleptMs, rules.verifyIntervalMs());
  }

  private static IntStream nodes(Servers servers, IntPredicate wanted) {
    return IntStream.range(0, servers.topology().nodeCount()).filter(wanted);
  }

  /** A block of a failed server and the servers of its other replicas. */
  public record AsleepBlock(long blockId, int[] holders) {}

  /**
   * Cold servers that are woken because a failure left blocks without a replica that is awake: for
   * each block the one with most remaining capacity (Algorithm 4, line 7), unless one of its
   * servers is woken already. There is no bound: nobody can read these blocks.
   */
  public List<RoleChange> toWake(Servers servers, List<AsleepBlock> blocks) {
    BitSet woken = new BitSet();
    List<RoleChange> changes = new ArrayList<>();
    for (AsleepBlock block : blocks) {
      int node = coldHolderNeeded(servers, block.holders(), woken);
      if (node != NONE) {
        woken.set(node);
        changes.add(
            new RoleChange(
                node, ServerRole.COLD, ServerRole.HOT, Reason.FAILURE, block.blockId(), 0));
      }
    }
    return changes;
  }

  private static int coldHolderNeeded(Servers servers, int[] holders, BitSet woken) {
    int best = NONE;
    for (int node : holders) {
      if (servers.isAwake(node) || woken.get(node)) {
        return NONE;
      }
      if (servers.isLive(node) && (best == NONE || hasMoreCapacity(servers, node, best))) {
        best = node;
      }
    }
    return best;
  }

  /** Orders by remaining capacity, most first, then by number. */
  static boolean hasMoreCapacity(Servers servers, int node, int other) {
    int more = servers.remainingCapacity(node) - servers.remainingCapacity(other);
    return more > 0 || more == 0 && node < other;
  }
}
