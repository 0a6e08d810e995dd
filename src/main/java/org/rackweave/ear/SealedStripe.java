package org.rackweave.ear;

import java.util.Arrays;
import java.util.List;

/**
 * A stripe ready to be encoded, in names and ids that outlast a topology.
 *
 * @param id unique among the stripes of one {@link OpenStripes}
 * @param code its code; with fewer than k blocks the missing ones count as zeros
 * @param coreRack path of the rack in which every block has a replica
 * @param targetRacks paths of the racks it keeps to, empty when these are all
 * @param blockIds its blocks in order, 1 to k of them
 * @param replicas names of the nodes that have replicas of each block, as of now; first the one
 *     whose could be kept
 * @param reason why it was sealed
 * @param openedAtMs when its first block came
 * @param sealedAtMs now
 */
public record SealedStripe(
    long id,
    ErasureCode code,
    String coreRack,
    List<String> targetRacks,
    long[] blockIds,
    List<List<String>> replicas,
    SealReason reason,
    long openedAtMs,
    long sealedAtMs) {

  /** Its blocks in order. */
  public List<Long> blockIdList() {
    return Arrays.stream(blockIds).boxed().toList();
  }

  /** Names of the nodes whose replicas could be kept, one for each block. */
  public List<String> keepers() {
    return replicas.stream().map(nodes -> nodes.get(0)).toList();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SealedStripe that
        && id == that.id
        && code.equals(that.code)
        && coreRack.equals(that.coreRack)
        && targetRacks.equals(that.targetRacks)
        && Arrays.equals(blockIds, that.blockIds)
        && replicas.equals(that.replicas)
        && reason == that.reason
        && openedAtMs == that.openedAtMs
        && sealedAtMs == that.sealedAtMs;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(id) * 31 + Arrays.hashCode(blockIds);
  }

  @Override
  public String toString() {
    return "stripe "
        + id
        + " of "
        + code.name()
        + " in "
        + coreRack
        + ", sealed "
        + reason
        + ": "
        + Arrays.toString(blockIds);
  }
}
