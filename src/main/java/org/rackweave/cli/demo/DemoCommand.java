package org.rackweave.cli.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.Progress;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.ToolCommand;
import org.rackweave.cli.experiment.FiguresJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code bin/rackweave demo}: shows on a whole HDFS what Rackweave is worth. */
@Command(
    name = "bin/rackweave demo",
    description =
        "Runs an HDFS in this process, with Rackweave and without: files are written while the"
            + " links of a third of the racks are loaded, a file gets hot, files become stripes, a"
            + " DataNode dies, and every byte is read back. Charts are written to"
            + " target/demo/report.html.")
public final class DemoCommand extends ToolCommand implements Callable<Integer> {

  @Mixin private DemoOptions options;
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
    super(out, err);
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
  public Integer call() throws IOException, InterruptedException {
    if (options.feature() == DemoOptions.Feature.SINBAD) {
      showSinbad();
    } else {
      showAll();
    }
    return 0;
  }

  private void showSinbad() throws IOException, InterruptedException {
    Demo demo = new Demo(options, settings);
    introduce(settings, options.seed(), demo.files());
    DemoResult result = run(demo.steps(), demo::run);
    Path report = write(new DemoReport(result).html());
    if (options.json() != null) {
      FiguresJson.write(result.json(), options.json());
    }
    conclude(result.table(), DemoReport.headline(result), report);
  }

  private void showAll() throws IOException, InterruptedException {
    AllFeatures demo = new AllFeatures(allFeatures, options.input(), options.seed());
    introduce(allFeatures.cluster(), options.seed(), demo.files());
    AllFeaturesResult result = run(demo.steps(), demo::run);
    Path report = write(new AllFeaturesReport(result).html());
    if (options.json() != null) {
      FiguresJson.write(result.json(), options.json());
    }
    conclude(result.sides().table(), result.sides().headline(), report);
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
