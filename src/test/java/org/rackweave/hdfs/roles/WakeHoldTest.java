package org.rackweave.hdfs.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WakeHoldTest {
  private final WakeHold hold = new WakeHold(() -> 1000);

  @Test
  void everyTermBeginsWithIt() {
    assertTrue(hold.holdsBack(true, 2, 1, 10));
    hold.release(1, 20);
    assertFalse(hold.holdsBack(true, 2, 1, 30));
    assertTrue(hold.holdsBack(true, 2, 2, 40));
    assertEquals(2, hold.heldBackCount());
  }

  @Test
  void endsByItself() {
    assertTrue(hold.holds(1, 5000));
    assertTrue(hold.holds(1, 5999));
    assertFalse(hold.holds(1, 6000));
    assertFalse(hold.holds(1, 5500));
  }

  @Test
  void itsTimeDoesNotRunInSafeModeUnlessItIsOver() {
    assertTrue(hold.holds(1, 0));
    hold.postpone(1, 900);
    assertTrue(hold.holds(1, 1800));
    hold.release(1, 1800);
    hold.postpone(1, 1850);
    assertFalse(hold.holds(1, 1900));
  }

  @Test
  void onlyHdfsOwnMonitorIsHeldBack() {
    assertFalse(hold.holdsBack(false, 2, 1, 10));
    assertEquals(0, hold.heldBackCount());
  }

  @Test
  void aBlockWithOneReplicaLeftIsNotHeldBack() {
    assertFalse(hold.holdsBack(true, 1, 1, 10));
    assertFalse(hold.holdsBack(true, 0, 1, 10));
    assertTrue(hold.holdsBack(true, 2, 1, 10));
    assertEquals(1, hold.heldBackCount());
  }
}
