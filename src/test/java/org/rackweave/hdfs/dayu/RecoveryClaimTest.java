package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RecoveryClaimTest {
  private final Object contiguous = new Object();
  private final Object striped = new Object();
  private final RecoveryClaim claim = new RecoveryClaim();

  @Test
  void holdsStocksMonitorBackUntilItRunsOut() {
    assertFalse(claim.holdsBack(contiguous, true, 0));
    claim.renew(contiguous, 100);
    assertTrue(claim.holdsBack(contiguous, true, 99));
    assertFalse(claim.hasRunOut(99));
    assertFalse(claim.holdsBack(contiguous, true, 100));
    assertTrue(claim.hasRunOut(100));
    claim.renew(contiguous, 200);
    assertTrue(claim.holdsBack(contiguous, true, 199));
    assertEquals(2, claim.heldBackCount());
  }

  @Test
  void holdsNobodyElseBack() {
    claim.renew(contiguous, 100);
    assertFalse(claim.holdsBack(striped, true, 0));
    assertFalse(claim.holdsBack(contiguous, false, 0));
  }

  @Test
  void hasNotRunOutWhenItWasGivenBack() {
    claim.renew(contiguous, 100);
    claim.release();
    assertFalse(claim.holdsBack(contiguous, true, 0));
    assertFalse(claim.hasRunOut(1000));
    assertFalse(claim.isHeld(0));
  }
}
