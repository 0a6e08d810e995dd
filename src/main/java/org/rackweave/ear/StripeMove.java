package org.rackweave.ear;

import org.rackweave.model.ClusterTopology;

/**
 * One step that mends a stripe.
 *
 * @param kind what to do
 * @param block data first, then parity, from 0
 * @param from node that gives its replica up, {@link ClusterTopology#NONE} unless the kind is
 *     {@code MOVE}
 * @param to node that gets one
 */
public record StripeMove(Kind kind, int block, int from, int to) {

  /** What to do. */
  public enum Kind {
    /** One replica changes its node. */
    MOVE,
    /** One more replica is made. */
    COPY,
    /** The block is decoded from the others. */
    REBUILD
  }

  /** For people. */
  public String describe(ClusterTopology topology) {
    String source = from == ClusterTopology.NONE ? "" : " from " + topology.placeOf(from);
    return kind.name().toLowerCase(java.util.Locale.ROOT)
        + " block "
        + block
        + source
        + " to "
        + topology.placeOf(to);
  }
}
