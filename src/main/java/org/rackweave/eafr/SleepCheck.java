package org.rackweave.eafr;

import java.util.BitSet;

/** The host system's knowledge of replicas, asked before a server falls asleep. */
@FunctionalInterface
public interface SleepCheck {
  /**
   * Whether every block with a replica on a server has a live and current one elsewhere that is
   * awake.
   *
   * @param asleep the servers that would be asleep or are down, this one among them; do not modify
   */
  boolean keepsEveryBlockAwake(int node, BitSet asleep);
}
