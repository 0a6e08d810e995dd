package org.rackweave.ear;

/** Why a block left an open stripe. It stays replicated and may join another. */
public enum LeaveReason {
  /** It was abandoned, deleted or changed. */
  WITHDRAWN,
  /** The same block took a seat anew, as after a retried call. */
  SEATED_ANEW,
  /** None of its replicas is in the core rack any more. */
  NO_CORE_REPLICA,
  /** Its replicas moved or went, and not every block of the stripe could keep one now. */
  NO_KEEPER,
  /** The core rack left the topology. */
  CORE_RACK_GONE,
  /** The stripe was closed with blocks whose replicas take no more than its parity would. */
  NOT_WORTH_PARITY
}
