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
  /** Every server that could take a replica has one. */
  NO_SERVER,
  OVER_BUDGET,
  OVER_QUOTA,
  /** Too many blocks are being copied, or it has more blocks than may be. */
  TOO_MANY_IN_FLIGHT,
  /** With one replica less it might be hot again. */
  WOULD_BE_HOT,
  /** No more than epsilon replicas are on hot servers. */
  FEW_ON_HOT_SERVERS,
  /** HDFS still owes it replicas. */
  UNDER_REPLICATED,
  /** There is no standby server with room. */
  NO_STANDBY,
  /** The plan has as many changes as it may. */
  PLAN_FULL
}
