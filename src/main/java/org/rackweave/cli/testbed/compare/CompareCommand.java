package org.rackweave.cli.testbed.compare;


import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.Progress;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.experiment.FiguresJson;

/** {@code docker/testbed compare}. */
public final class CompareCommand {

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
  public void run(CompareOptions options) throws IOException {
    options.check();
    try {
      compare(options, procedure(options));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static Procedure procedure(CompareOptions options) throws IOException {
    return switch (options.experiment()) {
      case WRITES -> new WritesProcedure(options);
      case RECOVERY -> new RecoveryProcedure(options);
      case READS -> new ReadsProcedure(options);
      case ENCODE -> new EncodeProcedure(options);
      case ALL -> new AllProcedure(options);
    };
  }

  private void compare(CompareOptions options, Procedure procedure)
      throws IOException, InterruptedException {
    Progress progress =
        new Progress(
            err,
            terminal,
            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
            procedure.steps());
    Procedure.Findings findings;
    try (Clusters clusters = new Clusters(options, progress)) {
      findings = procedure.run(clusters);
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
}
