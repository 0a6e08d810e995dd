package org.rackweave.hdfs.ear;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.ScriptBasedMapping;
import org.apache.hadoop.util.ReflectionUtils;

/** In which racks this NameNode would put hosts, whether or not they have a DataNode. */
final class HostRacks {
  private final DNSToSwitchMapping mapping;

  HostRacks(Configuration conf) {
    mapping =
        ReflectionUtils.newInstance(
            conf.getClass(
                CommonConfigurationKeysPublic.NET_TOPOLOGY_NODE_SWITCH_MAPPING_IMPL_KEY,
                ScriptBasedMapping.class,
                DNSToSwitchMapping.class),
            conf);
  }

  /**
   * @return the rack of each host
   * @throws IllegalStateException when the mapping does not know
   */
  Map<String, String> of(List<String> hosts) {
    List<String> racks = mapping.resolve(hosts);
    if (racks == null || racks.size() != hosts.size()) {
      throw new IllegalStateException("the rack mapping fails for hosts among " + hosts);
    }
    Map<String, String> byHost = new LinkedHashMap<>();
    for (int i = 0; i < hosts.size(); i++) {
      byHost.put(hosts.get(i), racks.get(i));
    }
    return byHost;
  }
}
