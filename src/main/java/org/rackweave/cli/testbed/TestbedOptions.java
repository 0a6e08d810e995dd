package org.rackweave.cli.testbed;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.rackweave.cli.UsageException;

/**
 * What the command line of {@code up}, {@code down} or {@code status} asks for.
 *
 * @param spec the testbed; for {@code down} and {@code status} only its prefix means something
 * @param json whether the status is wanted for programs
 * @param help whether only the usage text is wanted
 */
record TestbedOptions(TestbedSpec spec, boolean json, boolean help) {

  /** What {@code --help} prints. */
  static final String USAGE =
      """
      Usage: docker/testbed up [options]
             docker/testbed status [--prefix NAME] [--json]
             docker/testbed down [--prefix NAME]
             docker/testbed compare EXPERIMENT [options]    (see compare --help)

      Builds racks of network namespaces on this machine, with links of a stated speed, and runs a
      real NameNode and real DataNodes in them. Needs root, iproute2 and iperf3.

      Options of up:
        --prefix NAME        name of the testbed, 1 to 8 letters and digits; rw unless given
        --racks N            racks, 1 to 24; 6 unless given
        --hosts-per-rack N   DataNodes in each rack, 1 to 20; 2 unless given
        --uplink MBIT        speed of a rack's uplink in Mbit/s, 1 to 10000; 100 unless given
        --nic MBIT           speed of a DataNode's link in Mbit/s, 1 to 10000; 200 unless given
        --capacity MIB       room of a DataNode, in memory, 64 to 65536; 2048 unless given
        --congestion NAME    TCP congestion control; this machine's own unless given
        --policy POLICY      who places blocks: stock, sinbad, ear, dayu or eafr, with the settings of
                             its conf/hdfs-site-POLICY.xml in mode active; stock unless given, with
                             those of sinbad

      Options of status:
        --json               for programs

        --help               prints this text
      """;

  private static final Set<String> UP =
      Set.of(
          "--prefix",
          "--racks",
          "--hosts-per-rack",
          "--uplink",
          "--nic",
          "--capacity",
          "--congestion",
          "--policy");

  /**
   * Reads the command line of {@code up}.
   *
   * @throws UsageException naming the option and what it allows
   */
  static TestbedOptions up(List<String> args) {
    return parse(args, UP);
  }

  /** Reads the command line of {@code down}, likewise. */
  static TestbedOptions down(List<String> args) {
    return parse(args, Set.of("--prefix"));
  }

  /** Reads the command line of {@code status}, likewise. */
  static TestbedOptions status(List<String> args) {
    return parse(args, Set.of("--prefix", "--json"));
  }

  private static TestbedOptions parse(List<String> args, Set<String> allowed) {
    TestbedSpec spec = TestbedSpec.DEFAULT;
    boolean json = false;
    boolean help = false;
    Deque<String> left = new ArrayDeque<>(args);
    while (!left.isEmpty()) {
      String option = left.pop();
      if (option.equals("--help") || option.equals("-h")) {
        help = true;
      } else if (!allowed.contains(option)) {
        String all = allowed.stream().sorted().collect(Collectors.joining(", "));
        throw new UsageException("no option '" + option + "'; there are " + all + ", --help");
      } else if (option.equals("--json")) {
        json = true;
      } else {
        spec = with(spec, option, value(option, left));
      }
    }
    return new TestbedOptions(spec, json, help);
  }

  private static String value(String option, Deque<String> left) {
    String value = left.poll();
    if (value == null || value.isEmpty() || value.startsWith("--")) {
      throw new UsageException(option + " needs a value");
    }
    return value;
  }

  private static TestbedSpec with(TestbedSpec spec, String option, String value) {
    return new TestbedSpec(
        option.equals("--prefix") ? TestbedSpec.checkPrefix(option, value) : spec.prefix(),
        number("--racks", option, value, TestbedSpec.RACKS, spec.racks()),
        number("--hosts-per-rack", option, value, TestbedSpec.HOSTS_PER_RACK, spec.hostsPerRack()),
        number("--uplink", option, value, TestbedSpec.SPEED_MBIT, spec.uplinkMbitPerSec()),
        number("--nic", option, value, TestbedSpec.SPEED_MBIT, spec.nicMbitPerSec()),
        number("--capacity", option, value, TestbedSpec.CAPACITY_MIB, spec.capacityMib()),
        option.equals("--congestion")
            ? TestbedSpec.checkCongestionControl(option, value)
            : spec.congestionControl(),
        option.equals("--policy") ? policy(option, value) : spec.policy(),
        spec.properties());
  }

  private static int number(String name, String option, String value, Range range, int former) {
    return option.equals(name) ? (int) range.parse(name, value) : former;
  }

  private static TestbedPolicy policy(String option, String value) {
    return Arrays.stream(TestbedPolicy.values())
        .filter(policy -> policy.label().equals(value))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    option
                        + " is '"
                        + value
                        + "', allowed are "
                        + Arrays.stream(TestbedPolicy.values())
                            .map(TestbedPolicy::label)
                            .collect(Collectors.joining(", "))));
  }
}
