package org.rackweave.hdfs.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.roles.SleepingServer.Phase;
import org.rackweave.hdfs.roles.SleepingServer.Reason;

class SleepingServerTest {
  private static SleepingServer sleeper(int blocks) {
    return new SleepingServer(new ColdServer("uuid-1", "dn1", "10.0.0.1", 9866, 5, blocks), 10);
  }

  @Test
  void changesCountFromTheOrderToSwitchOffAndNotFromItsEnd() {
    SleepingServer sleeper = sleeper(100);
    sleeper.switchOff(90, 20);
    sleeper.asleep(85, 30);
    assertEquals(8, sleeper.lateUpdates(82));
  }

  @Test
  void whatAServerThatIsOnHearsOfIsNotLate() {
    SleepingServer sleeper = sleeper(100);
    assertEquals(0, sleeper.lateUpdates(60));
    sleeper.enter(Phase.SETTLING, 15);
    assertEquals(0, sleeper.lateUpdates(60));
    sleeper.switchOff(60, 20);
    sleeper.asleep(60, 30);
    assertEquals(0, sleeper.lateUpdates(60));
    sleeper.wake(Reason.VERIFY, 40);
    assertEquals(0, sleeper.lateUpdates(50));
  }

  @Test
  void aNameNodeThatTakesOverCountsFromTheRecord() {
    SleepingServer sleeper = sleeper(100);
    sleeper.asleep(70, 30);
    assertEquals(31, sleeper.lateUpdates(69));
  }

  @Test
  void itCountsFromThenOnWhereTheRecordDoesNotSay() {
    SleepingServer sleeper = sleeper(ColdServer.UNKNOWN);
    sleeper.asleep(70, 30);
    assertEquals(1, sleeper.lateUpdates(69));
  }

  @Test
  void moreBlocksThanBeforeAreNoLateUpdates() {
    SleepingServer sleeper = sleeper(100);
    sleeper.asleep(100, 30);
    assertEquals(0, sleeper.lateUpdates(101));
  }
}
