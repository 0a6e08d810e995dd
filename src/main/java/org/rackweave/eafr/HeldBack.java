package org.rackweave.eafr;

/** Why a hot or cold file is left as it is. */
public enum HeldBack {
  /** The kill switch. */
  SWITCHED_OFF,
  ERASURE_CODED,
  IN_SNAPSHOT,
  BEING_WRITTEN,
  /** Last written too short a time ago. */
  TOO_YOUNG,
  /** Changed too short a time ago. */
  COOLING_DOWN,
  /** Got a replica too short a time ago to lose one. */
  DWELLING,
  /** Its servers can serve it, hot as it is (Eq. 6). */
  SERVERS_SUFFICE,
  AT_MAXIMUM,
  /** Every hot server has a replica. */
  NO_SERVER,
  OVER_BUDGET,
  OVER_QUOTA,
  /** Too many blocks are being copied, or it has more than may be at a time. */
  TOO_MANY_IN_FLIGHT,
  /** With one replica less it might be hot again. */
  WOULD_BE_HOT,
  /** No more than epsilon replicas are on hot servers. */
  FEW_ON_HOT_SERVERS,
  /** HDFS still owes it replicas. */
  UNDER_REPLICATED,
  /** A replica sleeps, for which HDFS would keep the one that is to be moved. */
  ASLEEP,
  /** Every standby server is full, or there is none. */
  NO_STANDBY,
  /** The plan has as many changes as it may. */
  PLAN_FULL
}
