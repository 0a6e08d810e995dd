package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.Progress;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.testbed.Testbed;
import org.rackweave.cli.testbed.TestbedSpec;
import org.rackweave.cli.testbed.Testbeds;
import org.rackweave.hdfs.ConfigKeys;

/** {@code docker/testbed compare}. */
public final class CompareCommand {

  private static final long TESTBED_START_MS = 25_000;

  /**
   * What suits heartbeats every second and blocks that are written in one: see {@code
   * docs/operating.md}.
   */
  private static final Map<String, String> SETTINGS =
      Map.of(
          ConfigKeys.PROMISE, "share",
          ConfigKeys.EWMA_ALPHA, "0.8",
          ConfigKeys.SNAPSHOT_INTERVAL, "100ms");

  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;

  /**
   * @param terminal whether {@code err} is looked at while the command runs
   */
  public CompareCommand(PrintStream out, PrintStream err, boolean terminal) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  /**
   * Runs a comparison.
   *
   * @throws UsageException naming the option and what it allows
   */
  public void run(List<String> args) throws IOException {
    CompareOptions options = CompareOptions.parse(args);
    if (options.help()) {
      out.print(CompareOptions.USAGE);
      return;
    }
    try {
      compare(options, procedure(options));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static Procedure procedure(CompareOptions options) {
    return switch (options.experiment()) {
      case WRITES -> new WritesProcedure(options);
      case RECOVERY -> new RecoveryProcedure(options);
      case READS -> new ReadsProcedure(options);
      case ENCODE -> new EncodeProcedure(options);
    };
  }

  private void compare(CompareOptions options, Procedure procedure)
      throws IOException, InterruptedException {
    List<Progress.Step> steps = new ArrayList<>();
    steps.add(new Progress.Step("starting the testbed", TESTBED_START_MS));
    steps.add(new Progress.Step("warming up", Session.START_MS));
    steps.addAll(procedure.steps());
    Progress progress =
        new Progress(err, terminal, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), steps);
    Procedure.Findings findings;
    try {
      progress.next();
      try (Testbed testbed = testbed(options, procedure.properties())) {
        progress.next();
        boolean loaders = options.origin() == BackgroundOrigin.OTHERS;
        try (Session session = Session.start(testbed, loaders, progress)) {
          findings = procedure.run(session);
        }
      }
    } finally {
      progress.end();
    }
    out.println();
    out.print(findings.text());
    if (options.json() != null) {
      FiguresJson.write(findings.json(), options.json());
    }
    if (options.html() != null) {
      Files.writeString(options.html(), findings.html());
    }
  }

  /** The testbed that is up, or a new one that goes down when it is closed. */
  private static Testbed testbed(CompareOptions options, Map<String, String> needed)
      throws IOException {
    Testbed running;
    try {
      running = Testbeds.attach(options.prefix());
    } catch (IOException none) {
      Map<String, String> properties = new TreeMap<>(SETTINGS);
      properties.putAll(needed);
      properties.putAll(options.properties());
      return Testbeds.up(
          TestbedSpec.DEFAULT
              .withPrefix(options.prefix())
              .withCongestionControl(options.congestionControl())
              .withProperties(properties));
    }
    if (!options.properties().isEmpty() || !options.congestionControl().isEmpty()) {
      throw new UsageException(
          "-D and --congestion are for a testbed that is brought up, but "
              + options.prefix()
              + " is up already; take it down with docker/testbed down");
    }
    return running;
  }
}
