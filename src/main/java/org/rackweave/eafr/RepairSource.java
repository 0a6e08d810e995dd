package org.rackweave.eafr;

import static org.rackweave.model.ClusterTopology.NONE;

import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Where a replica is read that is made again (Algorithm 4, lines 4 to 8): of the servers with one
 * that are awake, that with most remaining capacity; of those that sleep, where there is no other.
 * Reads that are planned take of the capacity, one each. Of equal servers it is the first in
 * number.
 */
public final class RepairSource {
  private final Servers servers;
  private final IntPredicate woken;
  private final IntUnaryOperator planned;

  /**
   * @param woken whether a cold server is woken in any case
   * @param planned reads from a server that its load does not show yet
   */
  public RepairSource(Servers servers, IntPredicate woken, IntUnaryOperator planned) {
    this.servers = servers;
    this.woken = woken;
    this.planned = planned;
  }

  /**
   * One of a block's servers, {@link org.rackweave.model.ClusterTopology#NONE} when none is alive.
   *
   * @param holders their numbers; in any order
   */
  public int of(int[] holders) {
    int best = NONE;
    for (int node : holders) {
      if (servers.isLive(node) && (best == NONE || isBetter(node, best))) {
        best = node;
      }
    }
    return best;
  }

  private boolean isBetter(int node, int other) {
    boolean awake = isAwake(node);
    if (awake != isAwake(other)) {
      return awake;
    }
    int remaining = remaining(node);
    int otherRemaining = remaining(other);
    return remaining > otherRemaining || remaining == otherRemaining && node < other;
  }

  private boolean isAwake(int node) {
    return servers.isAwake(node) || woken.test(node);
  }

  private int remaining(int node) {
    return servers.remainingCapacity(node) - planned.applyAsInt(node);
  }
}
