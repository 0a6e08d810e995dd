package org.rackweave.sim.encoding;

import org.rackweave.ear.StripeLocations;
import org.rackweave.ear.TargetRacks;
import org.rackweave.model.ClusterTopology;

/**
 * A stripe whose blocks are replicated and wait to be encoded.
 *
 * @param where its replicas; without a core rack when nobody planned for one
 */
public record ReplicatedStripe(StripeLocations where) {

  /** Blocks that became a stripe because they were written one after another. */
  public static ReplicatedStripe ofConsecutive(int[][] data) {
    return new ReplicatedStripe(
        StripeLocations.replicated(ClusterTopology.NONE, TargetRacks.ALL, data));
  }

  int[][] data() {
    return where.data();
  }
}
