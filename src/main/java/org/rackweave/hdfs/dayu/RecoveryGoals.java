package org.rackweave.hdfs.dayu;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;
import org.rackweave.dayu.RecoveryCalendar;
import org.rackweave.dayu.RecoveryGoal;
import org.rackweave.dayu.RecoveryGoal.Plan;
import org.rackweave.dayu.RecoveryGoal.Work;
import org.rackweave.hdfs.AuditLog;
import org.rackweave.hdfs.RootMark;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.admin.AdminRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much of the idle bandwidth recovery takes: what a calendar allows and, where an operator has
 * said by when it is to be done, the least share by which it is. Both are kept at the root
 * directory, outlive restarts, and are in force within a second on whichever NameNode is active.
 * What cannot be read, or is not known yet, holds nothing back.
 *
 * <p>A goal ends when copies have arrived and nothing waits any more, or with its time.
 * Thread-safe.
 */
final class RecoveryGoals {
  static final Map<String, Set<String>> OPTIONS =
      Map.of(
          "goal", Set.of("done-by", "max-interference", "none"), "calendar", Set.of("set", "none"));

  private static final Logger LOG = LoggerFactory.getLogger(RecoveryGoals.class);
  private static final DateTimeFormatter WHEN = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm VV");
  private static final double PERCENT = 100;

  /** What there is to do is known as of the last whole plan. */
  private static final long LAG_MS = 60_000;

  private final NameNode nameNode;
  private final RootMark goalMark;
  private final RootMark calendarMark;
  private final Recovery recovery;
  private final ZoneId zone = ZoneId.systemDefault();
  private final Consumer<String> events;
  private volatile RecoveryGoal goal;
  private volatile RecoveryCalendar calendar = RecoveryCalendar.NONE;
  private volatile double goalShare = 1;
  private String seenGoal;

  /** How the goal has ended, {@code null} while it has not. */
  private String outcome;

  private boolean hasSaidInfeasible;
  private String seenCalendar;
  private long arrivedBefore;

  /** What is known of recovery. */
  interface Recovery {
    /** Why no goal could be kept now, {@code null} if it could. */
    String whyNot();

    /** Whether nothing waits, and nothing is under way. */
    boolean isDone();

    /** Copies that have arrived since the start. */
    long arrived();

    /** What there is to do, {@code null} where that is not known yet. */
    Work work();

    /** Share of the idle bandwidth that the last whole plan took, not a number for none. */
    double shareTaken();
  }

  /**
   * @param events told of how a goal ends, in a line
   */
  RecoveryGoals(NameNode nameNode, Recovery recovery, Consumer<String> events) {
    this(
        nameNode,
        recovery,
        events,
        new RootMark(nameNode, "trusted.rackweave.recovery-goal"),
        new RootMark(nameNode, "trusted.rackweave.recovery-calendar"));
  }

  RecoveryGoals(
      NameNode nameNode,
      Recovery recovery,
      Consumer<String> events,
      RootMark goalMark,
      RootMark calendarMark) {
    this.nameNode = nameNode;
    this.recovery = recovery;
    this.events = events;
    this.goalMark = goalMark;
    this.calendarMark = calendarMark;
  }

  /** Share of the idle bandwidth that is taken now, above 0 to 1. */
  double share() {
    RecoveryGoal now = goal;
    long nowMs = Time.now();
    double least = now == null || nowMs >= now.doneByMs() ? 1 : goalShare;
    return Math.min(least, calendar.shareAt(at(nowMs).toLocalDateTime()));
  }

  private ZonedDateTime at(long ms) {
    return Instant.ofEpochMilli(ms).atZone(zone);
  }

  /** Follows what is kept, and sees how the goal stands; to be called each second. */
  synchronized void look() throws IOException {
    String keptCalendar = calendarMark.read();
    if (!Objects.equals(keptCalendar, seenCalendar)) {
      calendar = read(keptCalendar, RecoveryCalendar::parse, RecoveryCalendar.NONE);
      seenCalendar = keptCalendar;
    }
    String keptGoal = goalMark.read();
    if (!Objects.equals(keptGoal, seenGoal)) {
      goal = read(keptGoal, RecoveryGoals::parse, null);
      seenGoal = keptGoal;
      arrivedBefore = recovery.arrived();
      outcome = null;
      hasSaidInfeasible = false;
    }
    RecoveryGoal now = goal;
    if (now == null || !nameNode.isActiveState() || nameNode.isInSafeMode()) {
      goalShare = 1;
      return;
    }
    boolean isDone = recovery.isDone();
    boolean isNews = isDone && recovery.arrived() > arrivedBefore;
    if (outcome == null && (Time.now() >= now.doneByMs() || isNews)) {
      outcome = isDone ? "reached" : "missed";
    }
    if (outcome != null) {
      end(now);
      return;
    }
    Work work = isDone ? null : recovery.work(); // what comes next is not held back at first
    Plan plan = work == null ? null : now.plan(work, calendar, zone, Time.now());
    goalShare = plan == null ? 1 : plan.isFeasible() ? plan.share() : now.mostShare(work);
    if (plan != null && !hasSaidInfeasible && isOutOfReach(plan, now)) {
      hasSaidInfeasible = true;
      events.accept("recovery goal out of reach: done by " + when(now.doneByMs()));
    }
  }

  private static boolean isOutOfReach(Plan plan, RecoveryGoal goal) {
    long beyondMs = plan.earliestMs() - goal.doneByMs();
    return !plan.isFeasible() && (plan.earliestMs() < 0 || beyondMs > LAG_MS);
  }

  /** Holds nothing back any more, even where that cannot be written down yet. */
  private void end(RecoveryGoal ended) throws IOException {
    goalShare = 1;
    goalMark.write(null);
    events.accept("recovery goal " + outcome + ": done by " + when(ended.doneByMs()));
    goal = null;
    seenGoal = null;
  }

  private static <T> T read(String kept, Function<String, T> parse, T otherwise) {
    try {
      return kept == null ? otherwise : parse.apply(kept);
    } catch (IllegalArgumentException e) {
      LOG.error("A goal or calendar of recovery cannot be applied: {}", e.getMessage());
      return otherwise;
    }
  }

  /** {@code DONE_BY_MS MAX_INTERFERENCE}. */
  private static RecoveryGoal parse(String text) {
    String[] words = text.split(" ", 2);
    return new RecoveryGoal(Long.parseLong(words[0]), Double.parseDouble(words[words.length - 1]));
  }

  private String when(long ms) {
    return WHEN.format(at(ms));
  }

  /**
   * Tells, sets or removes the goal or the calendar.
   *
   * @throws IllegalArgumentException naming what makes no sense; nothing has changed
   * @throws IllegalStateException when a goal cannot be reached, with the best that can
   */
  AdminAnswer answer(List<String> words) throws IOException {
    AdminRequest request = AdminRequest.parse(words, OPTIONS);
    Map<String, String> options = request.options();
    boolean isCalendar = request.what().equals("calendar");
    if (options.containsKey("none")) {
      change(isCalendar, null);
    } else if (options.containsKey("set")) {
      change(isCalendar, RecoveryCalendar.parse(options.get("set")).toString());
    } else if (options.containsKey("done-by")) {
      RecoveryGoal wanted = new RecoveryGoal(next(options.get("done-by")), limit(options));
      requireFeasible(wanted);
      change(false, wanted.doneByMs() + " " + wanted.maxInterference());
    } else if (!options.isEmpty()) {
      throw new IllegalArgumentException("max-interference: allowed is with done-by=HH:MM");
    }
    return tell();
  }

  private synchronized void change(boolean isCalendar, String said) throws IOException {
    if (!nameNode.isActiveState()) {
      throw new IllegalStateException("this NameNode is not active; use the active one");
    }
    try {
      (isCalendar ? calendarMark : goalMark).write(said);
    } catch (UnsupportedOperationException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    AuditLog.changed(isCalendar ? "rackweaveRecoveryCalendar" : "rackweaveRecoveryGoal", "/", said);
    seenGoal = isCalendar ? seenGoal : ""; // one in the same words begins anew, too
    look();
  }

  private long next(String time) {
    try {
      ZonedDateTime now = at(Time.now());
      ZonedDateTime then = now.with(LocalTime.parse(time));
      return (then.isAfter(now) ? then : then.plusDays(1)).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "done-by '" + time + "': allowed is HH:MM, in the time zone " + zone, e);
    }
  }

  private static double limit(Map<String, String> options) {
    String text = options.getOrDefault("max-interference", "100%");
    try {
      double percent = Double.parseDouble(text.replaceFirst("%$", ""));
      if (text.endsWith("%") && percent > 0 && percent <= PERCENT) {
        return percent / PERCENT;
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new IllegalArgumentException(
        "max-interference '" + text + "': allowed is above 0% to 100%");
  }

  private void requireFeasible(RecoveryGoal wanted) {
    Work work = recovery.work();
    String why =
        recovery.whyNot() == null && work == null ? "no plan is made yet" : recovery.whyNot();
    if (why != null) {
      throw new IllegalStateException("no goal can be set now: " + why);
    }
    Plan plan = wanted.plan(work, calendar, zone, Time.now());
    if (!plan.isFeasible()) {
      throw new IllegalStateException(
          String.format(
              "it cannot be done by %s with interference of at most %.2f%%: %s; %s",
              when(wanted.doneByMs()),
              PERCENT * wanted.maxInterference(),
              plan.earliestMs() < 0
                  ? "with that it takes more than a week"
                  : "with that it is done by "
                      + when(plan.earliestMs() + 60_000)
                      + " at the earliest",
              Double.isNaN(plan.leastInterference())
                  ? "by then it is done with none"
                  : String.format(
                      "by then it is done with %.2f%%", PERCENT * plan.leastInterference())));
    }
  }

  private AdminAnswer tell() {
    RecoveryGoal kept = goal;
    RecoveryGoal now = kept == null || Time.now() >= kept.doneByMs() ? null : kept;
    Work work = recovery.work();
    AdminAnswer answer =
        new AdminAnswer()
            .with("time_zone", zone.getId())
            .with("calendar", calendar.toString())
            .with("goal", now == null ? "none" : "done by " + when(now.doneByMs()))
            .with("share_of_idle_bandwidth", share())
            .with("share_last_taken", recovery.shareTaken());
    if (now != null) {
      Plan plan = work == null ? null : now.plan(work, calendar, zone, Time.now());
      answer
          .with("max_interference", now.maxInterference())
          .with("feasible", plan == null ? "unknown" : plan.isFeasible() ? "yes" : "no");
    }
    return answer;
  }
}
