package org.rackweave.sim.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Coflows that look like those of the public Facebook trace, for whom has no trace.
 *
 * <p>What is published and followed:
 *
 * <ul>
 *   <li>Four kinds of coflow, by length (the largest flow is short below 5 MB) and width (narrow up
 *       to 50 flows), with their shares: 52 % short and narrow, 16 % long and narrow, 15 % short
 *       and wide, 17 % long and wide; the last carry 99 % of all bytes (Chowdhury, Zhong, Stoica,
 *       Efficient Coflow Scheduling with Varys, SIGCOMM 2014, section 7).
 *   <li>526 coflows an hour over 150 racks, at most one mapper and one reducer a rack; sizes in
 *       whole MB (the trace's own description).
 * </ul>
 *
 * <p>Ours, as round numbers that agree with the public hour: the quantiles of widths and lengths
 * within each kind; that long wide coflows with many reducers have long flows more often than not;
 * that all flows of a coflow but the longest have 20 to 60 % of its length; and gaps between
 * arrivals that vary by 1.4 times their mean (one of four is nearly four times as long as the
 * others, on average).
 */
public final class CoflowLookAlike {

  /** Fewest racks that coflows can be drawn for. */
  public static final int RACKS_MIN = 8;

  /** Coflows an hour in the public trace. */
  public static final int PER_HOUR = 526;

  private static final long MEBIBYTE = 1 << 20;
  private static final long HOUR_MS = 3_600_000;
  private static final int SHORT_MB = 5;
  private static final int NARROW_FLOWS = 50;

  /** Narrow and wide racks of the published hour; other cluster sizes scale the wide ones. */
  private static final double PUBLISHED_RACKS = 150;

  /** How often a wide coflow's length follows its number of reducers. */
  private static final double FOLLOWS_REDUCERS = 0.6;

  private enum Kind {
    SHORT_NARROW(
        0.52,
        Distribution.Quantiles.evenly(1, 1, 1, 3, 6, 13, 30),
        new Distribution.Mixture(
            0.87, new Distribution.Fixed(1), new Distribution.LogUniform(2, 50)),
        Distribution.Quantiles.evenly(0.6, 0.7, 0.8, 1, 1.2, 1.4, 4.4)),
    LONG_NARROW(
        0.16,
        Distribution.Quantiles.evenly(1, 1, 2, 2, 2.4, 16),
        new Distribution.Mixture(
            0.69, new Distribution.Fixed(1), new Distribution.LogUniform(2, 50)),
        Distribution.Quantiles.evenly(5, 9, 18, 31, 80, 2200)),
    SHORT_WIDE(
        0.15,
        Distribution.Quantiles.evenly(1, 17, 46, 92, 133, 147),
        Distribution.Quantiles.evenly(1, 14, 47, 63, 80, 136),
        Distribution.Quantiles.evenly(0.6, 1, 1.6, 2.4, 3.4, 4.4)),
    LONG_WIDE(
        0.17,
        Distribution.Quantiles.evenly(1, 10, 22, 58, 145, 147),
        Distribution.Quantiles.evenly(4, 14, 70, 117, 130, 145),
        Distribution.Quantiles.evenly(5, 12, 30, 80, 190, 2500));

    private final double share;
    private final Distribution.Quantiles mappers;
    private final Distribution reducers;
    private final Distribution.Quantiles lengthMb;

    Kind(
        double share,
        Distribution.Quantiles mappers,
        Distribution reducers,
        Distribution.Quantiles lengthMb) {
      this.share = share;
      this.mappers = mappers;
      this.reducers = reducers;
      this.lengthMb = lengthMb;
    }

    private boolean wide() {
      return this == SHORT_WIDE || this == LONG_WIDE;
    }
  }

  private CoflowLookAlike() {}

  /**
   * Draws a trace.
   *
   * @param racks of the cluster, at least 8; widths scale with them
   * @param durationMs how long coflows arrive, at the published rate
   */
  public static CoflowTrace draw(int racks, long durationMs, SplittableRandom random) {
    if (racks < RACKS_MIN) {
      throw new IllegalArgumentException("racks out of range: " + racks);
    }
    List<Coflow> coflows = new ArrayList<>();
    double meanGapMs = (double) HOUR_MS / PER_HOUR;
    // 0.75 * 0.6 + 0.25 * 2.2 = 1, and 2 (0.75 * 0.6^2 + 0.25 * 2.2^2) - 1 = 1.4^2.
    Distribution gapMs =
        new Distribution.Mixture(
            0.75,
            new Distribution.Exponential(meanGapMs * 0.6),
            new Distribution.Exponential(meanGapMs * 2.2));
    double atMs = 0;
    while (atMs < durationMs) {
      coflows.add(coflow(coflows.size() + 1, (long) atMs, racks, random));
      atMs += gapMs.draw(random);
    }
    return new CoflowTrace(racks, coflows);
  }

  private static Coflow coflow(long id, long arrivalMs, int racks, SplittableRandom random) {
    Kind kind = kind(random);
    while (true) {
      double reducerDraw = random.nextDouble();
      int mappers = width(kind.mappers.draw(random), kind, racks);
      int reducers = width(reducers(kind, reducerDraw, random), kind, racks);
      boolean follows = kind == Kind.LONG_WIDE && random.nextDouble() < FOLLOWS_REDUCERS;
      double lengthMb = kind.lengthMb.at(follows ? reducerDraw : random.nextDouble());
      boolean narrow = (long) mappers * reducers <= NARROW_FLOWS;
      // Small clusters have no wide coflows; there the widest stand for them.
      if (narrow != kind.wide() || racks < PUBLISHED_RACKS) {
        return new Coflow(
            id,
            arrivalMs,
            someOf(racks, mappers, random),
            reducers(someOf(racks, reducers, random), mappers, kind, lengthMb, random));
      }
    }
  }

  private static Kind kind(SplittableRandom random) {
    double point = random.nextDouble();
    for (Kind kind : Kind.values()) {
      point -= kind.share;
      if (point < 0) {
        return kind;
      }
    }
    return Kind.LONG_WIDE;
  }

  private static double reducers(Kind kind, double share, SplittableRandom random) {
    return kind.reducers instanceof Distribution.Quantiles quantiles
        ? quantiles.at(share)
        : kind.reducers.draw(random);
  }

  private static int width(double published, Kind kind, int racks) {
    double scaled = kind.wide() ? published * racks / PUBLISHED_RACKS : published;
    return (int) Math.max(1, Math.min(racks, Math.round(scaled)));
  }

  private static List<Coflow.Reducer> reducers(
      List<Integer> racks, int mappers, Kind kind, double lengthMb, SplittableRandom random) {
    List<Coflow.Reducer> reducers = new ArrayList<>();
    for (int i = 0; i < racks.size(); i++) {
      double flowMb = i == 0 ? lengthMb : lengthMb * (0.2 + 0.4 * random.nextDouble());
      long wholeMb = Math.max(1, Math.round(flowMb));
      if (kind == Kind.SHORT_NARROW || kind == Kind.SHORT_WIDE) {
        wholeMb = Math.min(SHORT_MB - 1, wholeMb);
      }
      reducers.add(new Coflow.Reducer(racks.get(i), wholeMb * mappers * MEBIBYTE));
    }
    reducers.sort(Comparator.comparingInt(Coflow.Reducer::rack));
    return reducers;
  }

  /** Some racks, none twice, in random order. */
  private static List<Integer> someOf(int racks, int count, SplittableRandom random) {
    int[] all = new int[racks];
    List<Integer> chosen = new ArrayList<>(count);
    for (int i = 0; i < racks; i++) {
      all[i] = i;
    }
    for (int i = 0; i < count; i++) {
      int other = i + random.nextInt(racks - i);
      chosen.add(all[other]);
      all[other] = all[i];
    }
    return chosen;
  }
}
