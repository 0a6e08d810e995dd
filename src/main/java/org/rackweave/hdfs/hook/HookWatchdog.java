package org.rackweave.hdfs.hook;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the timers of this process while there are any: says once where the thread is whose
 * tick has not ended well for ten intervals and a minute, and has it let go of what it held.
 */
final class HookWatchdog {
  private static final Logger LOG = LoggerFactory.getLogger(HookWatchdog.class);
  private static final long LOOK_MS = 5_000;
  private static final int INTERVALS = 10;
  private static final long LEAST_MS = 60_000;

  private static final Set<HookTimer.Beat> BEATS = ConcurrentHashMap.newKeySet();
  private static final AtomicLong TOLD = new AtomicLong();
  private static HookTimer timer;

  private HookWatchdog() {}

  static synchronized void add(HookTimer.Beat beat) {
    BEATS.add(beat);
    if (timer == null) {
      timer = new HookTimer("rackweave-watchdog");
      timer.every(Hook.WATCHDOG, LOOK_MS, () -> look(Time.monotonicNow()));
    }
  }

  static synchronized void remove(HookTimer.Beat beat) {
    BEATS.remove(beat);
    if (timer != null && BEATS.stream().allMatch(one -> one.hook == Hook.WATCHDOG)) {
      HookTimer last = timer;
      timer = null;
      last.close();
    }
  }

  /** One at a time: whether a timer is late is told once. */
  static synchronized void look(long nowMs) {
    for (HookTimer.Beat beat : BEATS) {
      boolean isLate = isLate(beat, nowMs);
      if (isLate && !beat.isLate) {
        beat.isLate = true;
        TOLD.incrementAndGet();
        tell(beat, nowMs);
        beat.revive();
        HookGuard.run(beat.hook, beat.whenLate::run);
      } else if (!isLate && beat.isLate) {
        beat.isLate = false;
        LOG.info("The timer {} runs again", beat.hook.label());
      }
    }
  }

  private static boolean isLate(HookTimer.Beat beat, long nowMs) {
    return beat.ageMs(nowMs) > Math.max(LEAST_MS, INTERVALS * beat.intervalMs);
  }

  private static void tell(HookTimer.Beat beat, long nowMs) {
    Thread thread = beat.thread();
    StringBuilder where = new StringBuilder();
    if (thread != null) {
      for (StackTraceElement at : thread.getStackTrace()) {
        where.append("\n\tat ").append(at);
      }
    }
    LOG.error(
        "The timer {} has not finished a round for {} ms (interval {} ms); thread {}, {}:{}",
        beat.hook.label(),
        beat.ageMs(nowMs),
        beat.intervalMs,
        thread == null ? "none" : thread.getName(),
        thread == null ? "not begun" : StringUtils.toLowerCase(thread.getState().toString()),
        where);
  }

  /** Milliseconds since a timer's tick last ended well, of several the latest; 0 without one. */
  static long ageMs(Hook hook, long nowMs) {
    long age = 0;
    for (HookTimer.Beat beat : BEATS) {
      age = beat.hook == hook ? Math.max(age, beat.ageMs(nowMs)) : age;
    }
    return age;
  }

  /** Timers that are late now. */
  static long late(long nowMs) {
    return BEATS.stream().filter(beat -> isLate(beat, nowMs)).count();
  }

  /** Times that a timer was late. */
  static long told() {
    return TOLD.get();
  }

  /** Timers that are late now, each with for how long. */
  static List<String> lateTimers() {
    long nowMs = Time.monotonicNow();
    return BEATS.stream()
        .filter(beat -> isLate(beat, nowMs))
        .map(beat -> beat.hook.label() + ' ' + beat.ageMs(nowMs) / 1000 + " s")
        .toList();
  }

  static String describe() {
    List<String> late = lateTimers();
    return late.isEmpty() ? "" : ", late: " + String.join(", ", late);
  }
}
