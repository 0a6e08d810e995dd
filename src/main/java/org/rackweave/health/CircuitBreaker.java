package org.rackweave.health;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Leaves decisions to stock HDFS for a while when most of them fail or take too long, and tries a
 * few before it trusts them again.
 *
 * <p>Closed, it lets all pass. It opens when, within {@value #WINDOW_MS} ms of a first fault, at
 * least {@value #FAULTS_LEAST} decisions are at fault, in {@value #SECONDS_LEAST} different
 * seconds, and these are half of all since: one pause of the process, which many decisions meet at
 * once, does not open it. Open, it lets none pass for {@value #FIRST_WAIT_MS} ms, each time in a
 * row twice as long as before up to {@value #LONGEST_WAIT_MS} ms. Then {@value #PROBES} decisions
 * are let through as probes, however long they take to come. It closes when all but {@value
 * #PROBE_FAULTS_MAX} of them went well, and opens again as soon as more are at fault.
 *
 * <p>It also opens when blocks that were placed are found to be written more slowly, for {@value
 * #LONGEST_WAIT_MS} ms, and twice as long each time up to {@value #SLOWER_LONGEST_WAIT_MS} ms until
 * they are found not to be; it closes by probes as above, and is judged anew by whoever measures.
 *
 * <p>Each decision that was let through is judged. Thread-safe; times come in.
 */
public final class CircuitBreaker {
  private static final long WINDOW_MS = 10_000;
  private static final int FAULTS_LEAST = 10;
  private static final int SECONDS_LEAST = 3;
  private static final long SECOND_MS = 1000;
  private static final long FIRST_WAIT_MS = 10_000;
  private static final long LONGEST_WAIT_MS = 600_000;
  private static final long SLOWER_LONGEST_WAIT_MS = 86_400_000;
  private static final int PROBES = 20;
  private static final int PROBE_FAULTS_MAX = 2;

  /** Whether decisions pass. */
  public enum State {
    /** All pass. */
    CLOSED,
    /** None does. */
    OPEN,
    /** A few do, as probes. */
    HALF_OPEN
  }

  private volatile State state = State.CLOSED;
  private final LongAdder good = new LongAdder();
  private final AtomicLong opened = new AtomicLong();
  private volatile String slower = "";

  private long windowStartMs;
  private long goodBefore;
  private int faults;
  private int seconds;
  private long lastSecond;
  private long waitMs = FIRST_WAIT_MS;
  private long slowerWaitMs = LONGEST_WAIT_MS;
  private long triedAtMs;
  private int probesLeft;
  private int probesGood;

  public State state() {
    return state;
  }

  /** Whether all decisions pass. */
  public boolean isClosed() {
    return state == State.CLOSED;
  }

  /** How often it has opened. */
  public long openedCount() {
    return opened.get();
  }

  /** By how much blocks were written more slowly when it opened for that; empty when it did not. */
  public String slower() {
    return slower;
  }

  /**
   * Blocks that were placed are written more slowly than by stock HDFS.
   *
   * @param howMuch in words
   */
  public synchronized void slower(String howMuch, long nowMs) {
    if (state == State.CLOSED) {
      slower = howMuch;
      open(nowMs, slowerWaitMs);
      slowerWaitMs = Math.min(SLOWER_LONGEST_WAIT_MS, 2 * slowerWaitMs);
    }
  }

  /** They are surely not, or not by much. */
  public synchronized void notSlower() {
    slowerWaitMs = LONGEST_WAIT_MS;
  }

  /** Whether a decision may be made now; it is judged, then. */
  public boolean admits(long nowMs) {
    return state == State.CLOSED || admitsProbe(nowMs);
  }

  private synchronized boolean admitsProbe(long nowMs) {
    if (state == State.OPEN && nowMs >= triedAtMs) {
      state = State.HALF_OPEN;
      probesLeft = PROBES;
      probesGood = 0;
      faults = 0;
    }
    return state == State.CLOSED || state == State.HALF_OPEN && probesLeft-- > 0;
  }

  /** A decision that was let through has neither failed nor taken too long. */
  public void wentWell() {
    if (state == State.CLOSED) {
      good.increment();
    } else {
      probeWentWell();
    }
  }

  private synchronized void probeWentWell() {
    if (state == State.HALF_OPEN && ++probesGood >= PROBES - PROBE_FAULTS_MAX) {
      state = State.CLOSED;
      slower = "";
      waitMs = FIRST_WAIT_MS;
      faults = 0;
    }
  }

  /** One has. */
  public synchronized void failed(long nowMs) {
    switch (state) {
      case CLOSED -> {
        if (isTooMany(nowMs)) {
          open(nowMs, waitMs);
        }
      }
      case HALF_OPEN -> {
        if (++faults > PROBE_FAULTS_MAX) {
          waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs);
          slower = "";
          open(nowMs, waitMs);
        }
      }
      default -> {
        // A decision that had begun before it opened.
      }
    }
  }

  private boolean isTooMany(long nowMs) {
    if (faults == 0 || nowMs - windowStartMs > WINDOW_MS) {
      windowStartMs = nowMs;
      goodBefore = good.sum();
      faults = 0;
      seconds = 0;
    }
    long second = (nowMs - windowStartMs) / SECOND_MS;
    if (faults == 0 || second != lastSecond) {
      seconds++;
      lastSecond = second;
    }
    faults++;
    return faults >= FAULTS_LEAST && seconds >= SECONDS_LEAST && faults >= good.sum() - goodBefore;
  }

  private void open(long nowMs, long forMs) {
    state = State.OPEN;
    triedAtMs = nowMs + forMs;
    opened.incrementAndGet();
  }
}
