package org.rackweave.cli.testbed;

import java.util.Map;
import java.util.regex.Pattern;
import org.rackweave.cli.UsageException;

/**
 * What testbed is wanted.
 *
 * @param prefix what the names of its namespaces begin with, also its name on this machine: 1 to 8
 *     lower-case letters and digits, a letter first
 * @param racks number of racks, 1 to 24
 * @param hostsPerRack DataNodes in each rack, 1 to 20
 * @param uplinkMbitPerSec speed of a rack's link to the core, in either direction, in 10^6 bits per
 *     second, 1 to 10000
 * @param nicMbitPerSec speed of a DataNode's link to its rack, in either direction, likewise
 * @param capacityMib the most a DataNode may store, in MiB, 64 to 65536; memory, taken as it fills
 * @param congestionControl TCP congestion control of every namespace, empty for this machine's own
 * @param policy who places blocks at first
 * @param properties further HDFS properties of NameNode, DataNodes and clients alike
 */
public record TestbedSpec(
    String prefix,
    int racks,
    int hostsPerRack,
    int uplinkMbitPerSec,
    int nicMbitPerSec,
    int capacityMib,
    String congestionControl,
    TestbedPolicy policy,
    Map<String, String> properties) {

  static final int MAX_SPEED_MBIT = 10_000;
  static final int MIN_CAPACITY_MIB = 64;
  static final int MAX_CAPACITY_MIB = 65_536;

  /** With what follows it, a name of a network interface: 15 characters at most. */
  private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9]{0,7}");

  private static final Pattern CONGESTION_CONTROL = Pattern.compile("[a-z0-9_-]{0,15}");

  private static final long BYTES_PER_MBIT = 1_000_000 / 8;

  /** Six racks of two, links that two processor cores can fill, stock placement. */
  public static final TestbedSpec DEFAULT =
      new TestbedSpec("rw", 6, 2, 100, 200, 2048, "", TestbedPolicy.STOCK, Map.of());

  /**
   * Checks every value.
   *
   * @throws UsageException naming the first that is out of its range
   */
  public TestbedSpec {
    checkPrefix("prefix", prefix);
    check("racks", racks, 1, AddressBlock.MAX_RACKS);
    check("hostsPerRack", hostsPerRack, 1, AddressBlock.MAX_HOSTS_PER_RACK);
    check("uplinkMbitPerSec", uplinkMbitPerSec, 1, MAX_SPEED_MBIT);
    check("nicMbitPerSec", nicMbitPerSec, 1, MAX_SPEED_MBIT);
    check("capacityMib", capacityMib, MIN_CAPACITY_MIB, MAX_CAPACITY_MIB);
    checkCongestionControl("congestionControl", congestionControl);
    properties = Map.copyOf(properties);
  }

  private static void check(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new UsageException(
          name + " is '" + value + "', allowed are whole numbers from " + min + " to " + max);
    }
  }

  /** Returns {@code prefix} if it is one; {@code name} is what the user calls it. */
  static String checkPrefix(String name, String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new UsageException(
          name
              + " is '"
              + prefix
              + "', allowed are 1 to 8 lower-case letters and digits, a letter first");
    }
    return prefix;
  }

  /** Returns {@code algorithm} if it can be one; {@code name} is what the user calls it. */
  public static String checkCongestionControl(String name, String algorithm) {
    if (!CONGESTION_CONTROL.matcher(algorithm).matches()) {
      throw new UsageException(
          name + " is '" + algorithm + "', allowed are names such as bbr, cubic and reno");
    }
    return algorithm;
  }

  /** Speed of a rack's link to the core, in bytes per second. */
  public long uplinkBytesPerSec() {
    return uplinkMbitPerSec * BYTES_PER_MBIT;
  }

  /** Speed of a DataNode's link to its rack, in bytes per second. */
  public long nicBytesPerSec() {
    return nicMbitPerSec * BYTES_PER_MBIT;
  }

  /** The same testbed with other names and settings, the properties in place of the former. */
  public TestbedSpec with(
      String newPrefix, String newCongestionControl, Map<String, String> newProperties) {
    return new TestbedSpec(
        newPrefix,
        racks,
        hostsPerRack,
        uplinkMbitPerSec,
        nicMbitPerSec,
        capacityMib,
        newCongestionControl,
        policy,
        newProperties);
  }

  /** The same testbed with other links and disks; speeds in 10^6 bits per second. */
  public TestbedSpec withSizes(int newUplinkMbit, int newNicMbit, int newCapacityMib) {
    return new TestbedSpec(
        prefix,
        racks,
        hostsPerRack,
        newUplinkMbit,
        newNicMbit,
        newCapacityMib,
        congestionControl,
        policy,
        properties);
  }
}
