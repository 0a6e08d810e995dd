package org.rackweave.hdfs.eafr;

/** Why a block is not moved after all, or the move of one came to nothing. */
enum MoveGivenUp {
  GONE,
  CHANGED_MEANWHILE,
  /** A replica is missing, surplus, on its way, or not reported since the failover. */
  UNSETTLED,
  /** No hot server can spare its replica, or no standby one has room where racks allow it. */
  NO_PLACE,
  /** HDFS takes no replica there. */
  TARGET_REFUSED,
  /** One of the servers died under way. */
  SERVER_LOST,
  /** The new replica did not come in time. */
  NOT_ARRIVED,
  /** The new replica came, and HDFS deleted another one or needed it. */
  KEPT,
  /** The kill switch. */
  SWITCHED_OFF
}
