package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;

/**
 * How many more replicas of a block need each storage type, as its storage policy says.
 * Single-threaded.
 */
final class StorageTypeQuota {
  private static final StorageType[] TYPES = StorageType.values();

  private final int[] wanted;
  private int total;

  private StorageTypeQuota(int[] wanted, int total) {
    this.wanted = wanted;
    this.total = total;
  }

  /**
   * @param replicas replicas the block should have altogether
   * @param existing storages that hold one
   */
  static StorageTypeQuota of(
      BlockStoragePolicy policy, int replicas, List<DatanodeStorageInfo> existing) {
    List<StorageType> needed =
        policy.chooseStorageTypes(
            (short) replicas,
            DatanodeStorageInfo.toStorageTypes(existing),
            EnumSet.noneOf(StorageType.class),
            existing.isEmpty());
    int[] wanted = new int[TYPES.length];
    for (StorageType type : needed) {
      wanted[type.ordinal()]++;
    }
    return new StorageTypeQuota(wanted, needed.size());
  }

  /**
   * The last answer for a block without replicas. It depends on policy and replication only, and
   * nearly all blocks of a cluster have those in common. Thread-safe.
   */
  static final class Memo {
    private record Answer(BlockStoragePolicy policy, int replicas, StorageTypeQuota quota) {}

    private volatile Answer last = new Answer(null, 0, null);

    /** Same as {@link StorageTypeQuota#of}. */
    StorageTypeQuota of(
        BlockStoragePolicy policy, int replicas, List<DatanodeStorageInfo> existing) {
      if (!existing.isEmpty()) {
        return StorageTypeQuota.of(policy, replicas, existing);
      }
      Answer known = last;
      if (known.policy != policy || known.replicas != replicas) {
        known = new Answer(policy, replicas, StorageTypeQuota.of(policy, replicas, existing));
        last = known;
      }
      return new StorageTypeQuota(known.quota.wanted.clone(), known.quota.total);
    }
  }

  boolean isEmpty() {
    return total == 0;
  }

  /** The types there are, in the order in which HDFS tries them. */
  static StorageType[] types() {
    return TYPES;
  }

  boolean wants(StorageType type) {
    return wanted[type.ordinal()] > 0;
  }

  /** Counts a replica that found its storage. */
  void take(StorageType type) {
    wanted[type.ordinal()]--;
    total--;
  }
}
