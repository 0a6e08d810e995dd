package org.rackweave.sinbad;

/** How the replicas of a block are spread over racks. */
public enum Spread {
  /**
   * HDFS's own spread with r replicas in two racks (paper, section 2): the writer's rack and the
   * best rack elsewhere, which takes the remaining replicas on its best hosts.
   */
  TWO_RACK,
  /** The paper's Pseudocode 2: a local copy and the r-1 best rack links, one replica each. */
  DISTINCT_RACKS
}
