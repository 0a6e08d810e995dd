package org.rackweave.cli.testbed;

import org.rackweave.cli.WholeNumber;
import picocli.CommandLine.Option;

/** The testbed that is to be brought up. */
final class TestbedOptions {
  private static final String DEFAULT = "; default: ${DEFAULT-VALUE}.";

  @Option(names = "--racks", description = "Racks" + DEFAULT)
  @WholeNumber(max = AddressBlock.MAX_RACKS)
  private int racks = TestbedSpec.DEFAULT.racks();

  @Option(names = "--hosts-per-rack", description = "DataNodes in each rack" + DEFAULT)
  @WholeNumber(max = AddressBlock.MAX_HOSTS_PER_RACK)
  private int hostsPerRack = TestbedSpec.DEFAULT.hostsPerRack();

  @Option(names = "--uplink", description = "Speed of a rack's uplink in Mbit/s" + DEFAULT)
  @WholeNumber(max = TestbedSpec.MAX_SPEED_MBIT)
  private int uplink = TestbedSpec.DEFAULT.uplinkMbitPerSec();

  @Option(names = "--nic", description = "Speed of a DataNode's link in Mbit/s" + DEFAULT)
  @WholeNumber(max = TestbedSpec.MAX_SPEED_MBIT)
  private int nic = TestbedSpec.DEFAULT.nicMbitPerSec();

  @Option(names = "--capacity", description = "Capacity of a DataNode, in memory, in MiB" + DEFAULT)
  @WholeNumber(min = TestbedSpec.MIN_CAPACITY_MIB, max = TestbedSpec.MAX_CAPACITY_MIB)
  private int capacity = TestbedSpec.DEFAULT.capacityMib();

  @Option(
      names = "--congestion",
      paramLabel = "NAME",
      description = "TCP congestion control; default: the machine's.")
  private String congestion = TestbedSpec.DEFAULT.congestionControl();

  @Option(
      names = "--policy",
      paramLabel = "POLICY",
      description =
          "Placement policy, one of ${COMPLETION-CANDIDATES}, with conf/hdfs-site-POLICY.xml in"
              + " mode active; default: STOCK, with the settings of sinbad.")
  private TestbedPolicy policy = TestbedSpec.DEFAULT.policy();

  TestbedSpec spec(String prefix) {
    return new TestbedSpec(
        prefix,
        racks,
        hostsPerRack,
        uplink,
        nic,
        capacity,
        TestbedSpec.checkCongestionControl("--congestion", congestion),
        policy,
        TestbedSpec.DEFAULT.properties());
  }
}
