package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.Progress;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.SideOutcome;

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
      compare(options);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void compare(CompareOptions options) throws IOException, InterruptedException {
    switch (options.experiment()) {
      case WRITES -> compareWrites(options);
      case RECOVERY -> compare(options, new RecoveryExperiment(options));
      case READS -> compare(options, new ReadsExperiment(options));
      case ENCODE -> compare(options, new EncodeExperiment(options));
      case ALL -> compareAll(options);
    }
  }

  private <M> Report<M> compare(CompareOptions options, Experiment<M> experiment)
      throws IOException, InterruptedException {
    Report<M> report = run(options, List.of(experiment)).get(0);
    publish(options, report.text(), report.json(), report.html());
    return report;
  }

  private void compareWrites(CompareOptions options) throws IOException, InterruptedException {
    List<WritesExperiment> all =
        options.moves().stream().map(move -> new WritesExperiment(options, move)).toList();
    if (all.size() == 1) {
      compare(options, all.get(0));
      return;
    }
    List<Report<WritesRun>> reports = run(options, all);
    Map<Integer, Report<WritesRun>> byMove = new LinkedHashMap<>();
    for (int i = 0; i < reports.size(); i++) {
      byMove.put(options.moves().get(i), reports.get(i));
    }
    WritesByMove moves = new WritesByMove(byMove);
    publish(options, moves.text(), moves.json(), moves.html());
  }

  /** Fails, when all is told, if a byte is lost or one feature has undone another's work. */
  private void compareAll(CompareOptions options) throws IOException, InterruptedException {
    AllExperiment experiment = new AllExperiment(options);
    Report<SideOutcome> report = compare(options, experiment);
    for (Results.Run<SideOutcome> run : report.results().runs()) {
      experiment.check(run.figures(), "seed " + run.seed() + ", " + run.contender().label());
    }
  }

  /** Carries experiments out, one after the other. */
  private <M> List<Report<M>> run(CompareOptions options, List<? extends Experiment<M>> experiments)
      throws IOException, InterruptedException {
    List<ComparedRuns<M>> all = new ArrayList<>();
    Clusters.Steps steps = new Clusters.Steps();
    for (Experiment<M> experiment : experiments) {
      ComparedRuns<M> runs = new ComparedRuns<>(options, experiment);
      runs.addTo(steps);
      all.add(runs);
    }
    Progress progress =
        new Progress(
            err, terminal, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), steps.all());
    List<Report<M>> reports = new ArrayList<>();
    try (Clusters clusters = new Clusters(options, progress)) {
      for (ComparedRuns<M> runs : all) {
        reports.add(runs.run(clusters));
      }
    } finally {
      progress.end();
    }
    return reports;
  }

  private void publish(CompareOptions options, String text, ObjectNode json, String html)
      throws IOException {
    out.println();
    out.print(text);
    if (options.json() != null) {
      FiguresJson.write(json, options.json());
    }
    if (options.html() != null) {
      Files.writeString(options.html(), html);
    }
  }
}
