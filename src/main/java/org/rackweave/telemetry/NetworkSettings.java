package org.rackweave.telemetry;

/**
 * What the operator declares about the network and the disks.
 *
 * @param rackBytesPerSec capacity of every rack's link to the core; 0 means the sum of its hosts'
 *     links divided by the oversubscription
 * @param oversubscription core-to-rack oversubscription, at least 1; 0: not declared
 * @param diskWriteBytesPerSec what one block write can use at most, the paper's DiskWriteCap; 0:
 *     not declared
 * @param updateIntervalMs expected time between two measurements of a link, the paper's Delta
 * @param storageImbalance how far above the cluster's mean used fraction a DataNode may be and
 *     still receive network-balanced replicas
 * @param promise what a placed transfer is taken to use of its links
 */
public record NetworkSettings(
    double rackBytesPerSec,
    double oversubscription,
    double diskWriteBytesPerSec,
    long updateIntervalMs,
    double storageImbalance,
    Promise promise) {

  /** As the paper has it. */
  public NetworkSettings(
      double rackBytesPerSec,
      double oversubscription,
      double diskWriteBytesPerSec,
      long updateIntervalMs,
      double storageImbalance) {
    this(
        rackBytesPerSec,
        oversubscription,
        diskWriteBytesPerSec,
        updateIntervalMs,
        storageImbalance,
        Promise.WHOLE_BLOCK);
  }

  boolean isRackDeclared() {
    return rackBytesPerSec > 0 || oversubscription > 0;
  }

  boolean isDiskDeclared() {
    return diskWriteBytesPerSec > 0;
  }
}
