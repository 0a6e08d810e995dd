package org.rackweave.placement;

/** Why a candidate was not taken. */
public enum Refusal {
  /** It holds a replica already, or the client or HDFS excluded it. */
  EXCLUDED,
  /** It is dead or has left the topology. */
  NOT_ALIVE,
  /** HDFS does not place there now: decommissioning, stale, slow, or under too much load. */
  NOT_GOOD_TARGET,
  /** No storage of a required type has the space. */
  NO_SPACE,
  /** Its rack holds as many replicas of the block as it may. */
  RACK_FULL,
  /** Another replica stands in the same fault domain. */
  SAME_FAULT_DOMAIN,
  /** It stands in the core rack of the block's stripe, which has its replica (EAR). */
  CORE_RACK,
  /** The block's stripe keeps to other racks (EAR). */
  NOT_A_TARGET_RACK,
  /** With a replica there, not every block of the stripe could keep one (EAR). */
  BREAKS_STRIPE,
  /** It is no hot server with space (EAFR). */
  NOT_HOT;

  /**
   * Whether a rule of ours refused before the host system was asked; that is cheap, and a whole
   * rack may fall under it, so it does not count against the bound on candidates.
   */
  public boolean sparesTheHost() {
    return switch (this) {
      case SAME_FAULT_DOMAIN, CORE_RACK, NOT_A_TARGET_RACK, BREAKS_STRIPE, NOT_HOT -> true;
      default -> false;
    };
  }
}
