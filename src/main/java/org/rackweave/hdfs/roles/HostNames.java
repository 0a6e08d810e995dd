package org.rackweave.hdfs.roles;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.ServerRole;
import org.rackweave.hdfs.RolesConfig;

/**
 * Finds the DataNodes that an operator names by host name or address, with or without the port of
 * block transfers.
 *
 * @param roles of the DataNodes named, by UUID
 * @param unknown names that no DataNode has, in order
 */
record HostNames(Map<String, ServerRole> roles, List<String> unknown) {
  static HostNames of(RolesConfig config, Iterable<DatanodeDescriptor> datanodes) {
    Map<String, ServerRole> roles = new HashMap<>();
    Set<String> found = new HashSet<>();
    for (DatanodeDescriptor datanode : datanodes) {
      for (String name : names(datanode)) {
        if (config.cold().contains(name)) {
          roles.put(datanode.getDatanodeUuid(), ServerRole.COLD);
          found.add(name);
        } else if (config.standby().contains(name)) {
          roles.putIfAbsent(datanode.getDatanodeUuid(), ServerRole.STANDBY);
          found.add(name);
        }
      }
    }
    Set<String> unknown = new HashSet<>(config.cold());
    unknown.addAll(config.standby());
    unknown.removeAll(found);
    return new HostNames(Map.copyOf(roles), unknown.stream().sorted().toList());
  }

  /** Every way to name a DataNode. */
  static Set<String> names(DatanodeDescriptor datanode) {
    String port = ":" + datanode.getXferPort();
    Set<String> names = new HashSet<>();
    names.add(datanode.getHostName());
    names.add(datanode.getHostName() + port);
    names.add(datanode.getIpAddr());
    names.add(datanode.getIpAddr() + port);
    return names;
  }
}
