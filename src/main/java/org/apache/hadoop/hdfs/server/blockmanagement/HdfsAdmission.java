package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.net.Node;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.placement.Admission;
import org.rackweave.placement.Refusal;

/**
 * HDFS's own rules, asked through the very methods stock placement asks: what stock refuses is
 * refused here. Remembers the storages it admitted. Single-threaded, one request.
 */
final class HdfsAdmission implements Admission {
  private final RackweaveBlockPlacementPolicy policy;
  private final ClusterView state;
  private final Set<Node> excluded;
  private final StorageTypeQuota quota;
  private final long blockSizeBytes;
  private final int maxPerRack;
  private final boolean avoidStale;
  private final double maxLoad;
  private final boolean looksAtMoreLoad;
  private final List<DatanodeStorageInfo> results;
  private final int existingCount;
  private Node excludedWriter;

  HdfsAdmission(
      RackweaveBlockPlacementPolicy policy,
      ClusterView state,
      TargetCall call,
      StorageTypeQuota quota,
      int maxPerRack) {
    this.policy = policy;
    this.state = state;
    excluded = call.excluded();
    this.quota = quota;
    blockSizeBytes = call.blockSizeBytes();
    this.maxPerRack = maxPerRack;
    avoidStale = policy.avoidsStaleNodes();
    maxLoad = policy.maxLoad();
    looksAtMoreLoad = policy.considersMoreThanMaxLoad();
    List<DatanodeStorageInfo> existing = call.existing();
    results = new ArrayList<>(existing.size() + 3);
    existingCount = existing.size();
    if (existingCount > 0) {
      results.addAll(existing);
    }
  }

  /** Whether nothing has been admitted yet. */
  boolean isFresh() {
    return results.size() == existingCount;
  }

  /** Refuses one more node, the writer under {@code NO_LOCAL_WRITE}. */
  void exclude(Node writer) {
    excludedWriter = writer;
  }

  @Override
  public Refusal admit(int node, boolean local) {
    DatanodeDescriptor datanode = state.datanodes()[node];
    if (!datanode.isAlive() || datanode.getParent() == null) {
      return Refusal.NOT_ALIVE;
    }
    if (datanode == excludedWriter || (excluded != null && excluded.contains(datanode))) {
      return Refusal.EXCLUDED;
    }
    // As stock does, the writer's own node is not held to the load limit. The limit is looked at
    // here first, as stock would word its refusal at the price of a whole decision.
    boolean loadCounts = policy.considersLoad() && !local;
    if (loadCounts && datanode.getXceiverCount() > maxLoad) {
      return Refusal.NOT_GOOD_TARGET;
    }
    if (!policy.isGoodDatanode(
        datanode, maxPerRack, loadCounts && looksAtMoreLoad, results, avoidStale)) {
      return Refusal.NOT_GOOD_TARGET;
    }
    for (StorageType type : StorageTypeQuota.types()) {
      if (quota.wants(type)
          && policy.chooseStorage4Block(datanode, blockSizeBytes, results, type) != null) {
        quota.take(type);
        return null;
      }
    }
    return Refusal.NO_SPACE;
  }

  /** The storage admitted, or held already, on a node. */
  DatanodeStorageInfo storageOn(DatanodeDescriptor datanode) {
    for (DatanodeStorageInfo storage : results) {
      if (storage.getDatanodeDescriptor() == datanode) {
        return storage;
      }
    }
    throw new IllegalStateException("no storage was admitted on " + datanode);
  }
}
