package org.rackweave.hdfs.eafr;

/** Why a change of a plan was not carried out. */
enum Skipped {
  /** The file was deleted. */
  GONE,
  /** The file has another factor by now, or is being written. */
  CHANGED_MEANWHILE,
  /** A snapshot of it was taken. */
  IN_SNAPSHOT,
  /** It was moved to where files are encoded, or has been encoded. */
  ERASURE_CODED,
  /** It was moved to where files keep their replicas. */
  NO_RULE,
  /** It was moved to where another rule holds, which does not want the change. */
  OUT_OF_RULE,
  /** Somebody wrote it too short a time ago. */
  TOO_YOUNG,
  /** Its replicas were moved too short a time ago. */
  COOLING_DOWN,
  /** HDFS owes it replicas by now. */
  UNDER_REPLICATED,
  /** Other changes have used the storage budget up, or nobody knows yet what is left of it. */
  OVER_BUDGET,
  OVER_QUOTA,
  /** HDFS has too many blocks to copy by now. */
  TOO_MANY_IN_FLIGHT,
  /** Its replicas are being moved already. */
  MOVING,
  /** None of its replicas can be spared, or no standby server has room where racks allow it. */
  NO_PLACE,
  /** Shadow mode, or the kill switch. */
  SWITCHED_OFF,
  /** The NameNode is no longer active, in safe mode, or failed; the log says more. */
  FAILED;

  /** Whether a smaller change may be possible. */
  boolean isForWantOfRoom() {
    return this == OVER_QUOTA || this == TOO_MANY_IN_FLIGHT || this == OVER_BUDGET;
  }
}
