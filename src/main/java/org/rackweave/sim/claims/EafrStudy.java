package org.rackweave.sim.claims;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rackweave.sim.claims.EafrReads.Load;
import org.rackweave.sim.statistics.Estimate;

/** EAFR's claims: their runs, and charts of them. */
public final class EafrStudy implements ClaimStudy {
  private static final List<String> RECOVERIES = numbered(1, 5, " failed");
  private static final List<String> SIZES =
      List.of("1 MB", "10 MB", "100 MB", "1000 MB", "10000 MB");
  private static final String COPIES = "0.3 copies a second";

  static List<ClaimRule> rules() {
    return ClaimRule.of("eafr");
  }

  @Override
  public Findings findings(Plan plan, Workers workers) throws InterruptedException {
    EafrReads reads = new EafrReads(plan);
    List<SeedRuns.Run> all = new ArrayList<>(reads.runs());
    all.addAll(new EafrCopies(reads).runs());
    SeedRuns runs = SeedRuns.of(all, plan.seed(), workers);
    return new Findings(
        ClaimRule.judge(rules(), runs, new EafrMetrics(reads)), charts(runs, reads));
  }

  /**
   * Metrics are those of the runs.
   *
   * @param reads with the names of loads
   */
  private record EafrMetrics(EafrReads reads) implements Metrics<SeedRuns> {

    @Override
    public double[] of(SeedRuns runs, String metric, Target target) {
      if (target.in().equals("1 to 5 failed")) {
        double[] sums = new double[runs.of(target.of(), RECOVERIES.get(0), metric).length];
        for (String failures : RECOVERIES) {
          double[] seconds = runs.of(target.of(), failures, metric);
          Arrays.setAll(sums, seed -> sums[seed] + seconds[seed]);
        }
        return sums;
      }
      String name = target.with().isEmpty() ? metric : metric + " " + target.with();
      return runs.of(target.of(), target.in(), name);
    }

    @Override
    public Stream<Target> all(SeedRuns runs, Target target) {
      List<Load> loads = reads.loads().get(target.in());
      return loads == null
          ? Stream.of(target)
          : loads.stream().map(load -> new Target(target.of(), load.text(), target.with()));
    }
  }

  private static List<Chart> charts(SeedRuns runs, EafrReads reads) {
    List<Load> calls = reads.loads().get("calls");
    List<Load> files = reads.loads().get("files");
    List<String> atOnce = calls.stream().map(load -> load.together() + " at once").toList();
    List<String> aSecond =
        files.stream().map(load -> Math.round(load.perSec()) + " a second").toList();
    return List.of(
        chart(
            "Median latency of 60 readers of each of 20 files (Fig. 5a)",
            "ms",
            numbered(2, 7, " replicas"),
            List.of("20 files"),
            numbered(2, 7, " replicas"),
            (of, in) -> mean(runs, of, in, "burst-ms")),
        chart(
            "Time of a copy over HDFS's (Fig. 8a, 11)",
            "times",
            SIZES,
            List.of("HDFS", "CDRM", "EAFR/B", "EAFR-rate"),
            SIZES,
            (of, size) -> overHdfs(runs, of, "copy-sec " + size)),
        chart(
            "Time to recover failed servers (Fig. 14)",
            "s",
            RECOVERIES,
            List.of("EAFR/B", "EAFR-load"),
            RECOVERIES,
            (of, in) -> mean(runs, of, in, "recovery-sec")),
        chart(
            "Mean latency of calls to one file (Fig. 6a, 12a)",
            "ms",
            atOnce,
            EafrReads.COMPARED,
            calls,
            (of, load) -> mean(runs, of, load.text(), "mean-ms")),
        chart(
            "Calls that take more than 10 ms (Fig. 6b, 13a)",
            "%",
            atOnce,
            EafrReads.COMPARED,
            calls,
            (of, load) -> 100 * mean(runs, of, load.text(), "late")),
        chart(
            "Reads of files answered after more than 10 ms (Fig. 7b, 13b)",
            "%",
            aSecond,
            EafrReads.COMPARED,
            files,
            (of, load) -> 100 * mean(runs, of, load.text(), "late")),
        chart(
            "Servers overloaded while files are read (Fig. 9b)",
            "%",
            aSecond,
            EafrReads.COMPARED,
            files,
            (of, load) -> 100 * mean(runs, of, load.text(), "overloaded")));
  }

  private static List<String> numbered(int from, int to, String what) {
    return IntStream.rangeClosed(from, to).mapToObj(n -> n + what).toList();
  }

  private static double mean(SeedRuns runs, String of, String in, String metric) {
    return Estimate.of(runs.of(of, in, metric)).mean();
  }

  private static double overHdfs(SeedRuns runs, String of, String metric) {
    double[] hdfs = runs.of("HDFS", COPIES, metric);
    double[] ours = runs.of(of, COPIES, metric);
    Arrays.setAll(ours, seed -> ours[seed] / hdfs[seed]);
    return Estimate.of(ours).mean();
  }

  private static <G> Chart chart(
      String title,
      String unit,
      List<String> names,
      List<String> systems,
      List<G> groups,
      ToDoubleBiFunction<String, G> value) {
    List<Bars> bars =
        systems.stream()
            .map(
                of ->
                    new Bars(
                        of,
                        groups.stream()
                            .mapToDouble(group -> value.applyAsDouble(of, group))
                            .toArray()))
            .toList();
    return new Chart(title, unit, names, bars);
  }
}
