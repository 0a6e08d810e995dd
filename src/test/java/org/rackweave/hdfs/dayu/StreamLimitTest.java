package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class StreamLimitTest {
  private int inForce = 2;
  private int configured = 2;
  private final StreamLimit limit =
      new StreamLimit(() -> inForce, value -> inForce = value, () -> configured);

  @Test
  void isRaisedAndLoweredAndPutBack() {
    limit.raise(7);
    assertEquals(7, inForce);
    limit.raise(5);
    assertEquals(5, inForce);
    assertTrue(limit.isRaised());
    limit.restore();
    assertEquals(2, inForce);
    assertFalse(limit.isRaised());
  }

  @Test
  void isNeverBelowTheOperators() {
    inForce = 30;
    limit.raise(7);
    assertEquals(30, inForce);
    inForce = 2;
    limit.raise(7);
    limit.raise(1);
    assertEquals(2, inForce);
    assertFalse(limit.isRaised());
  }

  @Test
  void followsTheOperatorWhoSetsItMeanwhile() {
    limit.raise(7);
    inForce = 4;
    configured = 4;
    limit.raise(9);
    assertEquals(9, inForce);
    limit.restore();
    assertEquals(4, inForce);
  }

  /** In force is what we put there; only the setting tells that the operator wants the same. */
  @Test
  void followsTheOperatorWhoSetsItToWhatItWasRaisedTo() {
    limit.raise(7);
    configured = 7;
    limit.restore();
    assertEquals(7, inForce);
  }

  @Test
  void staysWithWhatTheOperatorSetAfterItWasRaised() {
    limit.raise(7);
    inForce = 3;
    limit.restore();
    assertEquals(3, inForce);
    limit.restore();
    assertEquals(3, inForce);
  }
}
