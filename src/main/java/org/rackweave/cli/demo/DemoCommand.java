package org.rackweave.cli.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.Progress;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.TextTable;

/** {@code bin/rackweave demo}: shows on a whole HDFS what Rackweave is worth. */
public final class DemoCommand extends Configured implements Tool {

  private static final int EXIT_FAILURE = 1;
  private static final int EXIT_USAGE = 2;

  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;
  private final DemoSettings settings;
  private final AllFeaturesSettings allFeatures;
  private final Path directory;

  /**
   * Prepares the command.
   *
   * @param terminal whether {@code err} is looked at while the command runs
   * @param directory where the report goes, and blocks while the command runs
   */
  DemoCommand(
      PrintStream out,
      PrintStream err,
      boolean terminal,
      DemoSettings settings,
      AllFeaturesSettings allFeatures,
      Path directory) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
    this.settings = settings;
    this.allFeatures = allFeatures;
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
        AllFeaturesSettings.standard(),
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
      if (options.feature() == DemoOptions.Feature.SINBAD) {
        showSinbad(options);
      } else {
        showAll(options);
      }
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

  private void showSinbad(DemoOptions options) throws IOException, InterruptedException {
    Demo demo = new Demo(options, settings);
    introduce(settings, options.seed(), demo.files());
    DemoResult result = run(demo.steps(), demo::run);
    Path report = write(new DemoReport(result).html());
    if (options.json() != null) {
      FiguresJson.write(DemoJson.tree(result), options.json());
    }
    conclude(new FiguresTable(result.figures()).table(), DemoReport.headline(result), report);
  }

  private void showAll(DemoOptions options) throws IOException, InterruptedException {
    AllFeatures demo = new AllFeatures(allFeatures, options.input(), options.seed());
    introduce(allFeatures.cluster(), options.seed(), demo.files());
    AllFeaturesResult result = run(demo.steps(), demo::run);
    Path report = write(new AllFeaturesReport(result).html());
    if (options.json() != null) {
      FiguresJson.write(result.json(), options.json());
    }
    conclude(result.table(), result.headline(), report);
  }

  private interface Show<T> {
    T run(Path storage, Progress progress) throws IOException, InterruptedException;
  }

  private <T> T run(List<Progress.Step> steps, Show<T> show)
      throws IOException, InterruptedException {
    Progress progress =
        new Progress(err, terminal, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), steps);
    try (ScratchDirectory scratch = ScratchDirectory.in(directory)) {
      return show.run(scratch.path(), progress);
    } finally {
      progress.end();
    }
  }

  private Path write(String html) throws IOException {
    Path report = directory.resolve("report.html");
    Files.writeString(report, html);
    return report;
  }

  private void conclude(TextTable figures, String headline, Path report) {
    out.println();
    out.print(figures.text());
    out.println();
    out.println(headline + ".");
    out.println("Charts: " + report);
  }

  private void introduce(DemoSettings cluster, long seed, InputFiles files) {
    out.printf(
        Locale.ROOT,
        "HDFS with %d racks x %d DataNodes, each with a link of %s.%n",
        cluster.racks(),
        cluster.nodesPerRack(),
        DemoReport.rate((double) cluster.linkBytesPerSec()));
    out.printf(
        Locale.ROOT,
        "Background load takes %.0f %% of %d racks' links and moves every %d s; seed %d.%n",
        100 * (1 - cluster.foregroundShare()),
        cluster.hotRacks(),
        cluster.hotPeriodMs() / 1000,
        seed);
    out.printf(
        Locale.ROOT,
        "Writers: one on every DataNode, %d outside the cluster. Files: %s.%n",
        cluster.outsiders(),
        files.directory());
  }
}
