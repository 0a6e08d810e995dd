package org.rackweave.cli.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.Progress;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.experiment.FiguresJson;

/** {@code bin/rackweave demo}: shows on a whole HDFS what placing by the network is worth. */
public final class DemoCommand extends Configured implements Tool {

  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_USAGE = 2;

  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;
  private final DemoSettings settings;
  private final Path directory;

  /**
   * Prepares the command.
   *
   * @param terminal whether {@code err} is looked at while the command runs
   * @param directory where the report goes, and blocks while the command runs
   */
  public DemoCommand(
      PrintStream out, PrintStream err, boolean terminal, DemoSettings settings, Path directory) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
    this.settings = settings;
    this.directory = directory;
  }

  /** The command as users get it. */
  public static DemoCommand standard() {
    Path home = Path.of(System.getProperty("rackweave.home", ""));
    return new DemoCommand(
        System.out,
        System.err,
        Boolean.getBoolean("rackweave.terminal"),
        DemoSettings.standard(),
        home.resolve("target").resolve("demo").toAbsolutePath());
  }

  @Override
  public int run(String[] args) throws InterruptedException {
    try {
      DemoOptions options = DemoOptions.parse(args, System.currentTimeMillis());
      if (options.help()) {
        out.print(DemoOptions.USAGE);
        return 0;
      }
      show(options, new Demo(options, settings));
      return 0;
    } catch (UsageException e) {
      err.println("rackweave demo: " + e.getMessage());
      err.println("bin/rackweave demo --help lists the options");
      return EXIT_USAGE;
    } catch (IOException e) {
      err.println();
      err.println("rackweave demo: " + e.getMessage());
      return EXIT_FAILURE;
    }
  }

  private void show(DemoOptions options, Demo demo) throws IOException, InterruptedException {
    introduce(options, demo.files());
    Progress progress =
        new Progress(
            err, terminal, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), demo.steps());
    DemoResult result;
    try (ScratchDirectory scratch = ScratchDirectory.in(directory)) {
      result = demo.run(scratch.path(), progress);
    } finally {
      progress.end();
    }
    Path report = directory.resolve("report.html");
    Files.writeString(report, new DemoReport(result).html());
    if (options.json() != null) {
      FiguresJson.write(DemoJson.tree(result), options.json());
    }
    out.println();
    out.print(new FiguresTable(result.figures()).table().text());
    out.println();
    out.println(DemoReport.headline(result) + ".");
    out.println("Charts: " + report);
  }

  private void introduce(DemoOptions options, InputFiles files) {
    out.printf(
        Locale.ROOT,
        "HDFS with %d racks x %d DataNodes, each with a link of %s.%n",
        settings.racks(),
        settings.nodesPerRack(),
        DemoReport.rate((double) settings.linkBytesPerSec()));
    out.printf(
        Locale.ROOT,
        "Background load takes %.0f %% of %d racks' links and moves every %d s; seed %d.%n",
        100 * (1 - settings.foregroundShare()),
        settings.hotRacks(),
        settings.hotPeriodMs() / 1000,
        options.seed());
    out.printf(
        Locale.ROOT,
        "Writers: one on every DataNode, %d outside the cluster. Files: %s.%n",
        settings.outsiders(),
        files.directory());
  }
}
