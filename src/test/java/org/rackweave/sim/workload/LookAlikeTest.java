package org.rackweave.sim.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is drawn against what was published, and against the public traces where they are here. */
class LookAlikeTest {
  private static final int SEEDS = 20;
  private static final double MB = 1 << 20;

  private static final List<CoflowTrace> HOURS =
      IntStream.range(0, SEEDS)
          .mapToObj(seed -> CoflowLookAlike.draw(150, 3_600_000, new SplittableRandom(seed)))
          .toList();

  private static final List<Coflow> COFLOWS =
      HOURS.stream().flatMap(hour -> hour.coflows().stream()).toList();

  private static final List<SwimTrace> DAYS =
      IntStream.range(0, SEEDS)
          .mapToObj(seed -> SwimLookAlike.draw(86_400_000, new SplittableRandom(seed)))
          .toList();

  private static final List<SwimJob> JOBS =
      DAYS.stream().flatMap(day -> day.jobs().stream()).toList();

  /** The published kinds: short or long (5 MB), narrow or wide (50 flows). */
  private static String kind(Coflow coflow) {
    return (coflow.lengthBytes() < 5 * MB ? "S" : "L") + (coflow.width() <= 50 ? "N" : "W");
  }

  private static double share(List<Coflow> coflows, String kind) {
    return (double) coflows.stream().filter(one -> kind(one).equals(kind)).count() / coflows.size();
  }

  private static double byteShare(List<Coflow> coflows, String kind) {
    double all = coflows.stream().mapToDouble(Coflow::sizeBytes).sum();
    return coflows.stream()
            .filter(one -> kind(one).equals(kind))
            .mapToDouble(Coflow::sizeBytes)
            .sum()
        / all;
  }

  private static <T> double quantile(List<T> all, ToDoubleFunction<T> value, double share) {
    double[] sorted = all.stream().mapToDouble(value).sorted().toArray();
    return sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
  }

  /** Largest difference between the distributions of two samples (Kolmogorov and Smirnov). */
  private static <T> double distance(List<T> one, List<T> other, ToDoubleFunction<T> value) {
    double[] a = one.stream().mapToDouble(value).sorted().toArray();
    double[] b = other.stream().mapToDouble(value).sorted().toArray();
    double most = 0;
    for (double point : a) {
      most = Math.max(most, Math.abs(below(a, point) - below(b, point)));
    }
    for (double point : b) {
      most = Math.max(most, Math.abs(below(a, point) - below(b, point)));
    }
    return most;
  }

  /** Share of a sorted sample that is at most a point. */
  private static double below(double[] sorted, double point) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] <= point) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return (double) low / sorted.length;
  }

  private static void near(double expected, double actual, double factor, String what) {
    boolean within = actual <= expected * factor && actual >= expected / factor;
    assertTrue(
        within,
        String.format(Locale.ROOT, "%s: %g, not %g within %gx", what, actual, expected, factor));
  }

  @Test
  void coflowsAreOfThePublishedKinds() {
    assertEquals(0.52, share(COFLOWS, "SN"), 0.02);
    assertEquals(0.16, share(COFLOWS, "LN"), 0.02);
    assertEquals(0.15, share(COFLOWS, "SW"), 0.02);
    assertEquals(0.17, share(COFLOWS, "LW"), 0.02);
    assertTrue(byteShare(COFLOWS, "LW") > 0.98, "bytes of long wide ones");
    assertEquals(CoflowLookAlike.PER_HOUR, COFLOWS.size() / (double) SEEDS, 30);
  }

  @Test
  void coflowsAreWellFormed() {
    for (CoflowTrace hour : HOURS) {
      assertEquals(150, hour.racks());
      for (Coflow coflow : hour.coflows()) {
        List<Integer> reducers = coflow.reducers().stream().map(Coflow.Reducer::rack).toList();
        for (List<Integer> racks : List.of(coflow.mapperRacks(), reducers)) {
          assertEquals(racks.size(), racks.stream().distinct().count(), "one a rack");
          assertTrue(racks.stream().allMatch(rack -> rack >= 0 && rack < 150));
        }
        for (Coflow.Reducer reducer : coflow.reducers()) {
          assertEquals(0, reducer.sizeBytes() % (1 << 20), "whole MB");
        }
      }
    }
  }

  @Test
  void coflowsFitSmallClusters() {
    CoflowTrace trace = CoflowLookAlike.draw(8, 3_600_000, new SplittableRandom(1));
    assertTrue(trace.coflows().size() > 300);
    assertTrue(trace.coflows().stream().allMatch(one -> one.reducers().size() <= 8));
  }

  @Test
  void coflowsAgreeWithThePublicHour() throws InputException {
    List<Coflow> real = CoflowTrace.read(Inputs.trace(Inputs.COFLOWS)).coflows();
    for (String kind : List.of("SN", "LN", "SW", "LW")) {
      // The public hour is one of a week; the published shares are those of the week.
      assertEquals(share(real, kind), share(COFLOWS, kind), 0.08, kind);
      List<Coflow> realOnes = real.stream().filter(one -> kind(one).equals(kind)).toList();
      List<Coflow> ours = COFLOWS.stream().filter(one -> kind(one).equals(kind)).toList();
      assertTrue(distance(realOnes, ours, one -> one.mapperRacks().size()) < 0.2, kind);
      assertTrue(distance(realOnes, ours, one -> one.reducers().size()) < 0.2, kind);
      assertTrue(distance(realOnes, ours, Coflow::lengthBytes) < 0.25, kind);
    }
    assertTrue(distance(real, COFLOWS, Coflow::sizeBytes) < 0.15, "sizes");
    // Not at 0.75, where sizes jump by a factor of ten from narrow coflows to wide ones.
    for (double share : new double[] {0.25, 0.5, 0.9, 0.95, 0.99}) {
      double expected = quantile(real, Coflow::sizeBytes, share);
      near(expected, quantile(COFLOWS, Coflow::sizeBytes, share), 4, "size at " + share);
    }
    double perHour = COFLOWS.stream().mapToDouble(Coflow::sizeBytes).sum() / SEEDS;
    near(real.stream().mapToDouble(Coflow::sizeBytes).sum(), perHour, 2, "bytes an hour");
    double varied =
        HOURS.stream().mapToDouble(hour -> variation(gaps(hour.coflows()))).average().orElseThrow();
    assertEquals(variation(gaps(real)), varied, 0.1, "gaps");
  }

  private static double[] gaps(List<Coflow> coflows) {
    double[] gaps = new double[coflows.size() - 1];
    Arrays.setAll(gaps, i -> coflows.get(i + 1).arrivalMs() - coflows.get(i).arrivalMs());
    return gaps;
  }

  private static double variation(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    double variance = Arrays.stream(values).map(x -> (x - mean) * (x - mean)).sum() / values.length;
    return Math.sqrt(variance) / mean;
  }

  @Test
  void jobsAreAsPublished() {
    double perHour = JOBS.size() / 24.0 / SEEDS;
    assertTrue(perHour > 150 && perHour < 350, perHour + " jobs an hour; a million in six months");
    double tiny = JOBS.stream().filter(job -> job.inputBytes() < 10e6).count();
    assertTrue(tiny / JOBS.size() > 0.7, "most jobs are tiny");
  }

  @Test
  void jobsAgreeWithThePublicDay() throws InputException {
    List<SwimJob> real = SwimTrace.read(Inputs.trace(Inputs.SWIM)).jobs();
    near(real.size(), JOBS.size() / (double) SEEDS, 1.2, "jobs a day");
    assertEquals(mapOnly(real), mapOnly(JOBS), 0.02);
    assertTrue(distance(real, JOBS, SwimJob::inputBytes) < 0.1, "inputs");
    assertTrue(distance(real, JOBS, SwimJob::shuffleBytes) < 0.1, "shuffles");
    assertTrue(distance(real, JOBS, SwimJob::outputBytes) < 0.1, "outputs");
    near(sum(real, SwimJob::outputBytes), sum(JOBS, SwimJob::outputBytes) / SEEDS, 2, "outputs");
    near(sum(real, SwimJob::shuffleBytes), sum(JOBS, SwimJob::shuffleBytes) / SEEDS, 2, "shuffles");
    near(sum(real, SwimJob::inputBytes), sum(JOBS, SwimJob::inputBytes) / SEEDS, 2, "inputs");
  }

  private static double mapOnly(List<SwimJob> jobs) {
    return (double) jobs.stream().filter(job -> job.shuffleBytes() == 0).count() / jobs.size();
  }

  private static double sum(List<SwimJob> jobs, ToDoubleFunction<SwimJob> bytes) {
    return jobs.stream().mapToDouble(bytes).sum();
  }

  @Test
  void submissionsDoNotGoBack() {
    for (SwimTrace day : DAYS) {
      List<Long> times = new ArrayList<>();
      day.jobs().forEach(job -> times.add(job.submitMs()));
      assertEquals(times.stream().sorted().toList(), times);
    }
  }
}
