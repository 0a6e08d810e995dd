package org.rackweave.hdfs.dayu;

import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.Mode;

/**
 * What recovery goes by.
 *
 * @param nodes the DataNodes and their links, {@code null} before the first snapshot
 * @param mode whether decisions are carried out
 * @param isHeld whether nobody is to copy anything, because sleeping servers are being woken
 * @param isStale whether snapshots have ceased
 * @param coverageMin least share of live DataNodes with known load
 * @param distinctRacks whether every replica is to be in a rack of its own
 */
public record RecoveryCluster(
    ClusterView nodes,
    Mode mode,
    boolean isHeld,
    boolean isStale,
    double coverageMin,
    boolean distinctRacks) {

  /** The same with other links. */
  RecoveryCluster over(ClusterView other) {
    return new RecoveryCluster(other, mode, isHeld, isStale, coverageMin, distinctRacks);
  }
}
