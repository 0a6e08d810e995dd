package org.rackweave.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.rackweave.health.CircuitBreaker.State;

class CircuitBreakerTest {
  private final CircuitBreaker breaker = new CircuitBreaker();

  private void judge(int times, boolean wentWell, long nowMs) {
    for (int i = 0; i < times; i++) {
      if (wentWell) {
        breaker.wentWell();
      } else {
        breaker.failed(nowMs);
      }
    }
  }

  /** It is open from 2 s on, until 12 s. */
  private void open() {
    judge(4, false, 0);
    judge(4, false, 1000);
    judge(1, false, 2000);
    assertEquals(State.CLOSED, breaker.state());
    judge(1, false, 2000);
    assertEquals(State.OPEN, breaker.state());
  }

  private int probes(long nowMs) {
    int probes = 0;
    while (breaker.admits(nowMs)) {
      probes++;
    }
    return probes;
  }

  @Test
  void opensAtTenFaultsInThreeSeconds() {
    open();
    assertEquals(1, breaker.openedCount());
  }

  @Test
  void onePauseDoesNotOpenIt() {
    judge(1000, false, 0);
    judge(1000, false, 1000);
    assertEquals(State.CLOSED, breaker.state());
  }

  @Test
  void forgetsFaultsAfterItsWindow() {
    judge(5, false, 0);
    judge(4, false, 5000);
    judge(1, false, 10_001);
    assertEquals(State.CLOSED, breaker.state());
  }

  @Test
  void staysClosedWhileMostGoWell() {
    for (int ms = 0; ms < 5000; ms++) {
      judge(1, false, ms);
      judge(2, true, ms);
      assertTrue(breaker.admits(ms));
    }
    assertEquals(State.CLOSED, breaker.state());
  }

  @Test
  void letsNonePassUntilTheWaitIsOverAndThenAFewProbes() {
    open();
    assertFalse(breaker.admits(11_999));
    assertEquals(20, probes(12_000));
    assertEquals(State.HALF_OPEN, breaker.state());
    assertEquals(0, probes(1_000_000));
  }

  @Test
  void closesWhenProbesGoWellHoweverSlowlyTheyCome() {
    open();
    for (int i = 0; i < 17; i++) {
      assertTrue(breaker.admits(12_000 + 60_000L * i));
      judge(1, true, 12_000 + 60_000L * i);
      assertEquals(State.HALF_OPEN, breaker.state());
    }
    judge(2, false, 2_000_000);
    judge(1, true, 2_000_000);
    assertEquals(State.CLOSED, breaker.state());
    assertTrue(breaker.admits(2_000_001));
  }

  @Test
  void opensForTwiceAsLongWhenProbesFail() {
    open();
    long now = 12_000;
    long wait = 10_000;
    for (int again = 0; again < 10; again++) {
      assertTrue(breaker.admits(now));
      judge(3, false, now);
      assertEquals(State.OPEN, breaker.state());
      wait = Math.min(600_000, 2 * wait);
      assertFalse(breaker.admits(now + wait - 1));
      now += wait;
    }
    assertEquals(600_000, wait);
  }

  @Test
  void forgetsOldFaultsWhenItCloses() {
    open();
    probes(12_000);
    judge(18, true, 12_000);
    assertEquals(State.CLOSED, breaker.state());
    judge(9, false, 12_001);
    assertEquals(State.CLOSED, breaker.state());
  }

  @Test
  void opensWhenBlocksAreWrittenMoreSlowlyAndClosesByProbes() {
    breaker.slower("write_p50 +40 %", 1000);
    assertEquals(State.OPEN, breaker.state());
    assertEquals("write_p50 +40 %", breaker.slower());
    assertEquals(1, breaker.openedCount());
    breaker.slower("write_p50 +50 %", 2000);
    assertEquals("write_p50 +40 %", breaker.slower(), "it is open");
    assertFalse(breaker.admits(600_999));
    assertEquals(20, probes(601_000));
    judge(18, true, 601_000);
    assertEquals(State.CLOSED, breaker.state());
    assertEquals("", breaker.slower());
  }

  /** Closes it by probes, opens it by write times again, and tells for how long. */
  private void staysOpenFor(long waitMs, long nowMs) {
    breaker.slower("write_p50 +40 %", nowMs);
    assertFalse(breaker.admits(nowMs + waitMs - 1));
    probes(nowMs + waitMs);
    judge(18, true, nowMs + waitMs);
    assertEquals(State.CLOSED, breaker.state());
  }

  @Test
  void opensForTwiceAsLongWhileBlocksAreFoundToBeWrittenMoreSlowly() {
    long now = 0;
    for (long wait = 600_000; wait < 86_400_000; wait *= 2) {
      staysOpenFor(wait, now);
      now += 2 * wait;
    }
    staysOpenFor(86_400_000, now);
    staysOpenFor(86_400_000, 2 * now + 86_400_000);
    breaker.notSlower();
    staysOpenFor(600_000, 4 * now + 172_800_000);
  }

  @Test
  void probesThatFailAreAnotherReason() {
    breaker.slower("write_p50 +40 %", 0);
    probes(600_000);
    judge(3, false, 600_000);
    assertEquals(State.OPEN, breaker.state());
    assertEquals("", breaker.slower());
  }
}
