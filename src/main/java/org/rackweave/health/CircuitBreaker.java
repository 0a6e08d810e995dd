package org.rackweave.health;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Leaves decisions to stock HDFS for a while when most of them fail or take too long, and tries a
 * few before it trusts them again.
 *
 * <p>Closed, it lets all pass. It opens when within {@value #WINDOW_MS} ms at least {@value
 * #FAULTS_LEAST} decisions were at fault and these are half of all. Open, it lets none pass for
 * {@value #FIRST_WAIT_MS} ms, each time in a row twice as long as before up to {@value
 * #LONGEST_WAIT_MS} ms. Then {@value #PROBES} decisions are let through as probes: it closes when
 * at most {@value #PROBE_FAULTS_MAX} of them are at fault, and opens again as soon as more are, or
 * when their results stay out for as long as it was open.
 *
 * <p>Nothing is done for a decision that goes well while it is closed. Thread-safe; times come in.
 */
public final class CircuitBreaker {
  private static final long WINDOW_MS = 10_000;
  private static final int FAULTS_LEAST = 10;
  private static final long FIRST_WAIT_MS = 10_000;
  private static final long LONGEST_WAIT_MS = 600_000;
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

  private final LongSupplier decisions;
  private volatile State state = State.CLOSED;
  private final AtomicLong opened = new AtomicLong();

  private long windowStartMs;
  private long decisionsBefore;
  private int faults;
  private long waitMs = FIRST_WAIT_MS;
  private long changesAtMs;
  private int probesLeft;
  private int probesGood;

  /**
   * @param decisions how many were made so far, whatever became of them
   */
  public CircuitBreaker(LongSupplier decisions) {
    this.decisions = decisions;
  }

  public State state() {
    return state;
  }

  /** How often it has opened. */
  public long openedCount() {
    return opened.get();
  }

  /** Whether a decision may be made now. */
  public boolean admits(long nowMs) {
    return state == State.CLOSED || admitsProbe(nowMs);
  }

  private synchronized boolean admitsProbe(long nowMs) {
    if (state == State.CLOSED) {
      return true;
    }
    if (nowMs >= changesAtMs) {
      // The wait is over; or probes were lost on their way, and others are tried.
      state = State.HALF_OPEN;
      changesAtMs = nowMs + waitMs;
      probesLeft = PROBES;
      probesGood = 0;
      faults = 0;
    }
    return state == State.HALF_OPEN && probesLeft-- > 0;
  }

  /** A decision went well. */
  public void succeeded() {
    if (state == State.HALF_OPEN) {
      probeSucceeded();
    }
  }

  private synchronized void probeSucceeded() {
    if (state == State.HALF_OPEN && ++probesGood >= PROBES - PROBE_FAULTS_MAX) {
      state = State.CLOSED;
      waitMs = FIRST_WAIT_MS;
      faults = 0;
      windowStartMs = 0;
    }
  }

  /** A decision failed, or took too long. */
  public synchronized void failed(long nowMs) {
    switch (state) {
      case CLOSED -> {
        if (faults == 0 || nowMs - windowStartMs > WINDOW_MS) {
          windowStartMs = nowMs;
          decisionsBefore = decisions.getAsLong();
          faults = 0;
        }
        faults++;
        long all = Math.max(faults, decisions.getAsLong() - decisionsBefore);
        if (faults >= FAULTS_LEAST && 2L * faults >= all) {
          open(nowMs);
        }
      }
      case HALF_OPEN -> {
        if (++faults > PROBE_FAULTS_MAX) {
          waitMs = Math.min(LONGEST_WAIT_MS, 2 * waitMs);
          open(nowMs);
        }
      }
      default -> {
        // A decision that had begun before.
      }
    }
  }

  private void open(long nowMs) {
    state = State.OPEN;
    changesAtMs = nowMs + waitMs;
    opened.incrementAndGet();
  }
}
