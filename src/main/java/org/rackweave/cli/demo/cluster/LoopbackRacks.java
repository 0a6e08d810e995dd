package org.rackweave.cli.demo.cluster;

import java.util.List;
import org.apache.hadoop.net.CachedDNSToSwitchMapping;
import org.apache.hadoop.net.DNSToSwitchMapping;
import org.apache.hadoop.net.NetworkTopology;

/**
 * Tells the NameNode the rack of an address of {@link LoopbackAddresses}. It asks a mapping that
 * caches by address, and others by host name, which an embedded cluster's DataNodes share.
 */
public final class LoopbackRacks extends CachedDNSToSwitchMapping {

  /** What the NameNode makes. */
  public LoopbackRacks() {
    super(new Mapping());
  }

  /** The network location of rack {@code rack} (from 0). */
  public static String locationOf(int rack) {
    return "/rack-" + (rack + 1);
  }

  private static String resolve(String address) {
    int rack = LoopbackAddresses.rackOf(address);
    return rack < 0 ? NetworkTopology.DEFAULT_RACK : locationOf(rack);
  }

  private static final class Mapping implements DNSToSwitchMapping {
    @Override
    public List<String> resolve(List<String> addresses) {
      return addresses.stream().map(LoopbackRacks::resolve).toList();
    }

    @Override
    public void reloadCachedMappings() {}

    @Override
    public void reloadCachedMappings(List<String> addresses) {}
  }
}
