package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.rackweave.eafr.ReplicaChoice;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.model.ClusterTopology;

/** Replicas of a block with too many that go first. */
final class ExcessReplicas {
  private ExcessReplicas() {}

  /**
   * Those on the DataNodes with least remaining capacity (EAFR, Eq. 7), not the last one on a hot
   * DataNode, as far as HDFS's rules for racks and storage types allow.
   *
   * @param heardSinceMs a DataNode that has not been heard of since may not have its replica
   * @return {@code null} where HDFS has to choose
   */
  static List<DatanodeStorageInfo> leastRemaining(
      Collection<DatanodeStorageInfo> candidates,
      int expectedReplicas,
      List<StorageType> excessTypes,
      ReplicaChoice choice,
      ClusterView state,
      long heardSinceMs) {
    List<DatanodeStorageInfo> left = new ArrayList<>(candidates);
    List<StorageType> typesLeft = new ArrayList<>(excessTypes);
    List<DatanodeStorageInfo> chosen = new ArrayList<>();
    while (left.size() > expectedReplicas) {
      int[] holders = holders(left, state, heardSinceMs);
      int node = holders == null ? ClusterTopology.NONE : choice.surplus(holders);
      DatanodeStorageInfo storage = node == ClusterTopology.NONE ? null : on(node, left, state);
      if (storage == null || !typesLeft.remove(storage.getStorageType())) {
        return null;
      }
      left.remove(storage);
      chosen.add(storage);
    }
    return chosen;
  }

  /**
   * Node numbers, {@code null} where one is unknown, has two replicas, or has not been heard of.
   */
  private static int[] holders(
      List<DatanodeStorageInfo> storages, ClusterView state, long heardSinceMs) {
    int[] holders = new int[storages.size()];
    for (int i = 0; i < holders.length; i++) {
      DatanodeDescriptor datanode = storages.get(i).getDatanodeDescriptor();
      holders[i] = state.numberOf(datanode);
      if (holders[i] == ClusterTopology.NONE || datanode.getLastUpdateMonotonic() < heardSinceMs) {
        return null;
      }
      for (int other = 0; other < i; other++) {
        if (holders[other] == holders[i]) {
          return null;
        }
      }
    }
    return holders;
  }

  private static DatanodeStorageInfo on(
      int node, List<DatanodeStorageInfo> storages, ClusterView state) {
    for (DatanodeStorageInfo storage : storages) {
      if (storage.getDatanodeDescriptor() == state.datanodes()[node]) {
        return storage;
      }
    }
    return null;
  }
}
