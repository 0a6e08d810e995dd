package org.rackweave.sim.claims;

import static org.rackweave.sim.claims.EncodingGain.EAR;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.rackweave.ear.StripeRules;
import org.rackweave.sim.claims.ScenarioClaim.Asked;
import org.rackweave.sim.claims.ScenarioClaim.Figure;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.report.Sample;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.run.PolicyRecord;
import org.rackweave.sim.traffic.ReadOutcome;

/**
 * EAR's claims (Li, Hu, Lee, DSN 2015, sections III to V) against random replication (RR, stock
 * placement).
 */
public final class EarClaims implements ClaimSet {
  private static final String SWEEP = "ear-sweep";
  private static final String ENCODING = "ear-encoding";
  private static final String WRITE = "ear-write";
  private static final String VALIDATION = "ear-validation";
  private static final String BALANCE = "ear-balance";
  private static final String MAP_REDUCE = "ear-mapreduce";

  /** How far RR's downloads may be from the paper's formula, as a fraction. */
  private static final double FORMULA_TOLERANCE = 0.05;

  /** What chance may add to a mean of some thousand draws, as a fraction. */
  private static final double DRAWS_TOLERANCE = 0.02;

  /** How much worse than RR's a balance may be and still be as good, as a fraction. */
  private static final double BALANCE_TOLERANCE = 0.1;

  /** By how much times may differ and still be unaffected, as a fraction. */
  private static final double UNAFFECTED_TOLERANCE = 0.05;

  private static final List<String> RACK_LIMITS = List.of("1", "2", "4");
  private static final int DATA_BLOCKS = 10;

  private static final Figure WORST_DRAW =
      new Figure(SWEEP, "draws over the bound, the worst", "", 1, EarClaims::worstDraw);

  private static final Figure READS =
      new Figure(
          MAP_REDUCE,
          "reads, saved by EAR",
          "",
          0,
          jobs -> EncodingGain.saving(jobs, record -> PolicyFigures.of(record).readMeanSec()));

  private static final Figure WRITES =
      new Figure(
          MAP_REDUCE,
          "writes, saved by EAR",
          "",
          0,
          jobs -> EncodingGain.saving(jobs, record -> PolicyFigures.of(record).meanSec()));

  /** All, in the order of the table. */
  static final List<ScenarioClaim> CLAIMS =
      Stream.of(layouts(), EarSweeps.CLAIMS, EarTestbed.CLAIMS, balances())
          .flatMap(List::stream)
          .toList();

  @Override
  public List<String> scenarios() {
    return List.of(SWEEP, ENCODING, WRITE, VALIDATION, BALANCE, MAP_REDUCE);
  }

  @Override
  public List<Claim> judge(Map<String, ScenarioResult> results) {
    return ScenarioClaim.judge(CLAIMS, results);
  }

  private static List<ScenarioClaim> layouts() {
    return List.of(
        new ScenarioClaim(
            "ear-cross-rack",
            "II-B and III",
            "Data blocks read across racks to encode a stripe",
            true,
            new Figure(
                SWEEP, "", "blocks", 0, one -> one.figure(EAR, PolicyFigures::crossRackDownloads)),
            List.of(
                mostOfEar(SWEEP, PolicyFigures::crossRackDownloads),
                mostOfEar(ENCODING, PolicyFigures::crossRackDownloads),
                offTheFormula(SWEEP),
                offTheFormula(ENCODING)),
            List.of(
                downloadsOfRr(SWEEP, "RR, k = 10, R = 20"),
                downloadsOfRr(ENCODING, "RR, k = 8, R = 12"))),
        new ScenarioClaim(
            "ear-relocation",
            "III",
            "Blocks of an encoded stripe that stand too many on a node or in a rack, counted from"
                + " their places, with all settings tried",
            true,
            new Figure(SWEEP, "", "blocks", 0, one -> one.figure(EAR, PolicyFigures::relocations)),
            List.of(
                mostOfEar(SWEEP, PolicyFigures::relocations),
                mostOfEar(ENCODING, PolicyFigures::relocations)),
            List.of(
                relocationsOfRr(SWEEP, "rs-10-4, R = 20", one -> one),
                relocationsOfRr(ENCODING, "rs-8-2, R = 12", one -> one),
                relocationsOfRr(
                    ENCODING,
                    "rs-10-2, R = 12",
                    one -> one.variation("encoding.code", "rs-10-2")))),
        new ScenarioClaim(
            "ear-draws",
            "III",
            "Layouts drawn for the i-th block of a stripe in the mean, over the paper's bound, for"
                + " the worst i and c of 1, 2 and 4",
            true,
            WORST_DRAW,
            List.of(WORST_DRAW.asked(Bound.atMost(1 + DRAWS_TOLERANCE))),
            draws()));
  }

  private static List<ScenarioClaim> balances() {
    return List.of(
        balance(
            "ear-storage-balance",
            "Coefficient of variation over racks of the bytes of replicated blocks, beside RR's",
            result -> PolicyRecord::rackBytes),
        balance(
            "ear-read-balance",
            "Coefficient of variation over racks of the blocks read from them, beside RR's",
            result -> record -> rackReads(record, result)),
        new ScenarioClaim(
            "ear-mapreduce",
            "V.A, A.3",
            "Time that jobs wait for their blocks under EAR over RR's, reads and writes, the one"
                + " further from 1",
            false,
            new Figure(MAP_REDUCE, "", "", 1, jobs -> Estimate.of(1 - furthest(jobs))),
            List.of(
                new Asked(
                    MAP_REDUCE,
                    "from 1",
                    Bound.atMost(UNAFFECTED_TOLERANCE),
                    jobs -> Math.abs(furthest(jobs)))),
            List.of(READS, WRITES)));
  }

  /** The most on any seed, as written and however varied. */
  private static Asked mostOfEar(String scenario, ToDoubleFunction<PolicyFigures> figure) {
    return new Asked(
        scenario,
        "EAR's most",
        Bound.atMost(0),
        result ->
            Stream.concat(Stream.of(result), result.cases().values().stream())
                .mapToDouble(one -> one.figure(EAR, figure).most())
                .max()
                .orElseThrow());
  }

  private static Asked offTheFormula(String scenario) {
    return new Asked(
        scenario,
        "RR's distance from k (1 - 2/R)",
        Bound.atMost(FORMULA_TOLERANCE),
        result ->
            Math.abs(
                result.figure(result.baseline(), PolicyFigures::crossRackDownloads).mean()
                        / formula(result)
                    - 1));
  }

  /** What the paper's section II-B expects of replicas in two random racks. */
  private static double formula(ScenarioResult result) {
    return result.scenario().encoding().code().dataBlocks()
        * (1 - 2.0 / result.scenario().cluster().racks());
  }

  private static Figure downloadsOfRr(String scenario, String what) {
    return new Figure(
        scenario,
        what,
        "blocks",
        EarClaims::formula,
        result -> result.figure(result.baseline(), PolicyFigures::crossRackDownloads));
  }

  private static Figure relocationsOfRr(
      String scenario, String what, Function<ScenarioResult, ScenarioResult> of) {
    return new Figure(
        scenario,
        "RR with the best replicas kept, " + what,
        "blocks",
        result -> of.apply(result).figure(result.baseline(), PolicyFigures::relocations));
  }

  private static List<Figure> draws() {
    List<Figure> draws = new ArrayList<>();
    for (String limit : RACK_LIMITS) {
      for (int block = 1; block <= DATA_BLOCKS; block++) {
        int ofStripe = block;
        draws.add(
            new Figure(
                SWEEP,
                "block " + block + ", c = " + limit,
                "draws",
                sweep -> drawsBound(withLimit(sweep, limit), ofStripe),
                sweep -> drawn(withLimit(sweep, limit), ofStripe, 1)));
      }
    }
    return draws;
  }

  private static ScenarioResult withLimit(ScenarioResult sweep, String limit) {
    return limit.equals("1") ? sweep : sweep.variation("encoding.rack-limit", limit);
  }

  private static double drawsBound(ScenarioResult result, int block) {
    StripeRules rules = result.scenario().encoding().rules();
    return rules.drawsBound(block, result.scenario().cluster().racks());
  }

  private static Estimate drawn(ScenarioResult result, int block, double over) {
    return Estimate.of(result.of(EAR), record -> record.encoding().meanDraws()[block - 1] / over);
  }

  private static Estimate worstDraw(ScenarioResult sweep) {
    List<Estimate> shares = new ArrayList<>();
    for (String limit : RACK_LIMITS) {
      ScenarioResult result = withLimit(sweep, limit);
      for (int block = 1; block <= DATA_BLOCKS; block++) {
        shares.add(drawn(result, block, drawsBound(result, block)));
      }
    }
    return shares.stream().max(Comparator.comparingDouble(Estimate::mean)).orElseThrow();
  }

  private static double[] rackReads(PolicyRecord record, ScenarioResult result) {
    double[] reads = new double[result.scenario().cluster().racks()];
    for (ReadOutcome read : record.reads()) {
      if (read.isRead()) {
        reads[read.holder() / result.scenario().cluster().nodesPerRack()]++;
      }
    }
    return reads;
  }

  /**
   * @param racks what lies in racks or is read from them, of a record
   */
  private static ScenarioClaim balance(
      String id, String about, Function<ScenarioResult, Function<PolicyRecord, double[]>> racks) {
    Function<ScenarioResult, Estimate> ear = result -> variation(result, EAR, racks);
    Function<ScenarioResult, Estimate> rr = result -> variation(result, result.baseline(), racks);
    return new ScenarioClaim(
        id,
        "V.C",
        about,
        false,
        new Figure(BALANCE, "", "", result -> rr.apply(result).mean(), ear),
        List.of(
            new Asked(
                BALANCE,
                "times RR's",
                Bound.atMost(1 + BALANCE_TOLERANCE),
                result -> ear.apply(result).mean() / rr.apply(result).mean())),
        List.of(new Figure(BALANCE, "RR", "", rr)));
  }

  private static Estimate variation(
      ScenarioResult result,
      String policy,
      Function<ScenarioResult, Function<PolicyRecord, double[]>> racks) {
    return Estimate.of(
        result.of(policy), record -> new Sample(racks.apply(result).apply(record)).variation());
  }

  /** What EAR saves of reads or of writes, whichever is more or less. */
  private static double furthest(ScenarioResult jobs) {
    double reads = READS.ours().apply(jobs).mean();
    double writes = WRITES.ours().apply(jobs).mean();
    return Math.abs(reads) > Math.abs(writes) ? reads : writes;
  }
}
