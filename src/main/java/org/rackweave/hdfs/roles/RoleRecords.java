package org.rackweave.hdfs.roles;

import java.util.Map;
import java.util.Set;

/**
 * What is kept of servers' roles; those not mentioned are hot. Immutable.
 *
 * @param cold by UUID
 * @param standby UUIDs of those that were drawn
 */
record RoleRecords(Map<String, ColdServer> cold, Set<String> standby) {
  static final RoleRecords NONE = new RoleRecords(Map.of(), Set.of());

  RoleRecords {
    cold = Map.copyOf(cold);
    standby = Set.copyOf(standby);
  }
}
