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
 * Decides which servers fall asleep and which are woken (section 3.2.1).
 *
 * <p><b>Goals.</b> Full standby servers sleep; sleeping ones are woken when they are needed, and
 * else once in an interval, or when much was written meanwhile, to verify their files.
 *
 * <p><b>Constraints.</b> No block ever has all its live replicas on cold servers. Busy servers do
 * not fall asleep. No more than {@code coldMax} sleep, and no more than {@code verifiesMax} are
 * awake only to verify.
 *
 * <p><b>Algorithm.</b> Standby servers below tau_s turn cold (Eq. 8), the fullest first, after
 * those that are to sleep whenever they can; each only if its blocks are awake elsewhere with those
 * before it asleep. A server woken to verify becomes standby and turns cold again by the same rule;
 * one woken by a failure becomes hot. Example: two full standby servers hold the two replicas of a
 * block that are left; one turns cold, the other must not.
 *
 * <p>The same input gives the same changes. Immutable.
 */
public final class RolePlanner {
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
      asleep.set(node);
      if (!busy.test(node) && check.keepsEveryBlockAwake(node, asleep)) {
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
