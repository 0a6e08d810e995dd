package org.rackweave.cli.testbed;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.ToolCommand;
import org.rackweave.cli.testbed.compare.CompareCommand;
import org.rackweave.cli.testbed.compare.CompareOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bin/rackweave testbed}, usually typed as {@code docker/testbed}. */
@Command(
    name = "docker/testbed",
    description =
        "Builds racks of network namespaces on this machine, with links of a stated speed, and runs"
            + " a real NameNode and real DataNodes in them. Needs root, iproute2 and iperf3.")
public final class TestbedCommand extends ToolCommand {

  /** Prints results to {@code out} and everything else to {@code err}. */
  public TestbedCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Command(
      description =
          "Compares policies on a testbed, in turns, with the same arrivals, hot racks and victim."
              + " Brings a testbed up and takes it down again, or uses a running one with the same"
              + " settings.")
  void compare(@Mixin CompareOptions options) throws IOException {
    new CompareCommand(out, err, Boolean.getBoolean("rackweave.terminal")).run(options);
  }

  @Command(description = "Brings a testbed up; it is ready when the command returns.")
  void up(@Mixin TestbedName name, @Mixin TestbedOptions options) throws IOException {
    TestbedSpec wanted = options.spec(name.prefix());
    TestbedSpec spec =
        wanted.with(wanted.prefix(), wanted.congestionControl(), shipped(wanted.policy()));
    err.printf(
        "testbed: building %d racks x %d DataNodes as %s%n",
        spec.racks(), spec.hostsPerRack(), spec.prefix());
    long began = System.nanoTime();
    Testbed testbed = Testbeds.upAndStay(spec);
    double seconds = (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1);
    Layout layout = testbed.layout();
    Host first = layout.dataNodes().get(0);
    out.printf(
        Locale.ROOT,
        """
        Testbed %s is up after %.1f s: %d DataNodes, policy %s, congestion control %s.
          run a command on a host   ip netns exec %s COMMAND
          configuration of clients  %s
          logs                      %s
          state                     docker/testbed status --prefix %s
          take it down              docker/testbed down --prefix %s
        """,
        spec.prefix(),
        seconds,
        layout.dataNodes().size(),
        spec.policy().label(),
        testbed.congestionControl(),
        first.namespace(),
        testbed.runDirectory().resolve("conf/client"),
        testbed.runDirectory().resolve("logs"),
        spec.prefix(),
        spec.prefix());
  }

  /** Plugin and agents are there for stock placement as well, so that it can be changed. */
  private static Map<String, String> shipped(TestbedPolicy policy) throws IOException {
    return SiteFragment.active(policy == TestbedPolicy.STOCK ? TestbedPolicy.SINBAD : policy);
  }

  @Command(description = "Takes a testbed down.")
  void down(@Mixin TestbedName name) throws IOException {
    boolean wasUp = Testbeds.down(name.prefix());
    out.printf("Testbed %s %s.%n", name.prefix(), wasUp ? "is down" : "was not up");
  }

  @Command(description = "Shows processes, heartbeats, free space, and the load of every link.")
  int status(
      @Mixin TestbedName name, @Option(names = "--json", description = "Print JSON.") boolean json)
      throws IOException {
    LiveTestbed testbed = Testbeds.find(name.prefix());
    SavedState state = SavedState.read(testbed.plan().directory().state());
    TestbedStatus status = TestbedStatus.of(testbed, state);
    out.print(json ? StatusText.json(status) : StatusText.table(status));
    return status.isWhole() ? 0 : EXIT_FAILURE;
  }
}
