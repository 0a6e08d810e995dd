package org.rackweave.sim.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Jobs that look like those of the public SWIM workload FB-2009, for whom has no trace.
 *
 * <p>What is published and followed: 600 machines, about a million jobs in six months, played as a
 * day of 24 separate hours (the workload repository's description), hence about 230 jobs an hour;
 * most jobs are tiny and have no shuffle while a few large ones move nearly all bytes (Chen,
 * Ganapathi, Griffith, Katz, The Case for Evaluating MapReduce Performance Using Workload Suites,
 * MASCOTS 2011).
 *
 * <p>Ours, as round numbers that agree with the public day: three jobs of four have no shuffle, the
 * rate of an hour differs from that of the next by up to a factor of five, the quantiles of bytes,
 * and that sizes of one job with a shuffle follow one another.
 */
public final class SwimLookAlike {

  private static final long HOUR_MS = 3_600_000;
  private static final double MAP_ONLY = 0.75;

  /** How often a size of a job follows the job's own size and is not drawn on its own. */
  private static final double FOLLOWS = 0.8;

  private static final Distribution JOBS_PER_HOUR = new Distribution.LogUniform(100, 500);

  /** Shares of the quantiles of all sizes but the inputs of jobs without a shuffle. */
  private static final List<Double> SHARES =
      List.of(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 1.0);

  private static final Distribution.Quantiles MAP_INPUT =
      new Distribution.Quantiles(
          List.of(0.0, 0.03, 0.13, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.8, 0.9, 0.95, 0.99, 1.0),
          List.of(
              1.0, 60.0, 62.0, 104.0, 330.0, 1.6e3, 3.8e3, 5e3, 5.1e3, 1.6e4, 5e4, 5.3e4, 1e7,
              1.8e10, 5e11));

  private static final Distribution.Quantiles MAP_OUTPUT =
      sizes(1, 4.7e3, 1.4e5, 2.2e5, 3.5e5, 8e5, 1.8e7, 4.9e8, 1e9, 1.9e9, 1.3e10, 3e11);

  private static final Distribution.Quantiles INPUT =
      sizes(1e2, 1.6e4, 1.7e5, 1.7e6, 1.2e7, 3.4e7, 1.5e8, 9e8, 3.6e9, 2e10, 1.3e11, 4e12);

  private static final Distribution.Quantiles SHUFFLE =
      sizes(20, 1.1e3, 1.6e4, 2.6e5, 3.3e6, 2e7, 8e7, 4e8, 1.6e9, 1.6e10, 1.9e11, 4e12);

  private static final Distribution.Quantiles OUTPUT =
      sizes(20, 240, 1e3, 8e3, 5e4, 7e5, 4e6, 1.4e7, 5e7, 8e8, 2e10, 1e11);

  private SwimLookAlike() {}

  private static Distribution.Quantiles sizes(double... bytes) {
    return new Distribution.Quantiles(SHARES, Arrays.stream(bytes).boxed().toList());
  }

  /**
   * Draws a trace.
   *
   * @param durationMs how long jobs are submitted
   */
  public static SwimTrace draw(long durationMs, SplittableRandom random) {
    List<SwimJob> jobs = new ArrayList<>();
    for (long hourMs = 0; hourMs < durationMs; hourMs += HOUR_MS) {
      Distribution gapMs = new Distribution.Exponential(HOUR_MS / JOBS_PER_HOUR.draw(random));
      double atMs = hourMs + gapMs.draw(random);
      while (atMs < Math.min(durationMs, hourMs + HOUR_MS)) {
        // The trace counts whole seconds.
        jobs.add(job("job" + jobs.size(), (long) (atMs / 1000) * 1000, random));
        atMs += gapMs.draw(random);
      }
    }
    return new SwimTrace(jobs);
  }

  private static SwimJob job(String name, long submitMs, SplittableRandom random) {
    if (random.nextDouble() < MAP_ONLY) {
      return new SwimJob(
          name, submitMs, bytes(MAP_INPUT.draw(random)), 0, bytes(MAP_OUTPUT.draw(random)));
    }
    double size = random.nextDouble();
    return new SwimJob(
        name,
        submitMs,
        bytes(INPUT.at(following(size, random))),
        bytes(SHUFFLE.at(size)),
        bytes(OUTPUT.at(following(size, random))));
  }

  private static double following(double share, SplittableRandom random) {
    return random.nextDouble() < FOLLOWS ? share : random.nextDouble();
  }

  private static long bytes(double size) {
    return Math.round(size);
  }
}
