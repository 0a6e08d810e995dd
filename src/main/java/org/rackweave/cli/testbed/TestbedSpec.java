package org.rackweave.cli.testbed;

import java.util.Map;

/**
 * What testbed is wanted.
 *
 * @param prefix what the names of its namespaces begin with, also its name on this machine
 * @param racks number of racks
 * @param hostsPerRack DataNodes in each rack
 * @param uplinkBitsPerSec speed of a rack's link to the core, in either direction
 * @param nicBitsPerSec speed of a DataNode's link to its rack, in either direction
 * @param capacityBytes the most a DataNode may store; memory, taken as it fills
 * @param congestionControl TCP congestion control of every namespace
 * @param policy who places blocks at first
 * @param properties further HDFS properties of NameNode, DataNodes and clients alike
 */
public record TestbedSpec(
    String prefix,
    int racks,
    int hostsPerRack,
    long uplinkBitsPerSec,
    long nicBitsPerSec,
    long capacityBytes,
    String congestionControl,
    TestbedPolicy policy,
    Map<String, String> properties) {

  /**
   * Six racks of two, uplinks of 100 Mbit/s and network cards of 200: on two processor cores the
   * network stays the bottleneck. Stock placement, BBR.
   */
  public static final TestbedSpec DEFAULT =
      new TestbedSpec(
          "rw", 6, 2, 100_000_000, 200_000_000, 2L << 30, "bbr", TestbedPolicy.STOCK, Map.of());

  public TestbedSpec {
    properties = Map.copyOf(properties);
  }

  /** The same testbed under another name. */
  public TestbedSpec withPrefix(String newPrefix) {
    return new TestbedSpec(
        newPrefix,
        racks,
        hostsPerRack,
        uplinkBitsPerSec,
        nicBitsPerSec,
        capacityBytes,
        congestionControl,
        policy,
        properties);
  }

  /** The same testbed that begins with another policy. */
  public TestbedSpec withPolicy(TestbedPolicy newPolicy) {
    return new TestbedSpec(
        prefix,
        racks,
        hostsPerRack,
        uplinkBitsPerSec,
        nicBitsPerSec,
        capacityBytes,
        congestionControl,
        newPolicy,
        properties);
  }

  /** The same testbed with these further HDFS properties, in place of the former. */
  public TestbedSpec withProperties(Map<String, String> newProperties) {
    return new TestbedSpec(
        prefix,
        racks,
        hostsPerRack,
        uplinkBitsPerSec,
        nicBitsPerSec,
        capacityBytes,
        congestionControl,
        policy,
        newProperties);
  }
}
