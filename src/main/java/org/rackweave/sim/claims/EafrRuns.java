package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleBinaryOperator;
import java.util.function.ToDoubleFunction;
import org.rackweave.sim.claims.ClaimStudy.Plan;
import org.rackweave.sim.claims.ClaimStudy.Task;
import org.rackweave.sim.claims.ClaimStudy.Workers;
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
import org.rackweave.sim.reading.TracedFiles;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.workload.PublishedStatistics;

/** Every run of reads that EAFR's claims are judged by, under every seed. */
final class EafrRuns {
  /** The systems of section 4 and, below them, those that differ in one thing to find causes. */
  enum System {
    HDFS("HDFS", setting -> setting.fixed(3)),
    CDRM("CDRM", setting -> setting.cdrm(Target.AT_ONE_IN_TEN)),
    CDRM_TWO_IN_TEN("CDRM for failures 0.2", setting -> setting.cdrm(Target.AT_TWO_IN_TEN)),
    EAFR("EAFR", setting -> setting.eafr(EafrSettings.PAPER)),
    NET("EAFR-net", setting -> setting.eafr(EafrSettings.PAPER.reading(Reading.ALGORITHM_3))),
    EAFR_3("EAFR, r = 3", setting -> setting.eafr(EafrSettings.PAPER.minReplicas(3))),
    CDRM_3(
        "CDRM, three replicas or more", setting -> setting.cdrm(new Target(0.98, 0.1, 3, false))),
    CDRM_RANDOM(
        "CDRM, first two at random", setting -> setting.cdrm(new Target(0.98, 0.1, 2, true))),
    ORACLE(
        "EAFR-net, true queues",
        setting -> setting.eafr(EafrSettings.PAPER.reading(Reading.ALGORITHM_3_ORACLE))),
    AWAKE("EAFR, none asleep", setting -> setting.eafr(EafrSettings.PAPER.standbyFraction(0))),
    AFTER_STOCK(
        "EAFR on files stock has placed", setting -> setting.eafr(EafrSettings.PAPER.afterStock()));

    final String label;
    private final SystemMaker maker;

    System(String label, SystemMaker maker) {
      this.label = label;
      this.maker = maker;
    }
  }

  /** The systems that the paper's figures compare. */
  static final List<System> COMPARED = List.of(System.HDFS, System.CDRM, System.EAFR, System.NET);

  /**
   * What readers do.
   *
   * @param isWholeFile whether a read is of a file, or one call
   * @param perSec askings, on average
   * @param together readers of each
   * @param sizeExponent how reads fall with the size of a file
   */
  record Load(boolean isWholeFile, double perSec, int together, double sizeExponent) {
    /** So many together, in place of each call of the trace. */
    static Load calls(int together) {
      return new Load(
          false, PublishedStatistics.EAFR_READS_PER_SEC, together, TracedFiles.SIZE_EXPONENT);
    }

    /** So many files a second. */
    static Load files(double perSec) {
      return new Load(true, perSec, 1, TracedFiles.SIZE_EXPONENT);
    }

    String text() {
      return (isWholeFile ? "files" : "calls") + " at " + Math.round(perSec) + "/s x " + together;
    }
  }

  /**
   * What is to be run.
   *
   * @param warmUpMin minutes that count in no figure
   * @param endMin minutes in all
   */
  record Case(System system, Load load, int warmUpMin, int endMin) {}

  /** What a run showed. */
  record Seen(
      double meanMs,
      double medianMs,
      double lateShare,
      double utilisationLow,
      double utilisationMedian,
      double utilisationHigh,
      double overloadedShare,
      double storedBytes,
      double overheadLow,
      double overheadMedian,
      double overheadHigh,
      ReadRecord.Power power,
      int cold,
      double readFactor,
      double successAtOneInTen,
      double successAtTwoInTen) {

    private static Seen of(ReadRecord record, TracedFiles files, Streams streams) {
      return new Seen(
          record.latencies().meanMs(),
          record.latencies().quantileMs(0.5),
          record.latencies().lateShare(),
          record.utilisation().quantile(0.01),
          record.utilisation().median(),
          record.utilisation().quantile(0.99),
          record.overloadedShare(),
          record.storedBytes(),
          record.overhead().quantile(0.01),
          record.overhead().median(),
          record.overhead().quantile(0.99),
          record.power(),
          record.cold(),
          record.readFactor(),
          FailureOdds.success(record.replicas(), files.reads(), 0.1, streams.of("failures")),
          FailureOdds.success(record.replicas(), files.reads(), 0.2, streams.of("failures")));
    }
  }

  private record Key(System system, Load load) {}

  private final Map<Key, List<Seen>> seen = new LinkedHashMap<>();

  private EafrRuns() {}

  /** Runs all cases. */
  static EafrRuns of(List<Case> cases, Plan plan, Workers workers) throws InterruptedException {
    EafrRuns runs = new EafrRuns();
    EafrScale scale = EafrScale.of(plan);
    Set<Case> all = new LinkedHashSet<>(cases);
    List<Task<Seen>> tasks = new ArrayList<>();
    List<Key> keys = new ArrayList<>();
    for (Case one : all) {
      for (int run = 0; run < plan.runs(); run++) {
        long seed = plan.seed() + run;
        keys.add(new Key(one.system(), one.load()));
        tasks.add(
            new Task<>(
                one.system().label + ", " + one.load().text() + ", seed " + seed,
                () -> run(one, seed, scale)));
      }
    }
    List<Seen> results = workers.all(tasks);
    for (int i = 0; i < results.size(); i++) {
      runs.seen.computeIfAbsent(keys.get(i), key -> new ArrayList<>()).add(results.get(i));
    }
    return runs;
  }

  private static Seen run(Case one, long seed, EafrScale scale) {
    TracedFiles files = scale.files(seed, one.load().sizeExponent());
    ReadLoad load =
        new ReadLoad(
            scale.of(one.load().perSec()),
            one.load().together(),
            one.load().isWholeFile(),
            SimTime.ofMs(60_000L * one.warmUpMin()),
            SimTime.ofMs(60_000L * one.endMin()));
    return Seen.of(
        new ReadRun(scale.park(seed), files, load, one.system().maker, seed).run(),
        files,
        new Streams(seed));
  }

  private List<Seen> of(System system, Load load) {
    List<Seen> found = seen.get(new Key(system, load));
    if (found == null) {
      throw new IllegalArgumentException("not run: " + system + " " + load);
    }
    return found;
  }

  Estimate estimate(System system, Load load, ToDoubleFunction<Seen> figure) {
    return Estimate.of(of(system, load), figure);
  }

  double mean(System system, Load load, ToDoubleFunction<Seen> figure) {
    return estimate(system, load, figure).mean();
  }

  /** One system's figure over another's, seed by seed. */
  Estimate ratio(System over, System under, Load load, ToDoubleFunction<Seen> figure) {
    return paired(over, under, load, figure, (one, other) -> one / other);
  }

  /** Two systems' figures compared, seed by seed. */
  Estimate paired(
      System system,
      System other,
      Load load,
      ToDoubleFunction<Seen> figure,
      DoubleBinaryOperator compare) {
    double[] values = new double[of(system, load).size()];
    Arrays.setAll(
        values,
        seed ->
            compare.applyAsDouble(
                figure.applyAsDouble(of(system, load).get(seed)),
                figure.applyAsDouble(of(other, load).get(seed))));
    return Estimate.of(values);
  }
}
