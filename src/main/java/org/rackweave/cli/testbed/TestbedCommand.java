package org.rackweave.cli.testbed;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.testbed.compare.CompareCommand;

/** {@code bin/rackweave testbed}, usually typed as {@code docker/testbed}. */
public final class TestbedCommand extends Configured implements Tool {

  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_USAGE = 2;

  private final PrintStream out;
  private final PrintStream err;

  /** Prints results to {@code out} and everything else to {@code err}. */
  public TestbedCommand(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  @Override
  public int run(String[] args) {
    List<String> all = List.of(args);
    try {
      if (all.isEmpty()) {
        throw new UsageException("a command is needed: up, status, down or compare");
      }
      List<String> rest = all.subList(1, all.size());
      return switch (all.get(0)) {
        case "up" -> up(TestbedOptions.up(rest));
        case "down" -> down(TestbedOptions.down(rest));
        case "status" -> status(TestbedOptions.status(rest));
        case "compare" -> compare(rest);
        case "-h", "--help", "help" -> help();
        default ->
            throw new UsageException(
                "no command '" + all.get(0) + "'; there are up, status, down and compare");
      };
    } catch (UsageException e) {
      err.println("testbed: " + e.getMessage());
      err.println("docker/testbed --help lists commands and options");
      return EXIT_USAGE;
    } catch (IOException e) {
      err.println("testbed: " + e.getMessage());
      return EXIT_FAILURE;
    }
  }

  private int compare(List<String> args) throws IOException {
    new CompareCommand(out, err, Boolean.getBoolean("rackweave.terminal")).run(args);
    return 0;
  }

  private int help() {
    out.print(TestbedOptions.USAGE);
    return 0;
  }

  private int up(TestbedOptions options) throws IOException {
    if (options.help()) {
      return help();
    }
    TestbedSpec spec = options.spec().withProperties(shipped(options.spec().policy()));
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
          run something on a host   ip netns exec %s COMMAND
          configuration of clients  %s
          logs                      %s
          state                     docker/testbed status --prefix %s
          the end                   docker/testbed down --prefix %s
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
    return 0;
  }

  /** Plugin and agents are there for stock placement as well, so that it can be changed. */
  private static Map<String, String> shipped(TestbedPolicy policy) throws IOException {
    return SiteFragment.active(policy == TestbedPolicy.STOCK ? TestbedPolicy.SINBAD : policy);
  }

  private int down(TestbedOptions options) throws IOException {
    if (options.help()) {
      return help();
    }
    String prefix = options.spec().prefix();
    boolean wasUp = Testbeds.down(prefix);
    out.printf("Testbed %s %s.%n", prefix, wasUp ? "is down" : "was not up");
    return 0;
  }

  private int status(TestbedOptions options) throws IOException {
    if (options.help()) {
      return help();
    }
    LiveTestbed testbed = Testbeds.find(options.spec().prefix());
    SavedState state = SavedState.read(testbed.plan().directory().state());
    TestbedStatus status = TestbedStatus.of(testbed, state);
    out.print(options.json() ? StatusText.json(status) : StatusText.table(status));
    return status.isWhole() ? 0 : EXIT_FAILURE;
  }
}
