package org.rackweave.sim.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.rackweave.model.PowerState;
import org.rackweave.model.PowerTable;
import org.rackweave.sim.SmallCluster;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.scenario.PowerSpec;

class NodePowerTest {
  private static final int NODE = 1;

  private final SmallCluster small = new SmallCluster(2, 2);
  private final EnergyMeter meter = new EnergyMeter(small.loop, PowerTable.eafr(10), 4);

  private void follow(int busyTransfers, long sleepAfterMs) {
    new NodePower(small.loop, small.cluster, meter, new PowerSpec(busyTransfers, sleepAfterMs, 10))
        .start();
  }

  private void runUntil(double seconds) {
    small.loop.runUntil(SimTime.ofSeconds(seconds));
  }

  @Test
  void aNodeSleepsAfterItsLastTransferAndWakesWithTheNext() {
    follow(4, 60_000);
    small.loop.at(SimTime.ofSeconds(50), () -> small.cluster.writing(NODE, 1));
    small.loop.at(SimTime.ofSeconds(70), () -> small.cluster.writing(NODE, -1));
    small.loop.at(SimTime.ofSeconds(200), () -> small.cluster.reading(NODE, 1));
    runUntil(100);
    assertEquals(PowerState.STANDBY, meter.state(0));
    assertEquals(PowerState.ON, meter.state(NODE), "it was at work 30 s ago");
    runUntil(131);
    assertEquals(PowerState.STANDBY, meter.state(NODE));
    runUntil(201);
    assertEquals(PowerState.ON, meter.state(NODE));
    assertEquals(PowerState.STANDBY, meter.state(0));
  }

  @Test
  void powerFollowsTransfersUnderWay() {
    follow(5, PowerSpec.NEVER);
    small.loop.at(0, () -> small.cluster.writing(NODE, 1));
    small.loop.at(0, () -> small.cluster.reading(NODE, 1));
    runUntil(3600);
    assertEquals((3 * 93.7 + 110) / 1000, meter.kilowattHours(), 1e-9);
  }

  @Test
  void aFailedNodeDrawsNothingAndSleepsNotBeforeItsTimeWhenItIsBack() {
    follow(5, 60_000);
    small.loop.at(SimTime.ofSeconds(10), () -> small.cluster.fail(NODE, small.loop.nowNanos()));
    small.loop.at(SimTime.ofSeconds(90), () -> small.cluster.restore(NODE));
    runUntil(80);
    assertEquals(PowerState.OFF, meter.state(NODE));
    runUntil(140);
    assertEquals(PowerState.ON, meter.state(NODE));
    runUntil(151);
    assertEquals(PowerState.STANDBY, meter.state(NODE));
  }
}
