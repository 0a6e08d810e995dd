package org.rackweave.cli.testbed.compare;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rackweave.chart.Page;
import org.rackweave.cli.experiment.LinkLoadChart;
import org.rackweave.cli.experiment.Side;
import org.rackweave.cli.experiment.SideOutcome;
import org.rackweave.cli.experiment.SidesResult;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.hdfs.ConfigKeys;

/** {@code compare all}: all features at once beside stock HDFS. */
final class AllExperiment implements Experiment<SideOutcome> {
  static final Method STOCK = of(Side.STOCK, TestbedPolicy.STOCK);
  static final Method RACKWEAVE = of(Side.RACKWEAVE, TestbedPolicy.RACKWEAVE);
  static final List<Method> METHODS = List.of(STOCK, RACKWEAVE);

  /** Filling, what a death and a rebuild take, reading back, deleting. */
  private static final long AROUND_MS = 150_000;

  private static final String READER_KEY = "fs.hdfs.impl";
  private static final String READER = "org.apache.hadoop.hdfs.DegradedReadFileSystem";

  private final CompareOptions options;
  private final AllPlan.Settings settings;
  private Layout layout;

  AllExperiment(CompareOptions options) {
    this.options = options;
    this.settings = options.quick() ? AllPlan.Settings.quick() : AllPlan.Settings.standard();
  }

  private static Method of(Side side, TestbedPolicy policy) {
    return Method.of(side.label(), side.colour(), policy);
  }

  @Override
  public Definition<SideOutcome> definition() {
    return new Definition<>(
        "all",
        "All features at once beside stock HDFS, on a testbed",
        METHODS,
        settings.readsUntilMs() + AROUND_MS,
        SidesResult.FIGURES,
        SidesResult.OF_EVERY_RUN,
        SidesResult.COMPARED.stream()
            .map(one -> Beside.speedUp(one.key() + "_ratio", one.label(), one))
            .toList());
  }

  /**
   * Beside what ships, what small disks cannot do without, and clients that read through failures,
   * as HDFS's own do with striped files. Stock HDFS has nothing of Rackweave's.
   */
  @Override
  public Map<String, String> settings(Method side, Tuning tuning) throws IOException {
    Map<String, String> needed =
        side.isStock()
            ? Map.of()
            : Map.of(
                ConfigKeys.EAFR_RESERVE_BYTES, ReadsSettings.RESERVE_BYTES, READER_KEY, READER);
    return tuning.settings(side.policy(), needed, Map.of(), options);
  }

  @Override
  public void addFacts(Map<String, String> facts, Session session) {
    facts.put("heartbeat interval", session.heartbeatSec() + " s");
  }

  @Override
  public Stage<SideOutcome> open(Session session) {
    layout = session.layout();
    int racks = layout.racks().size();
    int nodesPerRack = layout.racks().get(0).dataNodes().size();
    return (side, seed) ->
        AllRunner.run(
            session,
            options,
            side,
            AllPlan.draw(settings, racks, nodesPerRack, layout.uplinkBytesPerSec(), seed));
  }

  private static SidesResult sides(Results<SideOutcome> results) {
    return new SidesResult(results.byContender());
  }

  @Override
  public List<String> introduction(Results<SideOutcome> results) {
    return List.of(
        sides(results).headline() + ".",
        String.format(
            Locale.ROOT,
            "Real DataNodes behind shaped links: %s. With Rackweave as"
                + " conf/hdfs-site-rackweave.xml sets it, all features active, and without it. Both"
                + " wrote the same files of %d MiB while background load filled the uplinks of %d"
                + " racks, other racks every %d seconds; served the same reads, of which %.0f %%"
                + " went to one file from second %d on; turned a directory into %s stripes; lost a"
                + " DataNode; and read every byte back.",
            results.facts().get("testbed"),
            settings.writes().blockBytes() >> 20,
            settings.writes().hotRacks(),
            settings.writes().hotPeriodMs() / 1000,
            100 * settings.hotShare(),
            settings.hotFromMs() / 1000,
            AllPlan.CODE.name()),
        "Bytes across racks are what left racks by the shapers' counters, without background"
            + " load and other reads and writes. The ratio is stock's figure over Rackweave's: more"
            + " than 1 is less time or fewer bytes.");
  }

  @Override
  public void addCharts(Page page, Results<SideOutcome> results) {
    int nodesPerRack = layout.racks().get(0).dataNodes().size();
    sides(results)
        .addTo(
            page, new LinkLoadChart(layout.racks().size(), nodesPerRack, layout.nicBytesPerSec()));
  }

  /**
   * Looks whether everything is there in the end that should be.
   *
   * @param name what the run is called
   * @throws IOException when a byte is lost, an encoded file is no longer, or is not yet
   */
  void check(SideOutcome outcome, String name) throws IOException {
    if (outcome.kept().lostBytes() > 0) {
      throw new IOException(name + ": " + outcome.kept().lostBytes() + " bytes are lost");
    }
    long wanted = settings.warehouseFiles() * settings.warehouseBytes();
    if (outcome.encoded().bytes() < wanted) {
      throw new IOException(
          name + ": " + outcome.encoded().bytes() + " of " + wanted + " bytes are encoded");
    }
  }
}
