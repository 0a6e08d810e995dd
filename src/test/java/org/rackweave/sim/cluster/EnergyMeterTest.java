package org.rackweave.sim.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.rackweave.model.PowerState;
import org.rackweave.model.PowerTable;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;

class EnergyMeterTest {
  private final EventLoop loop = new EventLoop(100);
  private final PowerTable table = PowerTable.eafr(20);

  @Test
  void powerFollowsTheTableAndIsLinearBetweenItsMarks() {
    assertEquals(93.7, table.wattsOf(PowerState.ON, 0));
    assertEquals(110, table.wattsOf(PowerState.ON, 0.4), 1e-9);
    assertEquals(115.5, table.wattsOf(PowerState.ON, 0.5), 1e-9);
    assertEquals(135, table.wattsOf(PowerState.ON, 1));
    assertEquals(135, table.wattsOf(PowerState.ON, 7));
    assertEquals(20, table.wattsOf(PowerState.STANDBY, 0.5));
    assertEquals(0, table.wattsOf(PowerState.OFF, 0.5));
  }

  @Test
  void energyIsPowerOverTimeThroughEveryChange() {
    EnergyMeter meter = new EnergyMeter(loop, table, 2);
    loop.at(SimTime.ofSeconds(3600), () -> meter.setLoad(0, 1));
    loop.at(SimTime.ofSeconds(3600), () -> meter.setState(1, PowerState.STANDBY));
    loop.at(SimTime.ofSeconds(7200), () -> meter.setState(0, PowerState.OFF));
    loop.runUntil(SimTime.ofSeconds(10_800));
    double expected = 2 * 93.7 + (135 + 20) + 20;
    assertEquals(expected / 1000, meter.kilowattHours(), 1e-9);
  }
}
