package org.rackweave.sim.claims;

import static org.rackweave.sim.claims.EncodingGain.EAR;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.rackweave.sim.claims.Claim.Detail;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.report.ScenarioResult;

/** EAR's experiments A.1 and A.2 on twelve machines, and B.1, their simulation (section V). */
final class EarTestbed {
  private static final String CODE = "encoding.code";
  private static final String INJECTED = "injected.bandwidth";
  private static final String ARITHMETIC = "encoding.arithmetic";
  private static final String STRIPES = "encoding.stripes";

  /** Gains and savings may be short of the paper's by so much, a share of 1. */
  private static final double SHARE_TOLERANCE = 0.05;

  private static final double GAIN_AT_4 = 0.199;
  private static final double GAIN_AT_10 = 0.597;
  private static final double GAIN_ALONE = 0.575;
  private static final double GAIN_BESIDE_800 = 1.197;
  private static final double WRITE_SAVING = 0.124;
  private static final double ENCODING_SAVING = 0.316;

  /** Table I, testbed, seconds. */
  private static final double WITHOUT_RR = 1.43;

  private static final double WITHOUT_EAR = 1.42;
  private static final double WITH_RR = 2.45;
  private static final double WITH_EAR = 2.13;

  /** How far the paper's simulator is from its testbed at most, as a percentage. */
  private static final double VALIDATION_PERCENT = 4.3;

  private EarTestbed() {}

  static Claim throughput(ScenarioResult alone) {
    Estimate atTen = gain(alone.variation(CODE, "rs-10-2"));
    Estimate atFour = gain(alone.variation(CODE, "rs-4-2"));
    Estimate beside = gain(alone.variation(INJECTED, "800Mbps"));
    boolean met =
        reaches(atFour, GAIN_AT_4)
            && reaches(atTen, GAIN_AT_10)
            && reaches(gain(alone), GAIN_ALONE)
            && reaches(beside, GAIN_BESIDE_800);
    List<Detail> details = new ArrayList<>();
    details.add(new Detail("k = 4", "", GAIN_AT_4, atFour));
    details.add(detail("k = 6", gain(alone.variation(CODE, "rs-6-2"))));
    details.add(new Detail("k = 8, alone", "", GAIN_ALONE, gain(alone)));
    details.add(detail("beside 200 Mb/s", gain(alone.variation(INJECTED, "200Mbps"))));
    details.add(detail("beside 500 Mb/s", gain(alone.variation(INJECTED, "500Mbps"))));
    details.add(new Detail("beside 800 Mb/s", "", GAIN_BESIDE_800, beside));
    details.add(detail("stripes of the fullest core rack", EncodingGain.fullestRack(alone)));
    details.add(detail("k = 8, writers in turn", gain(inTurn(alone))));
    details.addAll(withArithmetic(alone, EarTestbed::gain));
    return new Claim(
        "ear-encoding-throughput",
        "Gain in encoding throughput at k = 10; met when this gain and those at k = 4, at k = 8 alone"
            + " and beside 800 Mb/s are no less than the paper's to within 5 points.",
        false,
        "",
        GAIN_AT_10,
        atTen,
        met,
        met ? "" : whyNoMore(alone),
        details);
  }

  private static ScenarioResult inTurn(ScenarioResult alone) {
    return alone.variation("encoding.writers", "in-turn");
  }

  private static String whyNoMore(ScenarioResult alone) {
    return String.format(
        Locale.ROOT,
        "EAR's tasks keep to their racks, and %s; had every machine written as much, the gain at k ="
            + " 8 would be %.2f",
        lastRack(alone),
        gain(inTurn(alone)).mean());
  }

  private static String lastRack(ScenarioResult result) {
    return String.format(
        Locale.ROOT,
        "the rack with most stripes, %.2f times the average, encodes on when others are done",
        EncodingGain.fullestRack(result).mean());
  }

  /** What comes of it where tasks compute, too, of which the paper does not tell how fast. */
  private static List<Detail> withArithmetic(
      ScenarioResult result, Function<ScenarioResult, Estimate> figure) {
    return Stream.of("25MB/s", "50MB/s", "100MB/s")
        .map(rate -> detail("arithmetic " + rate, figure.apply(result.variation(ARITHMETIC, rate))))
        .toList();
  }

  private static boolean reaches(Estimate ours, double paper) {
    return ours.mean() >= paper - SHARE_TOLERANCE;
  }

  private static Estimate gain(ScenarioResult result) {
    Estimate ratio = EncodingGain.encoding(result);
    return new Estimate(
        ratio.mean() - 1, ratio.halfWidth(), ratio.least() - 1, ratio.most() - 1, ratio.seeds());
  }

  private static Detail detail(String what, Estimate ours) {
    return new Detail(what, "", Double.NaN, ours);
  }

  static Claim writeResponse(ScenarioResult both) {
    Estimate ours = savedInWriting(both);
    boolean met = reaches(ours, WRITE_SAVING);
    return new Claim(
        "ear-write-response",
        "Part of a write's time that EAR saves while stripes are encoded; met when it is no less than"
            + " the paper's to within 5 points.",
        false,
        "",
        WRITE_SAVING,
        ours,
        met,
        met ? "" : EarCauses.ofWrites(both),
        withArithmetic(both, EarTestbed::savedInWriting));
  }

  private static Estimate savedInWriting(ScenarioResult both) {
    return EncodingGain.saving(both, record -> EncodingGain.writeSeconds(record, both));
  }

  static Claim encodingTime(ScenarioResult both) {
    Estimate ours = savedInEncoding(both);
    boolean met = reaches(ours, ENCODING_SAVING);
    List<Detail> details = new ArrayList<>();
    details.add(detail("stripes of the fullest core rack", EncodingGain.fullestRack(both)));
    details.addAll(withArithmetic(both, EarTestbed::savedInEncoding));
    return new Claim(
        "ear-encoding-time",
        "Part of the encoding time that EAR saves while clients write; met when it is no less than"
            + " the paper's to within 5 points.",
        false,
        "",
        ENCODING_SAVING,
        ours,
        met,
        met ? "" : lastRack(both),
        details);
  }

  private static Estimate savedInEncoding(ScenarioResult both) {
    return EncodingGain.saving(both, record -> record.encoding().seconds());
  }

  static Claim validatedWrites(ScenarioResult validation) {
    ScenarioResult without = validation.variation(STRIPES, "0");
    Estimate rr = writeSeconds(validation, validation.baseline());
    Estimate ear = writeSeconds(validation, EAR);
    double off = Math.max(percentOff(rr.mean(), WITH_RR), percentOff(ear.mean(), WITH_EAR));
    boolean met = off <= VALIDATION_PERCENT;
    return new Claim(
        "ear-b1-write",
        "How far writes with encoding are from the testbed's, RR or EAR, the larger; the links' speed"
            + " is fitted to writes without encoding alone. Met up to the paper's 4.3 %.",
        false,
        "%",
        VALIDATION_PERCENT,
        Estimate.of(off),
        met,
        met ? "" : whySlowerWrites(validation),
        List.of(
            new Detail(
                "RR without encoding, fitted",
                "s",
                WITHOUT_RR,
                without.figure(without.baseline(), PolicyFigures::meanSec)),
            new Detail(
                "EAR without encoding",
                "s",
                WITHOUT_EAR,
                without.figure(EAR, PolicyFigures::meanSec)),
            new Detail("RR with encoding", "s", WITH_RR, rr),
            new Detail("EAR with encoding", "s", WITH_EAR, ear)));
  }

  private static Estimate writeSeconds(ScenarioResult result, String policy) {
    return Estimate.of(result.of(policy), record -> EncodingGain.writeSeconds(record, result));
  }

  private static double percentOff(double ours, double paper) {
    return 100 * Math.abs(ours / paper - 1);
  }

  private static String whyFasterEncoding(ScenarioResult validation) {
    return String.format(
        Locale.ROOT,
        "with links alone EAR reads from its own machines in no time and encodes %.0f MB/s, where the"
            + " axis of the testbed's figure 8 ends at 500; what slows EAR there, disks or arithmetic,"
            + " what survives of the paper does not tell",
        validation.figure(EAR, PolicyFigures::encodingBytesPerSec).mean() / 1e6);
  }

  private static String whySlowerWrites(ScenarioResult validation) {
    return String.format(
        Locale.ROOT,
        "links slow enough for writes of 1.4 s are full while RR encodes for %.0f s, and a write"
            + " shares them evenly with the eight downloads of each task; the paper's simulator lets"
            + " one transfer hold a link, and how others wait for it is not told",
        encodingSeconds(validation, validation.baseline()).mean());
  }

  private static Estimate encodingSeconds(ScenarioResult result, String policy) {
    return Estimate.of(result.of(policy), record -> record.encoding().seconds());
  }

  static Claim validatedEncoding(ScenarioResult validation) {
    double ratio = 1 - savedInEncoding(validation).mean();
    double off = percentOff(ratio, 1 - ENCODING_SAVING);
    boolean met = off <= VALIDATION_PERCENT;
    return new Claim(
        "ear-b1-encode",
        "How far EAR's encoding time over RR's is from the testbed's (of figure 12 no number survives;"
            + " A.2, which it replays, has -31.6 %). Met up to the paper's 4.3 %.",
        true,
        "%",
        VALIDATION_PERCENT,
        Estimate.of(off),
        met,
        met ? "" : whyFasterEncoding(validation),
        List.of(
            new Detail("saved by EAR", "", ENCODING_SAVING, savedInEncoding(validation)),
            new Detail(
                "RR's encoding time",
                "s",
                Double.NaN,
                encodingSeconds(validation, validation.baseline())),
            new Detail("EAR's encoding time", "s", Double.NaN, encodingSeconds(validation, EAR))));
  }
}
