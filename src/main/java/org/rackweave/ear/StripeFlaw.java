package org.rackweave.ear;

import org.rackweave.model.ClusterTopology;

/**
 * One thing that keeps a stripe from being encoded inside a rack, or from surviving what its code
 * promises.
 *
 * @param kind what is wrong
 * @param subject the block (data first, then parity, from 0), rack or node it is wrong with, as the
 *     kind says
 */
public record StripeFlaw(Kind kind, int subject) {

  /** What can be wrong with a stripe. */
  public enum Kind {
    /** The subject block has no replica. */
    BLOCK_MISSING("block %s has no replica"),
    /** Fewer blocks are left than decoding needs; the subject is how many are missing. */
    UNDECODABLE("%s blocks are missing, more than parity makes up for"),
    /** The subject block has no replica in the rack that would encode. */
    NOT_IN_CORE_RACK("block %s has no replica in the core rack"),
    /** The subject block can keep no replica beside those of the others. */
    NO_KEEPER("block %s can keep no replica beside those of the other blocks"),
    /** The subject rack has more blocks of an encoded stripe than the limit. */
    RACK_OVER_LIMIT("rack %s has more blocks than the limit"),
    /** The subject node has more than one block of an encoded stripe. */
    NODE_SHARED("node %s has more than one block"),
    /** The racks cannot hold all blocks; the subject is how many find no place. */
    NO_ROOM("%s blocks find no place on distinct nodes within the limit of the racks");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** Whether the subject is a block. */
    public boolean isOfBlock() {
      return this == BLOCK_MISSING || this == NOT_IN_CORE_RACK || this == NO_KEEPER;
    }
  }

  /** For people. */
  public String describe(ClusterTopology topology) {
    Object what =
        switch (kind) {
          case RACK_OVER_LIMIT -> topology.rackPath(subject);
          case NODE_SHARED -> topology.nodeName(subject);
          default -> subject;
        };
    return String.format(kind.text, what);
  }
}
