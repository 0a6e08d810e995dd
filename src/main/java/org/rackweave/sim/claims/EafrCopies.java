package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.sim.claims.SeedRuns.Run;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.engine.Streams;
import org.rackweave.sim.reading.BurstRun;
import org.rackweave.sim.reading.CopyRun;
import org.rackweave.sim.reading.CopyRun.Destination;
import org.rackweave.sim.reading.CopyRun.Way;
import org.rackweave.sim.reading.LatencyLog;
import org.rackweave.sim.reading.RecoveryRun;
import org.rackweave.sim.reading.RecoveryRun.Planner;
import org.rackweave.sim.reading.TracedFiles;
import org.rackweave.sim.statistics.Sample;

/**
 * The runs of bursts of readers, new replicas and lost ones that EAFR's claims are judged by
 * (sections 4.1.1, 4.1.2, 4.2.1 and 4.2.3).
 *
 * @param reads with the servers and the files
 */
record EafrCopies(EafrReads reads) {
  private static final int READERS = 60;
  private static final long HOUR_MS = 3_600_000;

  /** How replicas are copied, by the names of the paper's systems. */
  private static final Map<String, Way> WAYS =
      Map.of(
          "HDFS", new Way(Destination.RANDOM, false),
          "CDRM", new Way(Destination.LEAST_READ, false),
          "EAFR/B", new Way(Destination.LOTTERY, false),
          "EAFR-rate", new Way(Destination.LOTTERY, true));

  /** How lost replicas are made again. */
  private static final Map<String, Planner> PLANNERS =
      Map.of(
          "EAFR-load", Planner.ALGORITHM_4,
          "EAFR/B", Planner.CHANCE,
          "EAFR/B by role", Planner.CHANCE_BY_ROLE);

  List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    addBursts(runs);
    addCopies(runs);
    addRecoveries(runs);
    return runs;
  }

  private void addBursts(List<Run> runs) {
    for (int files : List.of(1, 20)) {
      for (int replicas = 2; replicas <= 7; replicas++) {
        int each = replicas;
        runs.add(
            new Run(
                files == 1 ? "1 file" : files + " files",
                replicas + " replicas",
                reads.plan().runs(),
                seed -> burst(files, each, seed)));
      }
    }
  }

  private Map<String, Double> burst(int files, int replicas, long seed) {
    int times = (reads.plan().isQuick() ? 400 : 4000) / files;
    LatencyLog log =
        BurstRun.run(
            reads.park(seed),
            files,
            replicas,
            READERS,
            times,
            new Streams(seed).of("bursts" + List.of(files, replicas)));
    return Map.of("burst-ms", log.quantileMs(0.5), "burst-late", log.lateShare());
  }

  /** As many as EAFR adds a second while the trace's files are read, and others for causes. */
  private void addCopies(List<Run> runs) {
    for (double rate : List.of(0.03, 1.0, 0.3)) {
      CopyRun.Plan plan =
          new CopyRun.Plan(
              reads.part(rate),
              SimTime.ofMs(HOUR_MS),
              SimTime.ofMs(HOUR_MS * (reads.plan().isQuick() ? 2 : 12)));
      WAYS.forEach(
          (name, way) ->
              runs.add(
                  new Run(
                      name,
                      rate + " copies a second",
                      reads.plan().runs(),
                      seed -> copySeconds(new CopyRun(reads.park(seed), way, plan, seed).run()))));
    }
  }

  private static Map<String, Double> copySeconds(List<Sample> bySize) {
    Map<String, Double> seconds = new LinkedHashMap<>();
    for (int kind = 0; kind < bySize.size(); kind++) {
      seconds.put("copy-sec " + CopyRun.SIZES_MB.get(kind) + " MB", bySize.get(kind).mean());
    }
    return seconds;
  }

  private void addRecoveries(List<Run> runs) {
    int seeds = reads.plan().isQuick() ? 2 : 5 * reads.plan().runs();
    for (int failures = 1; failures <= 5; failures++) {
      int each = failures;
      PLANNERS.forEach(
          (name, planner) ->
              runs.add(
                  new Run(name, each + " failed", seeds, seed -> recovery(each, planner, seed))));
    }
  }

  private Map<String, Double> recovery(int failures, Planner planner, long seed) {
    TracedFiles files = reads.files(seed, TracedFiles.SIZE_EXPONENT);
    return Map.of(
        "recovery-sec",
        new RecoveryRun(reads.park(seed), files, failures, seed).run(planner).seconds());
  }
}
