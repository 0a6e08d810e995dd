package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.rackweave.model.PowerState;
import org.rackweave.model.PowerTable;

/** Table 2 over time. */
class EnergyAccountTest {
  private static final long HOUR = 3_600_000_000_000L;

  private final EnergyAccount account = new EnergyAccount(PowerTable.eafr(10), 2, 5 * HOUR);

  @Test
  void sleepingSavesTheDifferenceToAMachineThatIsOn() {
    account.setLoad(0, 1, 5 * HOUR);
    account.setState(1, PowerState.STANDBY, 17 * HOUR);
    long end = 29 * HOUR;
    assertEquals((24 * 135 + 12 * 93.7 + 12 * 10) / 1000, account.kilowattHours(end), 1e-9);
    assertEquals(24 * (135 + 93.7) / 1000, account.allOnKilowattHours(end), 1e-9);
    assertEquals(12 * 83.7 / 1000, account.savedKilowattHoursPerDay(end), 1e-9);
  }

  @Test
  void aFailureIsNoSaving() {
    account.setState(0, PowerState.OFF, 5 * HOUR);
    assertEquals(0, account.savedKilowattHoursPerDay(6 * HOUR));
    assertEquals(0.0937, account.allOnKilowattHours(6 * HOUR), 1e-9);
  }

  @Test
  void anAccountJustOpenedHasSavedNothing() {
    assertEquals(0, account.savedKilowattHoursPerDay(5 * HOUR));
  }

  /**
   * Section 4.1.3: 30 % of 300 servers asleep at 20 W against idle save more than 150 kWh a day.
   */
  @Test
  void aThirdOfThreeHundredServersAsleepSavesMoreThanThePaperClaims() {
    EnergyAccount cluster = new EnergyAccount(PowerTable.eafr(20), 300, 0);
    for (int node = 0; node < 90; node++) {
      cluster.setState(node, PowerState.STANDBY, 0);
    }
    assertEquals(90 * 73.7 * 24 / 1000, cluster.savedKilowattHoursPerDay(24 * HOUR), 1e-6);
  }
}
