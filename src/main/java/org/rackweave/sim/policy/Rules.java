package org.rackweave.sim.policy;

import org.rackweave.placement.Admission;
import org.rackweave.placement.Refusal;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.engine.EventLoop;

/**
 * What no policy may do: HDFS's own rules, as far as simulated machines have what they are about.
 * Load is not among them: HDFS looks at it, the papers' baselines do not.
 */
public final class Rules {
  private final Cluster cluster;
  private final EventLoop loop;

  public Rules(Cluster cluster, EventLoop loop) {
    this.cluster = cluster;
    this.loop = loop;
  }

  /** The test that each candidate for a block has to pass. */
  public Admission admissionOf(BlockRequest request) {
    return (node, local) -> refusalOf(request, node);
  }

  /** Why a node may not take a replica, or {@code null}. */
  Refusal refusalOf(BlockRequest request, int node) {
    if (request.excluded().get(node)) {
      return Refusal.EXCLUDED;
    }
    if (cluster.isDeclaredDead(node, loop.nowNanos())) {
      return Refusal.NOT_ALIVE;
    }
    return cluster.freeBytes(node) < request.sizeBytes() ? Refusal.NO_SPACE : null;
  }

  boolean admits(BlockRequest request, int node) {
    return refusalOf(request, node) == null;
  }

  /**
   * Most replicas of a block in one rack, as {@code BlockPlacementPolicyDefault} has it.
   *
   * @param replicas of the block
   */
  static int maxPerRack(int replicas, int racks) {
    if (racks <= 1 || replicas <= 1) {
      return replicas;
    }
    int limit = (replicas - 1) / racks + 2;
    return limit == replicas ? limit - 1 : limit;
  }
}
