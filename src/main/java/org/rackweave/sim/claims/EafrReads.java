package org.rackweave.sim.claims;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.sim.claims.ClaimStudy.Plan;
import org.rackweave.sim.claims.SeedRuns.Run;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.reading.CdrmSystem.Target;
import org.rackweave.sim.reading.EafrSettings;
import org.rackweave.sim.reading.EafrSettings.Reading;
import org.rackweave.sim.reading.FailureOdds;
import org.rackweave.sim.reading.ReadLoad;
import org.rackweave.sim.reading.ReadRecord;
import org.rackweave.sim.reading.ReadRun;
import org.rackweave.sim.reading.ReadRun.SystemMaker;
import org.rackweave.sim.reading.ServerPark;
import org.rackweave.sim.reading.TracedFiles;
import org.rackweave.sim.workload.PublishedStatistics;

/**
 * The runs of reads that EAFR's claims are judged by: which systems, which loads, and for how long.
 * EAFR needs some intervals T of ten minutes until factors have settled, and standby servers need
 * two hours until they are full and asleep.
 *
 * @param plan a quick one is of a fifth of the servers, files and askings, so that a server has as
 *     much to do
 */
record EafrReads(Plan plan) {
  private static final int QUICK_PART = 5;
  private static final int RACKS = 10;
  private static final int SERVERS_PER_RACK = 30;
  private static final double TERABYTE = 1e12;
  private static final double CALM_EXPONENT = -1;
  private static final double MOST_FILES_PER_SEC = 400;
  private static final String DAY = "day";
  private static final String EVERY = "every load";
  private static final String FOUR_HUNDRED = "400 files";

  /** The systems of section 4, ours, and those that differ in one thing to find causes. */
  private static final Map<String, SystemMaker> SYSTEMS =
      Map.ofEntries(
          entry("HDFS", setting -> setting.fixed(3)),
          entry("CDRM", setting -> setting.cdrm(Target.AT_ONE_IN_TEN)),
          entry("CDRM for failures 0.2", setting -> setting.cdrm(Target.AT_TWO_IN_TEN)),
          entry("EAFR", setting -> setting.eafr(EafrSettings.PAPER)),
          entry(
              "EAFR-net", setting -> setting.eafr(EafrSettings.PAPER.reading(Reading.ALGORITHM_3))),
          entry("EAFR, r = 3", setting -> setting.eafr(EafrSettings.PAPER.minReplicas(3))),
          entry(
              "CDRM, three replicas or more",
              setting -> setting.cdrm(new Target(0.98, 0.1, 3, false))),
          entry(
              "CDRM, first two at random", setting -> setting.cdrm(new Target(0.98, 0.1, 2, true))),
          entry(
              "EAFR-net, true queues",
              setting -> setting.eafr(EafrSettings.PAPER.reading(Reading.ALGORITHM_3_ORACLE))),
          entry("ours", setting -> setting.eafr(EafrSettings.OURS)),
          entry("ours, sleeping", setting -> setting.eafr(EafrSettings.OURS_WITH_SLEEP)),
          entry(
              "EAFR, none asleep", setting -> setting.eafr(EafrSettings.PAPER.standbyFraction(0))),
          entry(
              "EAFR on files stock has placed",
              setting -> setting.eafr(EafrSettings.PAPER.afterStock())));

  /** The systems that the paper's figures compare. */
  static final List<String> COMPARED = List.of("HDFS", "CDRM", "EAFR", "EAFR-net");

  /**
   * What readers do.
   *
   * @param isWholeFile whether a read is of a file, or one call
   * @param perSec askings, on average
   * @param together readers of each
   * @param sizeExponent how reads fall with the size of a file
   */
  record Load(boolean isWholeFile, double perSec, int together, double sizeExponent) {
    String text() {
      String what = isWholeFile ? "files" : "calls";
      String falling = sizeExponent == CALM_EXPONENT ? ", reads fall as 1/size" : "";
      return what + " at " + Math.round(perSec) + "/s x " + together + falling;
    }
  }

  /** Loads by the names that claims use for them. */
  Map<String, List<Load>> loads() {
    List<Load> calls =
        (plan.isQuick() ? List.of(30) : List.of(10, 20, 40, 60))
            .stream().map(EafrReads::calls).toList();
    List<Load> files =
        (plan.isQuick() ? List.of(300.0) : List.of(100.0, 200.0, 300.0))
            .stream().map(EafrReads::files).toList();
    Load most = files.get(files.size() - 1);
    Map<String, List<Load>> loads = new LinkedHashMap<>();
    loads.put("calls", calls); // of one file at a moment (section 4.1.1: 10 to 60)
    loads.put("most calls", List.of(calls.get(calls.size() - 1)));
    loads.put("files", files); // a second (section 4.1.1: 100 to 300)
    loads.put("most files", List.of(most));
    List<Load> every = new ArrayList<>(files);
    every.add(files(MOST_FILES_PER_SEC));
    every.addAll(calls);
    loads.put(FOUR_HUNDRED, List.of(files(MOST_FILES_PER_SEC)));
    loads.put(EVERY, every); // what ours is to be no worse at
    loads.put(DAY, List.of(files(Math.round(PublishedStatistics.EAFR_READS_PER_SEC))));
    loads.put("calm files", List.of(new Load(true, most.perSec(), 1, CALM_EXPONENT)));
    loads.put("calls one by one", List.of(new Load(false, most.perSec(), 1, most.sizeExponent())));
    return loads;
  }

  /** So many together, in place of each call of the trace. */
  private static Load calls(int together) {
    return new Load(
        false, PublishedStatistics.EAFR_READS_PER_SEC, together, TracedFiles.SIZE_EXPONENT);
  }

  private static Load files(double perSec) {
    return new Load(true, perSec, 1, TracedFiles.SIZE_EXPONENT);
  }

  List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    add(runs, "calls", COMPARED);
    add(
        runs,
        "most calls",
        List.of(
            "CDRM, three replicas or more", "CDRM, first two at random", "EAFR-net, true queues"));
    add(runs, "files", COMPARED);
    add(runs, "most files", List.of("EAFR, none asleep"));
    add(runs, EVERY, List.of("ours", "ours, sleeping"));
    add(runs, FOUR_HUNDRED, List.of("HDFS"));
    add(runs, "calm files", List.of("HDFS", "CDRM", "EAFR"));
    add(runs, "calls one by one", List.of("HDFS", "CDRM", "EAFR"));
    add(
        runs,
        DAY,
        List.of(
            "HDFS",
            "CDRM",
            "CDRM for failures 0.2",
            "EAFR",
            "EAFR, r = 3",
            "EAFR on files stock has placed"));
    return runs;
  }

  private void add(List<Run> runs, String loads, List<String> systems) {
    for (Load load : loads().get(loads)) {
      for (String system : systems) {
        int[] minutes = minutes(system, loads, load);
        runs.add(
            new Run(system, load.text(), plan.runs(), seed -> run(system, load, minutes, seed)));
      }
    }
  }

  /** Minutes that count in no figure, and minutes in all. */
  private int[] minutes(String system, String loads, Load load) {
    if (load.together() > 1) {
      if (system.equals("HDFS")) {
        return new int[] {5, 10};
      }
      if (system.startsWith("CDRM")) {
        return new int[] {15, 20};
      }
      return plan.isQuick() ? new int[] {21, 30} : new int[] {40, 50};
    }
    if (plan.isQuick()) {
      return new int[] {11, 21};
    }
    // Queues that grow have no end to settle at: all systems run for the same time.
    return loads.equals(DAY) ? new int[] {120, 150} : new int[] {40, 80};
  }

  private Map<String, Double> run(String system, Load load, int[] minutes, long seed) {
    TracedFiles files = files(seed, load.sizeExponent());
    ReadLoad reads =
        new ReadLoad(
            part(load.perSec()),
            load.together(),
            load.isWholeFile(),
            SimTime.ofMs(60_000L * minutes[0]),
            SimTime.ofMs(60_000L * minutes[1]));
    return metrics(
        new ReadRun(park(seed), files, reads, SYSTEMS.get(system), seed).run(),
        files,
        new Streams(seed));
  }

  private static Map<String, Double> metrics(
      ReadRecord record, TracedFiles files, Streams streams) {
    double allOn = record.power().allOn();
    return Map.ofEntries(
        entry("mean-ms", record.latencies().meanMs()),
        entry("mean-sec", record.latencies().meanMs() / 1e3),
        entry("median-ms", record.latencies().quantileMs(0.5)),
        entry("p99-ms", record.latencies().quantileMs(0.99)),
        entry("late", record.latencies().lateShare()),
        entry("utilisation-low", record.utilisation().quantile(0.01)),
        entry("utilisation-median", record.utilisation().median()),
        entry("utilisation-high", record.utilisation().quantile(0.99)),
        entry("overloaded", record.overloadedShare()),
        entry("stored-terabytes", record.storedBytes() / TERABYTE),
        entry("overhead-low", record.overhead().quantile(0.01)),
        entry("overhead-median", record.overhead().median()),
        entry("overhead-high", record.overhead().quantile(0.99)),
        entry("saved-kwh", allOn - record.power().drawnNapping()),
        entry("saved-if-idle-kwh", allOn - record.power().drawn()),
        entry("drawn-kwh", record.power().drawn()),
        entry("drawn-napping-kwh", record.power().drawnNapping()),
        entry("asleep", (double) record.cold()),
        entry("read-factor", record.readFactor()),
        entry("success-0.1", percentOfReads(record, files, 0.1, streams)),
        entry("success-0.2", percentOfReads(record, files, 0.2, streams)));
  }

  private static double percentOfReads(
      ReadRecord record, TracedFiles files, double failing, Streams streams) {
    return 100
        * FailureOdds.success(record.replicas(), files.reads(), failing, streams.of("failures"));
  }

  ServerPark park(long seed) {
    int perRack = plan.isQuick() ? SERVERS_PER_RACK / QUICK_PART : SERVERS_PER_RACK;
    return ServerPark.drawn(RACKS, perRack, new Streams(seed).of("servers"));
  }

  TracedFiles files(long seed, double sizeExponent) {
    int part = plan.isQuick() ? QUICK_PART : 1;
    return TracedFiles.drawn(
        TracedFiles.PAPER_FILES / part,
        TracedFiles.PAPER_READ_FILES / part,
        sizeExponent,
        new Streams(seed).of("files"));
  }

  /** A rate, or a part of it. */
  double part(double perSec) {
    return plan.isQuick() ? perSec / QUICK_PART : perSec;
  }
}
