package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;

/**
 * How many more replicas of a block need each storage type, as its storage policy says.
 * Single-threaded.
 */
final class StorageTypeQuota {
  private static final StorageType[] TYPES = StorageType.values();

  private final int[] wanted = new int[TYPES.length];
  private int total;

  private StorageTypeQuota() {}

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
    StorageTypeQuota quota = new StorageTypeQuota();
    for (StorageType type : needed) {
      quota.wanted[type.ordinal()]++;
      quota.total++;
    }
    return quota;
  }

  boolean isEmpty() {
    return total == 0;
  }

  /** Gives out one storage type that is still wanted and that {@code fits}, in HDFS's order. */
  boolean take(Predicate<StorageType> fits) {
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i] > 0 && fits.test(TYPES[i])) {
        wanted[i]--;
        total--;
        return true;
      }
    }
    return false;
  }
}
