package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;

/** {@code compare writes}: every policy of a seed carries out the same plan, in turns. */
final class WritesProcedure implements Procedure {

  /** Beside arrivals: the last writes, reading back, deleting. */
  private static final long DRAIN_MS = 22_000;

  private final CompareOptions options;
  private final WritesSettings settings;
  private final ComparedRuns<TestbedPolicy> runs;

  WritesProcedure(CompareOptions options) {
    this.options = options;
    this.settings = options.quick() ? WritesSettings.quick() : WritesSettings.standard();
    this.runs = new ComparedRuns<>(options, CompareOptions.POLICIES, TestbedPolicy.STOCK);
  }

  @Override
  public List<Progress.Step> steps() {
    return runs.steps(settings.endMs() + DRAIN_MS);
  }

  @Override
  public Findings run(Session session) throws IOException, InterruptedException {
    Layout layout = session.layout();
    int racks = layout.racks().size();
    int writers = layout.dataNodes().size();
    WritesRunner runner = new WritesRunner(session, settings, options);
    Map<String, String> facts =
        Facts.of(session.testbed(), options.origin(), options.flowsPerRack());
    Results<WritesRun> results =
        runs.run(
            facts,
            session.progress(),
            (policy, seed, attempt) ->
                runner.run(policy, WritesPlan.draw(settings, racks, writers, seed), attempt));
    return new Found(new WritesResult(settings, results), layout);
  }

  /** The racks that are hot at a moment, as people count them, for the line of progress. */
  static String detail(HotSchedule schedule, long atMs) {
    return "racks "
        + schedule.hotAt(atMs).stream()
            .map(rack -> String.valueOf(rack + 1))
            .collect(Collectors.joining("+"))
        + " hot";
  }

  private record Found(WritesResult result, Layout layout) implements Findings {

    @Override
    public String text() {
      return new WritesTable(result).text();
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
