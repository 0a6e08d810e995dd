package org.rackweave.sim.claims;

import static org.rackweave.sim.claims.EncodingGain.EAR;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.rackweave.sim.claims.Claim.Detail;
import org.rackweave.sim.report.Estimate;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.report.Sample;
import org.rackweave.sim.report.ScenarioResult;

/**
 * Why claims of EAR's are missed, as far as the runs themselves can tell. Each says what was
 * measured where the claim fails.
 */
final class EarCauses {
  /** Named in a sentence; the details have the rest. */
  private static final int NAMED_MAX = 3;

  private EarCauses() {}

  /**
   * Blocks read across racks.
   *
   * @param ours EAR's, which are to be 0
   * @param ofRr RR's with the paper's figure, those that are off
   */
  static String ofDownloads(Map<String, Estimate> ours, List<Detail> ofRr) {
    String ear =
        ours.entrySet().stream()
            .filter(one -> one.getValue().most() > 0)
            .map(
                one ->
                    text(
                        "EAR reads %.2f, and up to %.2f, with %s",
                        one.getValue().mean(), one.getValue().most(), one.getKey()))
            .collect(Collectors.joining("; "));
    String rr =
        ofRr.stream()
            .map(
                one ->
                    text(
                        "%s reads %.2f where replicas in two random racks make it %.2f",
                        one.what(), one.ours().mean(), one.paper()))
            .collect(Collectors.joining("; "));
    return ear.isEmpty() || rr.isEmpty() ? ear + rr : ear + "; " + rr;
  }

  /**
   * Blocks that stand too many.
   *
   * @param ours EAR's for a stripe, by the setting
   */
  static String ofRelocations(Map<String, Estimate> ours) {
    List<Map.Entry<String, Estimate>> most =
        ours.entrySet().stream()
            .filter(one -> one.getValue().most() > 0)
            .sorted(
                Comparator.comparingDouble(
                        (Map.Entry<String, Estimate> one) -> one.getValue().mean())
                    .reversed()
                    .thenComparing(Map.Entry::getKey))
            .toList();
    return text(
        "with %d of %d settings no keepers were found for some blocks, for a stripe %s",
        most.size(),
        ours.size(),
        most.stream()
            .limit(NAMED_MAX)
            .map(one -> text("%.3f with %s", one.getValue().mean(), one.getKey()))
            .collect(Collectors.joining(", ")));
  }

  /** Layouts drawn, for the block whose bound is missed by most; the bounds are in the details. */
  static String ofDraws(List<Detail> draws) {
    Detail worst = draws.get(0);
    for (Detail one : draws) {
      worst = share(one) > share(worst) ? one : worst;
    }
    long over = draws.stream().filter(one -> share(one) > 1).count();
    return text(
        "%s takes %.2f draws where full racks explain %.2f, and %d of %d blocks take more than that",
        worst.what(), worst.ours().mean(), worst.paper(), over, draws.size());
  }

  private static double share(Detail draws) {
    return draws.ours().mean() / draws.paper();
  }

  /**
   * What lies in racks, or is read from them.
   *
   * @param ear for each seed, by rack
   * @param rr the same of RR
   */
  static String ofBalance(List<double[]> ear, List<double[]> rr) {
    return text(
        "the fullest rack has %.2f times the average under EAR and %.2f times under RR, the emptiest"
            + " %.2f and %.2f times",
        most(ear), most(rr), least(ear), least(rr));
  }

  private static double most(List<double[]> seeds) {
    return seeds.stream()
        .mapToDouble(racks -> new Sample(racks).max() / new Sample(racks).mean())
        .average()
        .orElse(Double.NaN);
  }

  private static double least(List<double[]> seeds) {
    return seeds.stream()
        .mapToDouble(
            racks -> Arrays.stream(racks).min().orElse(Double.NaN) / new Sample(racks).mean())
        .average()
        .orElse(Double.NaN);
  }

  /**
   * What jobs wait for.
   *
   * @param reads saved by EAR, as a fraction
   * @param writes the same
   */
  static String ofJobs(Estimate reads, Estimate writes) {
    return text(
        "reads take %+.1f %% of RR's time more and writes %+.1f %%; over the seeds that varies from"
            + " %+.1f to %+.1f %% and from %+.1f to %+.1f %%",
        -100 * reads.mean(),
        -100 * writes.mean(),
        -100 * reads.most(),
        -100 * reads.least(),
        -100 * writes.most(),
        -100 * writes.least());
  }

  /** What RR's downloads do to writes. */
  static String ofWrites(ScenarioResult both) {
    return ofWrites(
        seconds(both, both.baseline(), true),
        seconds(both, both.baseline(), false),
        seconds(both, EAR, true),
        both.figure(both.baseline(), PolicyFigures::crossRackDownloads).mean());
  }

  static String ofWrites(double during, double otherwise, double earsDuring, double downloads) {
    return text(
        "under RR a write takes %.2f s while stripes are encoded and %.2f s otherwise, under EAR"
            + " %.2f s while they are: RR's %.2f blocks across racks for each stripe take that much"
            + " from writes and no more",
        during, otherwise, earsDuring, downloads);
  }

  private static double seconds(ScenarioResult both, String policy, boolean during) {
    return Estimate.of(
            both.of(policy),
            record ->
                during
                    ? EncodingGain.writeSeconds(record, both)
                    : EncodingGain.otherWriteSeconds(record, both))
        .mean();
  }

  /**
   * A sweep.
   *
   * @param gains EAR's throughput over RR's, by value and work
   */
  static String ofSweep(List<Detail> gains) {
    List<Detail> slower =
        gains.stream()
            .filter(one -> one.ours().mean() < 1)
            .sorted(Comparator.comparingDouble(one -> one.ours().mean()))
            .toList();
    return text(
        "EAR is the slower one in %d of %d: %s",
        slower.size(),
        gains.size(),
        slower.stream()
            .limit(NAMED_MAX)
            .map(
                one ->
                    text(
                        "%s %.2f times (%.2f to %.2f over the seeds)",
                        one.what(), one.ours().mean(), one.ours().least(), one.ours().most()))
            .collect(Collectors.joining("; ")));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
