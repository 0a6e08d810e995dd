package org.rackweave.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.rackweave.health.CircuitBreaker.State;

class CircuitBreakerTest {
  private long decisions;
  private final CircuitBreaker breaker = new CircuitBreaker(() -> decisions);

  private void fail(int times, long nowMs) {
    for (int i = 0; i < times; i++) {
      decisions++;
      breaker.failed(nowMs);
    }
  }

  private void open() {
    fail(10, 0);
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
  void opensWhenHalfOfAllAreAtFaultWithinTheWindow() {
    fail(9, 0);
    assertEquals(State.CLOSED, breaker.state());
    fail(1, 10_001); // the window of the nine is over
    assertEquals(State.CLOSED, breaker.state());
    fail(9, 10_002);
    assertEquals(State.OPEN, breaker.state());
    assertEquals(1, breaker.openedCount());
  }

  @Test
  void staysClosedWhileMostGoWell() {
    for (int i = 0; i < 1000; i++) {
      decisions += 3;
      breaker.failed(i);
      assertTrue(breaker.admits(i));
    }
    assertEquals(State.CLOSED, breaker.state());
  }

  @Test
  void letsNonePassUntilTheWaitIsOverAndThenAFewProbes() {
    open();
    assertFalse(breaker.admits(9_999));
    assertEquals(20, probes(10_000));
    assertEquals(State.HALF_OPEN, breaker.state());
  }

  @Test
  void closesWhenProbesGoWell() {
    open();
    assertEquals(20, probes(10_000));
    fail(2, 10_001);
    for (int i = 0; i < 17; i++) {
      breaker.succeeded();
      assertEquals(State.HALF_OPEN, breaker.state());
    }
    breaker.succeeded();
    assertEquals(State.CLOSED, breaker.state());
    assertTrue(breaker.admits(10_002));
  }

  @Test
  void opensForTwiceAsLongWhenProbesFail() {
    open();
    long now = 10_000;
    long wait = 10_000;
    for (int again = 0; again < 10; again++) {
      assertTrue(breaker.admits(now));
      fail(3, now);
      assertEquals(State.OPEN, breaker.state());
      wait = Math.min(600_000, 2 * wait);
      assertFalse(breaker.admits(now + wait - 1));
      now += wait;
    }
    assertEquals(600_000, wait);
  }

  /** A NameNode may get no other request for a while. */
  @Test
  void triesOtherProbesWhenTheResultsOfTheFirstStayOut() {
    open();
    assertEquals(20, probes(10_000));
    assertFalse(breaker.admits(19_999));
    assertEquals(20, probes(20_000));
  }

  @Test
  void forgetsOldFaultsWhenItCloses() {
    open();
    probes(10_000);
    for (int i = 0; i < 18; i++) {
      breaker.succeeded();
    }
    fail(9, 10_100);
    assertEquals(State.CLOSED, breaker.state());
  }
}
