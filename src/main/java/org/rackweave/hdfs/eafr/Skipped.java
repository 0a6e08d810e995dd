package org.rackweave.hdfs.eafr;

/** Why a change of a plan was not carried out. */
enum Skipped {
  /** The file was deleted. */
  GONE,
  /** The file has another factor by now, or is being written. */
  CHANGED_MEANWHILE,
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
  FAILED
}
