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
  /** There is nothing that moves single replicas. */
  NO_MOVER,
  /** Shadow mode, or the kill switch. */
  SWITCHED_OFF,
  /** The NameNode is no longer active, in safe mode, or failed; the log says more. */
  FAILED
}
