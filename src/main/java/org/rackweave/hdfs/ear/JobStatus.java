package org.rackweave.hdfs.ear;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.admin.AdminAnswer;

/** How a job stands. Thread-safe. */
public final class JobStatus {
  /** How far a job is. */
  public enum State {
    RUNNING,
    DONE,
    FAILED,
    CANCELLED
  }

  /** Lines kept; others are not. */
  private static final int LINES_MAX = 1000;

  private static final long LOOK_MS = 300;

  private final long id;
  private final String name;
  private final Map<String, Long> figures = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private State state = State.RUNNING;
  private String phase = "";
  private String reason = "";
  private long done;
  private long total;
  private boolean isCancelled;

  JobStatus(long id, String name) {
    this.id = id;
    this.name = name;
  }

  long id() {
    return id;
  }

  String name() {
    return name;
  }

  synchronized State state() {
    return state;
  }

  /** Has the job break off where it next asks whether it is to go on. */
  synchronized void cancel() {
    isCancelled = true;
    notifyAll();
  }

  /**
   * Asks whether to go on.
   *
   * @throws InterruptedException when not
   */
  synchronized void goOn() throws InterruptedException {
    if (isCancelled) {
      throw new InterruptedException("cancelled");
    }
  }

  /** Waits a while, or until it is not to go on. */
  synchronized void pause(long ms) throws InterruptedException {
    long untilMs = Time.monotonicNow() + ms;
    for (long leftMs = ms; leftMs > 0; leftMs = untilMs - Time.monotonicNow()) {
      goOn();
      wait(leftMs);
    }
    goOn();
  }

  /**
   * Waits until nothing is left, or as much as before for too long.
   *
   * @param stalledMs what is too long
   * @param left how much is left, asked again and again
   * @param look told each time
   * @return how much is left
   */
  long awaitNone(long stalledMs, LongSupplier left, LongConsumer look) throws InterruptedException {
    long stalledAtMs = Time.monotonicNow() + stalledMs;
    long last = -1;
    while (true) {
      long now = left.getAsLong();
      look.accept(now);
      if (now != last) {
        last = now;
        stalledAtMs = Time.monotonicNow() + stalledMs;
      }
      if (now == 0 || Time.monotonicNow() > stalledAtMs) {
        return now;
      }
      pause(LOOK_MS);
    }
  }

  /**
   * Begins a part of the job.
   *
   * @param all things to be done in it; 0 when that is not known
   */
  synchronized void phase(String what, long all) {
    phase = what;
    total = all;
    done = 0;
  }

  synchronized void done(long things) {
    done = things;
  }

  /** Sets a figure. */
  synchronized void figure(String key, long value) {
    figures.put(key, value);
  }

  /** Adds to a figure. */
  synchronized void add(String key, long more) {
    figures.merge(key, more, Long::sum);
  }

  synchronized long figure(String key) {
    return figures.getOrDefault(key, 0L);
  }

  /** Adds a line for people. */
  synchronized void line(String text) {
    if (lines.size() < LINES_MAX) {
      lines.add(text);
    }
  }

  synchronized void end(State how, String why) {
    state = how;
    reason = why;
  }

  /** It as an answer. */
  synchronized AdminAnswer answer() {
    return new AdminAnswer()
        .with("job", id)
        .with("name", name)
        .with("state", state.name().toLowerCase(Locale.ROOT))
        .with("phase", phase)
        .with("reason", reason)
        .with("done", done)
        .with("total", total)
        .with("figures", figures)
        .list("lines", lines);
  }
}
