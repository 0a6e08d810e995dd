package org.rackweave.sim.claims;

import static java.util.Map.entry;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.ToDoubleBiFunction;
import org.rackweave.sim.claims.ScenarioClaims.Metric;
import org.rackweave.sim.encoding.EncodedStripe;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.statistics.Estimate;
import org.rackweave.sim.statistics.Sample;
import org.rackweave.sim.traffic.BlockOutcome;
import org.rackweave.sim.traffic.ReadOutcome;

/** What EAR's claims are measured by. */
public final class EarClaims {
  private static final String EAR = "ear";

  /** Table I, testbed, with encoding, seconds; and what EAR saves of the time to encode. */
  private static final double WITH_RR = 2.45;

  private static final double WITH_EAR = 2.13;
  private static final double ENCODING_SAVED = 0.316;

  private static final Metric CROSS_RACK = Metric.ofFigures(PolicyFigures::crossRackDownloads);
  private static final Metric RELOCATIONS = Metric.ofFigures(PolicyFigures::relocations);
  private static final Metric WRITE_SEC = ofRun(EarClaims::writeSeconds);
  private static final Metric ENCODING_SEC = Metric.ofRecord(one -> one.encoding().seconds());
  private static final Metric READ_SEC = Metric.ofFigures(PolicyFigures::readMeanSec);
  private static final Metric MEAN_WRITE_SEC = Metric.ofFigures(PolicyFigures::meanSec);

  private static final Map<String, Metric> METRICS =
      Map.ofEntries(
          entry("cross-rack-blocks", CROSS_RACK),
          entry("most-cross-rack-blocks", most(CROSS_RACK)),
          entry("cross-rack-formula", (one, any) -> new double[] {formula(one)}),
          entry("distance-from-formula", EarClaims::distanceFromFormula),
          entry("relocations", RELOCATIONS),
          entry("most-relocations", most(RELOCATIONS)),
          entry("draws", (one, block) -> draws(one, block, 1)),
          entry("draws-bound", (one, block) -> new double[] {drawsBound(one, block)}),
          entry("draws-over-bound", (one, block) -> draws(one, block, drawsBound(one, block))),
          entry("encoding-rate", Metric.ofRecord(one -> one.encoding().dataBytesPerSec())),
          entry("encoding-sec", ENCODING_SEC),
          entry("encoding-off", EarClaims::encodingOff),
          entry("fullest-rack", ofRun(EarClaims::fullestRack)),
          entry("write-sec", WRITE_SEC),
          entry("writes-off", EarClaims::writesOff),
          entry("mean-write-sec", MEAN_WRITE_SEC),
          entry("read-sec", READ_SEC),
          entry("jobs-ratio", EarClaims::jobsRatio),
          entry("rack-bytes-cv", variation((run, any) -> run.rackBytes())),
          entry("rack-reads-cv", variation(EarClaims::rackReads)));

  private EarClaims() {}

  /** The claims. */
  public static ClaimSet claims() {
    return new ScenarioClaims(
        "ear",
        List.of(
            "ear-sweep",
            "ear-encoding",
            "ear-write",
            "ear-validation",
            "ear-balance",
            "ear-mapreduce"),
        METRICS);
  }

  private static Metric ofRun(ToDoubleBiFunction<PolicyRecord, ScenarioResult> figure) {
    return (result, policy) ->
        result.of(policy).stream().mapToDouble(run -> figure.applyAsDouble(run, result)).toArray();
  }

  private static Metric most(Metric metric) {
    return (result, policy) ->
        new double[] {Arrays.stream(metric.of(result, policy)).max().orElseThrow()};
  }

  private static double mean(Metric metric, ScenarioResult result, String policy) {
    return Estimate.of(metric.of(result, policy)).mean();
  }

  /** What section II-B expects of replicas in two random racks. */
  private static double formula(ScenarioResult result) {
    return result.scenario().encoding().code().dataBlocks()
        * (1 - 2.0 / result.scenario().cluster().racks());
  }

  private static double[] distanceFromFormula(ScenarioResult result, String policy) {
    return new double[] {Math.abs(mean(CROSS_RACK, result, policy) / formula(result) - 1)};
  }

  private static double[] draws(ScenarioResult result, String block, double over) {
    int ofStripe = Integer.parseInt(block);
    return Metric.ofRecord(one -> one.encoding().meanDraws()[ofStripe - 1] / over).of(result, EAR);
  }

  private static double drawsBound(ScenarioResult result, String block) {
    return result
        .scenario()
        .encoding()
        .rules()
        .drawsBound(Integer.parseInt(block), result.scenario().cluster().racks());
  }

  /**
   * Mean time of the writes asked for while stripes were encoded; each policy has its own while, as
   * in the paper's figure 9.
   */
  private static double writeSeconds(PolicyRecord run, ScenarioResult result) {
    long from = SimTime.ofMs(result.scenario().encoding().atMs());
    long until = run.encoding().endedNanos();
    return run.blocks().stream()
        .filter(block -> block.isWritten())
        .filter(block -> block.askedNanos() >= from && block.askedNanos() <= until)
        .mapToDouble(BlockOutcome::writeSeconds)
        .average()
        .orElse(Double.NaN);
  }

  private static double[] writesOff(ScenarioResult result, String policy) {
    double testbed = policy.equals(EAR) ? WITH_EAR : WITH_RR;
    return percentOff(mean(WRITE_SEC, result, policy), testbed);
  }

  private static double[] encodingOff(ScenarioResult result, String policy) {
    double[] rr = ENCODING_SEC.of(result, result.baseline());
    double[] ours = ENCODING_SEC.of(result, policy);
    Arrays.setAll(ours, seed -> ours[seed] / rr[seed]);
    return percentOff(Estimate.of(ours).mean(), 1 - ENCODING_SAVED);
  }

  private static double[] percentOff(double ours, double paper) {
    return new double[] {100 * Math.abs(ours / paper - 1)};
  }

  /** Stripes of the rack that encodes most, over what each would have if all had the same. */
  private static double fullestRack(PolicyRecord run, ScenarioResult result) {
    int[] stripes = new int[result.scenario().cluster().racks()];
    for (EncodedStripe stripe : run.encoding().stripes()) {
      stripes[rackOf(stripe.encoder(), result)]++;
    }
    int most = Arrays.stream(stripes).max().orElseThrow();
    return most * stripes.length / (double) run.encoding().stripes().size();
  }

  /** Racks of a scenario without a topology file have consecutive nodes. */
  private static int rackOf(int node, ScenarioResult result) {
    return node / result.scenario().cluster().nodesPerRack();
  }

  private static double[] rackReads(PolicyRecord run, ScenarioResult result) {
    double[] reads = new double[result.scenario().cluster().racks()];
    for (ReadOutcome read : run.reads()) {
      if (read.isRead()) {
        reads[rackOf(read.holder(), result)]++;
      }
    }
    return reads;
  }

  /**
   * Coefficient of variation over racks.
   *
   * @param racks what lies in racks or is read from them
   */
  private static Metric variation(BiFunction<PolicyRecord, ScenarioResult, double[]> racks) {
    return ofRun((run, result) -> new Sample(racks.apply(run, result)).variation());
  }

  /** Time of jobs over RR's, of reads or of writes, whichever is further from 1. */
  private static double[] jobsRatio(ScenarioResult result, String policy) {
    double reads = ratioToRr(READ_SEC, result, policy);
    double writes = ratioToRr(MEAN_WRITE_SEC, result, policy);
    return new double[] {Math.abs(reads - 1) > Math.abs(writes - 1) ? reads : writes};
  }

  private static double ratioToRr(Metric metric, ScenarioResult result, String policy) {
    double[] rr = metric.of(result, result.baseline());
    double[] ours = metric.of(result, policy);
    Arrays.setAll(ours, seed -> ours[seed] / rr[seed]);
    return Estimate.of(ours).mean();
  }
}
