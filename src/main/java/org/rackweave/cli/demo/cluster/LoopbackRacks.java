package org.rackweave.cli.demo.cluster;

import java.util.List;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;

/** Tells the NameNode the rack of an address of {@link LoopbackAddresses}. */
public final class LoopbackRacks implements DNSToSwitchMapping {

  /** The network location of rack {@code rack} (from 0). */
  public static String locationOf(int rack) {
    return "/rack-" + (rack + 1);
  }

  @Override
  public List<String> resolve(List<String> names) {
    return names.stream().map(LoopbackRacks::resolve).toList();
  }

  private static String resolve(String name) {
    int rack = LoopbackAddresses.rackOf(name);
    return rack < 0 ? NetworkTopology.DEFAULT_RACK : locationOf(rack);
  }

  @Override
  public void reloadCachedMappings() {}

  @Override
  public void reloadCachedMappings(List<String> names) {}
}
