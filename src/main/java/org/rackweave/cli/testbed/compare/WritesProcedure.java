package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.cli.Progress;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;

/** {@code compare writes}: every policy of a seed carries out the same plan, in turns. */
final class WritesProcedure implements Procedure {

  /** Beside arrivals: the last writes, reading back, deleting. */
  private static final long DRAIN_MS = 22_000;

  private static final int SECOND_MS = 1_000;
  private static final long MEBIBYTE = 1 << 20;

  private final CompareOptions options;
  private final ComparedRuns<TestbedPolicy> runs;
  private Layout layout;

  WritesProcedure(CompareOptions options) throws IOException {
    this.options = options;
    this.runs =
        new ComparedRuns<>(
            options,
            CompareOptions.POLICIES,
            TestbedPolicy.STOCK,
            policy -> policy,
            (policy, tuning) ->
                SettingsOf.of(TestbedPolicy.SINBAD, needed(options), tuning, Map.of(), options));
  }

  /** Beside what ships: the cluster's usual block is the one that is written. */
  private static Map<String, String> needed(CompareOptions options) {
    long blockBytes = WritesSettings.standard(SECOND_MS).withLargeBlocks().blockBytes();
    return options.large()
        ? Map.of(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, String.valueOf(blockBytes))
        : Map.of();
  }

  private WritesSettings settings(int move) {
    WritesSettings settings =
        options.quick()
            ? WritesSettings.quick(move * SECOND_MS)
            : WritesSettings.standard(move * SECOND_MS);
    return options.large() ? settings.withLargeBlocks() : settings;
  }

  @Override
  public List<Progress.Step> steps() {
    Clusters.Steps steps = new Clusters.Steps();
    for (int move : options.moves()) {
      String what = options.moves().size() > 1 ? ", load moves every " + move + " s" : "";
      runs.addTo(steps, settings(move).endMs() + DRAIN_MS, what);
    }
    return steps.all();
  }

  @Override
  public Findings run(Clusters clusters) throws IOException, InterruptedException {
    Map<Integer, WritesResult> results = new LinkedHashMap<>();
    for (int move : options.moves()) {
      WritesSettings settings = settings(move);
      results.put(move, new WritesResult(settings, runs.run(clusters, new Writes(settings))));
    }
    return results.size() == 1
        ? new Found(results.get(options.moves().get(0)), layout)
        : new FoundByMove(new WritesByMove(results), layout);
  }

  /** Plans with load that stays in a rack for a time. */
  private final class Writes implements ComparedRuns.Experiment<TestbedPolicy, WritesRun> {
    private final WritesSettings settings;

    Writes(WritesSettings settings) {
      this.settings = settings;
    }

    @Override
    public Map<String, String> facts(Session session) throws IOException {
      Map<String, String> facts =
          Facts.of(session.testbed(), options.origin(), options.flowsPerRack());
      if (options.origin() != BackgroundOrigin.NONE) {
        facts.put("background load moves every", settings.hotPeriodMs() / SECOND_MS + " s");
      }
      facts.put("blocks", settings.blockBytes() / MEBIBYTE + " MiB");
      return facts;
    }

    @Override
    public ComparedRuns.Stage<TestbedPolicy, WritesRun> open(Session session) {
      layout = session.layout();
      int racks = layout.racks().size();
      int nodes = layout.dataNodes().size();
      WritesRunner runner = new WritesRunner(session, settings, options);
      return (entry, seed, attempt) ->
          runner.run(entry, WritesPlan.draw(settings, racks, nodes, seed), attempt);
    }
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

  private record FoundByMove(WritesByMove results, Layout layout) implements Findings {

    @Override
    public String text() {
      return results.text();
    }

    @Override
    public ObjectNode json() {
      return results.json();
    }

    @Override
    public String html() {
      return results.html(layout);
    }
  }
}
