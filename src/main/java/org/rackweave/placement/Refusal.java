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
  SAME_FAULT_DOMAIN
}
