package org.rackweave.ear;

import java.util.List;
import java.util.SortedMap;

/**
 * How a stripe stands.
 *
 * @param coreRack rack it would be encoded in, {@link org.rackweave.model.ClusterTopology#NONE}
 *     when none has a block
 * @param blocksInRack how many of its blocks, data and parity, have a replica in a rack
 * @param blocksOnNode how many have one on a node
 * @param flaws what is wrong; none when it can be encoded inside its core rack, or, once encoded,
 *     survives what the code promises
 * @param moves what would mend it, in any order: one for each block that cannot stay where it is or
 *     is missing, and one for each that has no replica in the core rack
 * @param mendable whether after the moves nothing is wrong any more
 */
public record StripeAudit(
    int coreRack,
    SortedMap<Integer, Integer> blocksInRack,
    SortedMap<Integer, Integer> blocksOnNode,
    List<StripeFlaw> flaws,
    List<StripeMove> moves,
    boolean mendable) {

  /** Whether nothing is wrong. */
  public boolean isSound() {
    return flaws.isEmpty();
  }

  /** Whether some flaw is of a kind. */
  public boolean has(StripeFlaw.Kind kind) {
    return flaws.stream().anyMatch(flaw -> flaw.kind() == kind);
  }
}
