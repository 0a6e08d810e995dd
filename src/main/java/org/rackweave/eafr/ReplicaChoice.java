package org.rackweave.eafr;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.rackweave.model.Require;

/**
 * Chooses which replica of a block is deleted, and which goes where when one migrates.
 *
 * <p><b>Constraints.</b> More than epsilon replicas are on hot servers before, one is left on a
 * server that is awake after, and {@link RackRule} agrees.
 *
 * <p><b>Algorithm.</b> The replica on the live hot server with least remaining capacity (Eq. 7); if
 * the rack rule wants that one, the next. A migrating replica goes to the standby server with least
 * free space that is not full yet (Eq. 8): one after another fills up and can sleep, and the others
 * stay empty. Ties go to the lower node number. Example: c - h is 4, 1 and 2 on the hot servers 0,
 * 5 and 9; the replica on 5 goes.
 */
public final class ReplicaChoice {
  private final Servers servers;
  private final RackRule rackRule;
  private final int hotReplicas;
  private final long reserveBytes;

  /**
   * @param hotReplicas the paper's epsilon, at least 1
   * @param reserveBytes the paper's tau_s
   */
  public ReplicaChoice(Servers servers, RackRule rackRule, int hotReplicas, long reserveBytes) {
    Require.atLeast("epsilon", hotReplicas, 1);
    this.servers = servers;
    this.rackRule = rackRule;
    this.hotReplicas = hotReplicas;
    this.reserveBytes = reserveBytes;
  }

  /**
   * The server whose replica is deleted where one has to go: of another server than a hot one when
   * no more than epsilon are on hot ones, {@code NONE} when the rack rule wants all of those.
   *
   * @param holders servers of the block's replicas; do not modify
   */
  public int surplus(int[] holders) {
    int hot = toDelete(holders);
    return hot != NONE
        ? hot
        : leastRemaining(
            holders, ServerRole.STANDBY, leaving -> allows(holders, without(holders, leaving)));
  }

  /** Where a replica goes from and to. */
  public record Move(int from, int to) {}

  /**
   * The server whose replica is deleted, {@code NONE} when all must stay.
   *
   * @param holders servers of the block's replicas; do not modify
   */
  public int toDelete(int[] holders) {
    return leastRemaining(holders, leaving -> allows(holders, without(holders, leaving)));
  }

  /**
   * The replica that migrates to a standby server, {@code null} when none can.
   *
   * @param sizeBytes of the block
   */
  public Move toMigrate(int[] holders, long sizeBytes) {
    return toMigrate(holders, sizeBytes, node -> true, node -> true);
  }

  /**
   * The same where not every server is free to take part now.
   *
   * @param mayGive whether a replica may leave a server
   * @param mayTake whether one may come to it
   */
  public Move toMigrate(int[] holders, long sizeBytes, IntPredicate mayGive, IntPredicate mayTake) {
    int from =
        leastRemaining(
            holders,
            leaving ->
                mayGive.test(leaving)
                    && fullestStandby(holders, leaving, sizeBytes, mayTake) != NONE);
    return from == NONE ? null : new Move(from, fullestStandby(holders, from, sizeBytes, mayTake));
  }

  private int leastRemaining(int[] holders, IntPredicate mayLeave) {
    int hot = 0;
    for (int holder : holders) {
      hot += servers.isLive(holder, ServerRole.HOT) ? 1 : 0;
    }
    return hot > hotReplicas ? leastRemaining(holders, ServerRole.HOT, mayLeave) : NONE;
  }

  private int leastRemaining(int[] holders, ServerRole role, IntPredicate mayLeave) {
    int least = NONE;
    for (int holder : holders) {
      if (servers.isLive(holder, role)
          && (least == NONE || comesBefore(holder, least))
          && mayLeave.test(holder)) {
        least = holder;
      }
    }
    return least;
  }

  private boolean comesBefore(int node, int other) {
    int more = servers.remainingCapacity(node) - servers.remainingCapacity(other);
    return more < 0 || more == 0 && node < other;
  }

  private int fullestStandby(int[] holders, int leaving, long sizeBytes, IntPredicate mayTake) {
    int fullest = NONE;
    for (int node = 0; node < servers.topology().nodeCount(); node++) {
      long free = servers.freeBytes(node);
      if (servers.isLive(node, ServerRole.STANDBY)
          && free >= Math.max(reserveBytes, sizeBytes)
          && (fullest == NONE || free < servers.freeBytes(fullest))
          && mayTake.test(node)
          && !contains(holders, node)
          && allows(holders, with(without(holders, leaving), node))) {
        fullest = node;
      }
    }
    return fullest;
  }

  private boolean allows(int[] before, int[] after) {
    boolean isAwake = false;
    for (int node : after) {
      isAwake |= servers.isAwake(node);
    }
    return isAwake && rackRule.allows(before, after);
  }

  private static boolean contains(int[] nodes, int node) {
    for (int other : nodes) {
      if (other == node) {
        return true;
      }
    }
    return false;
  }

  private static int[] without(int[] nodes, int node) {
    return Arrays.stream(nodes).filter(other -> other != node).toArray();
  }

  private static int[] with(int[] nodes, int node) {
    int[] more = Arrays.copyOf(nodes, nodes.length + 1);
    more[nodes.length] = node;
    return more;
  }
}
