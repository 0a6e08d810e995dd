package org.rackweave.dayu;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Arrays;
import org.rackweave.model.Require;

/**
 * By when recovery is to be done, and how much it may disturb others until then.
 *
 * <p><b>Algorithm.</b> B_recover (Eq. 1) of every link is taken times a share, so recovery takes
 * 1/share as long. Blocks with a single replica come first, at the full rate. For the others the
 * least share is sought that moves all of them in time, never above what the calendar allows in a
 * minute. Interference (Eq. 4) grows with the share, more than in proportion, and is nothing
 * without recovery; so a share of max / interference at full rate is on the safe side.
 *
 * @param doneByMs wall clock
 * @param maxInterference share of the bandwidth of all links, above 0; 1 for no limit
 */
public record RecoveryGoal(long doneByMs, double maxInterference) {
  private static final double MINUTE_SEC = 60;
  private static final int WEEK_MINUTES = (int) Duration.ofDays(7).toMinutes();
  private static final int HALVINGS = 40;

  /** A slot must be able to move a block. */
  private static final double LEAST_SHARE = 0.05;

  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public RecoveryGoal {
    Require.that(
        maxInterference > 0 && maxInterference <= 1, "max-interference", maxInterference, "(0, 1]");
  }

  /**
   * What there is to do.
   *
   * @param urgentSec seconds that blocks with a single replica take, at the full rate
   * @param restSec seconds that all others take, at the full rate
   * @param interference that recovery causes at the full rate, as a share of all links' bandwidth
   */
  public record Work(double urgentSec, double restSec, double interference) {}

  /**
   * How the goal is to be reached.
   *
   * @param share least share of the idle bandwidth; not a number when it cannot be reached
   * @param earliestMs when it is done at the earliest with that interference; -1 if not in a week
   * @param leastInterference with which it is done in time; not a number if with none
   */
  public record Plan(double share, long earliestMs, double leastInterference) {
    public boolean isFeasible() {
      return !Double.isNaN(share);
    }
  }

  /**
   * The most that recovery may take of idle bandwidth so as not to disturb more than it may, or the
   * least with which it gets on at all.
   */
  public double mostShare(Work work) {
    return Math.max(LEAST_SHARE, gentleShare(work));
  }

  private double gentleShare(Work work) {
    return work.interference() <= maxInterference ? 1 : maxInterference / work.interference();
  }

  /** Finds the least share. */
  public Plan plan(Work work, RecoveryCalendar calendar, ZoneId zone, long nowMs) {
    long beginMs = nowMs + Math.round(1000 * work.urgentSec());
    ZonedDateTime begin = Instant.ofEpochMilli(beginMs).atZone(zone);
    double[] allowed = new double[WEEK_MINUTES];
    Arrays.setAll(allowed, minute -> calendar.shareAt(begin.plusMinutes(minute).toLocalDateTime()));
    double gentleShare = gentleShare(work);
    double most = gentleShare < LEAST_SHARE ? 0 : gentleShare; // with less nothing is moved
    double[] gentle = Arrays.stream(allowed).map(share -> Math.min(share, most)).toArray();
    double sec = (doneByMs - beginMs) / 1000.0;
    double disturbing = leastShare(allowed, sec, work.restSec());
    return new Plan(
        leastShare(gentle, sec, work.restSec()),
        earliest(gentle, work.restSec(), beginMs),
        disturbing * work.interference());
  }

  private static double leastShare(double[] allowed, double sec, double work) {
    if (sec < 0 || moved(allowed, sec, 1) < work) {
      return Double.NaN;
    }
    double low = 0;
    double high = 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (moved(allowed, sec, middle) < work) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Math.max(high, LEAST_SHARE);
  }

  /** Seconds at the full rate that are worth as much as some at a share. */
  private static double moved(double[] allowed, double sec, double share) {
    double sum = 0;
    for (int minute = 0; minute < allowed.length && minute * MINUTE_SEC < sec; minute++) {
      double part = Math.min(MINUTE_SEC, sec - minute * MINUTE_SEC);
      sum += part * Math.min(share, allowed[minute]);
    }
    return sum;
  }

  private static long earliest(double[] allowed, double work, long beginMs) {
    double left = work;
    for (int minute = 0; minute < allowed.length; minute++) {
      double here = MINUTE_SEC * allowed[minute];
      if (left <= here) {
        return beginMs + Math.round(1000 * (minute * MINUTE_SEC + left / allowed[minute]));
      }
      left -= here;
    }
    return -1;
  }
}
