package org.rackweave.sinbad;

import static org.rackweave.model.ClusterTopology.NONE;

import org.rackweave.placement.PlacementRequest;
import org.rackweave.telemetry.ClusterFixture;

/**
 * Requests in the names of a {@link ClusterFixture}; a new block of an unknown writer by default.
 */
final class RequestFixture {
  static final long BLOCK = (long) (30 * ClusterFixture.MB);

  private final ClusterFixture cluster;
  private final int replicas;
  private int writer = NONE;
  private int writerRack = NONE;
  private int[] existing = {};
  private boolean newBlock = true;
  private boolean localAllowed = true;
  private int forbiddenRack = NONE;
  private int maxPerRack = NONE;
  private int domainFactor;

  private RequestFixture(ClusterFixture cluster, int replicas) {
    this.cluster = cluster;
    this.replicas = replicas;
  }

  static RequestFixture replicas(int replicas, ClusterFixture cluster) {
    return new RequestFixture(cluster, replicas);
  }

  RequestFixture writer(String host) {
    writer = cluster.node(host);
    writerRack = cluster.topology().rackOf(writer);
    return this;
  }

  RequestFixture writerInRack(String rack) {
    writer = NONE;
    writerRack = cluster.rack(rack);
    return this;
  }

  /** A block that is repaired or grows by replicas. */
  RequestFixture existing(String... hosts) {
    existing = cluster.nodes(hosts);
    newBlock = false;
    return this;
  }

  RequestFixture newBlock() {
    newBlock = true;
    return this;
  }

  RequestFixture notLocal() {
    localAllowed = false;
    return this;
  }

  RequestFixture forbiddenRack(String rack) {
    forbiddenRack = cluster.rack(rack);
    return this;
  }

  RequestFixture maxPerRack(int most) {
    maxPerRack = most;
    return this;
  }

  RequestFixture domainFactor(int factor) {
    domainFactor = factor;
    return this;
  }

  PlacementRequest build() {
    int limit =
        maxPerRack == NONE
            ? hdfsMaxPerRack(existing.length + replicas, cluster.topology().rackCount())
            : maxPerRack;
    return new PlacementRequest(
        replicas,
        writer,
        writerRack,
        existing,
        newBlock,
        localAllowed,
        forbiddenRack,
        limit,
        domainFactor,
        BLOCK);
  }

  /** {@code BlockPlacementPolicyDefault#getMaxNodesPerRack}. */
  static int hdfsMaxPerRack(int total, int racks) {
    if (racks <= 1 || total <= 1) {
      return total;
    }
    int limit = (total - 1) / racks + 2;
    return limit == total ? limit - 1 : limit;
  }
}
