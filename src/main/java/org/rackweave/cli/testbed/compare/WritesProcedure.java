package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.Turns;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;

/** {@code compare writes}: every policy of a seed carries out the same plan, in turns. */
final class WritesProcedure implements Procedure {

  /** Beside arrivals: the last writes, reading back, deleting. */
  private static final long DRAIN_MS = 22_000;

  private static final int REPEATS_MAX = 2;

  private final CompareOptions options;
  private final WritesSettings settings;
  private final Trials trials;

  WritesProcedure(CompareOptions options) {
    this.options = options;
    this.settings = options.quick() ? WritesSettings.quick() : WritesSettings.standard();
    this.trials = new Trials(options.foreignCpuLimit(), options.quick() ? 0 : REPEATS_MAX);
  }

  @Override
  public List<Progress.Step> steps() {
    List<Progress.Step> steps = new ArrayList<>();
    for (int i = 0; i < options.seeds().size(); i++) {
      for (TestbedPolicy policy : Turns.of(options.policies(), i)) {
        String name = "seed " + options.seeds().get(i) + ", " + policy.label();
        steps.add(new Progress.Step(name, settings.endMs() + DRAIN_MS));
      }
    }
    return steps;
  }

  @Override
  public Findings run(Session session) throws IOException, InterruptedException {
    Layout layout = session.layout();
    WritesRunner runner =
        new WritesRunner(
            session.testbed(), session.crew(), session.files(), settings, options.origin());
    List<WritesRun> runs = new ArrayList<>();
    List<WritesRun> rejected = new ArrayList<>();
    for (int i = 0; i < options.seeds().size(); i++) {
      WritesPlan plan =
          WritesPlan.draw(
              settings, layout.racks().size(), layout.dataNodes().size(), options.seeds().get(i));
      for (TestbedPolicy policy : Turns.of(options.policies(), i)) {
        session.progress().next();
        Trials.Outcome<WritesRun> outcome =
            trials.run(
                attempt ->
                    runner.run(
                        policy,
                        plan,
                        attempt,
                        (its, atMs) -> session.progress().update(detail(its, atMs, attempt))));
        runs.add(outcome.accepted());
        rejected.addAll(outcome.rejected());
      }
    }
    return new Found(
        new WritesResult(
            Facts.of(session.testbed()),
            settings,
            options.origin(),
            trials,
            options.policies(),
            runs,
            rejected),
        layout);
  }

  private static String detail(WritesPlan plan, long atMs, int attempt) {
    String racks =
        plan.schedule().hotAt(atMs).stream()
            .map(rack -> String.valueOf(rack + 1))
            .collect(Collectors.joining("+"));
    return "racks " + racks + " hot" + (attempt == 0 ? "" : ", repeated");
  }

  private record Found(WritesResult result, Layout layout) implements Findings {

    @Override
    public String text() {
      WritesTable tables = new WritesTable(result);
      StringBuilder text = new StringBuilder(tables.figures().text());
      for (TestbedPolicy policy : result.compared()) {
        text.append('\n').append(tables.comparison(policy).text());
      }
      return text.append('\n').append(tables.runs().text()).toString();
    }

    @Override
    public ObjectNode json() {
      return WritesJson.tree(result);
    }

    @Override
    public String html() {
      return new WritesReport(result, layout).html();
    }
  }
}
