package org.rackweave.sim.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;

/** Cases with an answer on paper. Capacities are bytes per second, small so that one can follow. */
class FlowNetworkTest {
  private static final double EXACT = 1e-9;

  private final EventLoop loop = new EventLoop(100_000);
  private final List<String> ended = new ArrayList<>();

  private FlowNetwork network(double... capacities) {
    FlowNetwork network = new FlowNetwork(loop, capacities, 0);
    loop.require("capacity", network.withinCapacity());
    loop.require("bytes", network.conservesBytes());
    loop.require("fairness", network.fairness());
    return network;
  }

  private Runnable end(String name) {
    return () -> ended.add(name + "@" + SimTime.toSeconds(loop.nowNanos()));
  }

  private void at(double seconds, Runnable action) {
    loop.at(SimTime.ofSeconds(seconds), action);
  }

  private void settle() {
    loop.runUntil(loop.nowNanos());
  }

  @Test
  void oneFlowGetsItsNarrowestLink() {
    FlowNetwork network = network(100, 40, 70);
    Flow flow = network.start(Path.of(0, 1, 2), 400, end("a"));
    settle();
    assertEquals(40, flow.bytesPerSec(), EXACT);
    loop.runToEnd();
    assertEquals(List.of("a@10.0"), ended);
    assertFalse(flow.isRunning());
    assertEquals(400, network.carriedBytes(2), 1e-6);
  }

  @Test
  void twoShareEquallyAndTheSurvivorGetsAll() {
    FlowNetwork network = network(100);
    network.start(Path.of(0), 100, end("small"));
    network.start(Path.of(0), 300, end("large"));
    loop.runToEnd();
    // 50 each for 2 s; then 200 left at 100.
    assertEquals(List.of("small@2.0", "large@4.0"), ended);
  }

  @Test
  void aChainSharesAsTheParkingLot() {
    // One flow over three links, one more on each: the long one gets half of the narrowest.
    FlowNetwork network = network(100, 60, 100);
    Flow all = network.start(Path.of(0, 1, 2), 1e6, end("all"));
    Flow first = network.start(Path.of(0), 1e6, end("first"));
    Flow second = network.start(Path.of(1), 1e6, end("second"));
    Flow third = network.start(Path.of(2), 1e6, end("third"));
    settle();
    assertEquals(30, all.bytesPerSec(), EXACT);
    assertEquals(70, first.bytesPerSec(), EXACT);
    assertEquals(30, second.bytesPerSec(), EXACT);
    assertEquals(70, third.bytesPerSec(), EXACT);
    network.cancel(second);
    settle();
    assertEquals(50, all.bytesPerSec(), EXACT);
    assertEquals(50, first.bytesPerSec(), EXACT);
  }

  @Test
  void aChangeReachesDownTheChain() {
    // A-B on link 0, B-C on 1, C-D on 2: what ends at one end is felt at the other.
    FlowNetwork network = network(10, 12, 16);
    Flow a = network.start(Path.of(0), 1e6, end("a"));
    Flow ab = network.start(Path.of(0, 1), 1e6, end("ab"));
    Flow bc = network.start(Path.of(1, 2), 1e6, end("bc"));
    Flow c = network.start(Path.of(2), 1e6, end("c"));
    settle();
    assertEquals(5, ab.bytesPerSec(), EXACT);
    assertEquals(7, bc.bytesPerSec(), EXACT);
    assertEquals(9, c.bytesPerSec(), EXACT);
    network.cancel(a);
    settle();
    assertEquals(6, ab.bytesPerSec(), EXACT);
    assertEquals(6, bc.bytesPerSec(), EXACT);
    assertEquals(10, c.bytesPerSec(), EXACT);
  }

  @Test
  void aLateFlowSlowsAnEarlyOneFromThenOn() {
    FlowNetwork network = network(100);
    network.start(Path.of(0), 1000, end("early"));
    at(4, () -> network.start(Path.of(0), 300, end("late")));
    loop.runToEnd();
    // 400 by then; 50 each until 10 s; 300 left alone.
    assertEquals(List.of("late@10.0", "early@13.0"), ended);
  }

  @Test
  void aLinkThatChangesItsCapacityChangesItsFlows() {
    FlowNetwork network = network(100, 1000);
    network.start(Path.of(0, 1), 1000, end("a"));
    at(1, () -> network.setCapacity(0, 0));
    at(5, () -> network.setCapacity(0, 300));
    loop.runToEnd();
    assertEquals(List.of("a@8.0"), ended);
  }

  @Test
  void aPipelineRunsAtItsSlowestHopOverAllHops() {
    // Writer's disk 0, wire 1, first disk 2, wire 3, second disk 4.
    FlowNetwork network = network(50, 125, 50, 125, 20);
    Flow write = network.start(Path.of(0, 1, 2, 3, 4), 100, end("write"));
    settle();
    assertEquals(20, write.bytesPerSec(), EXACT);
    assertEquals(20, network.load(0), EXACT);
    loop.runToEnd();
    assertEquals(List.of("write@5.0"), ended);
  }

  @Test
  void whatIsCancelledCountsAsFarAsItCame() {
    FlowNetwork network = network(100);
    Flow flow = network.start(Path.of(0), 1000, end("never"));
    at(3, () -> network.cancel(flow));
    loop.runToEnd();
    assertEquals(List.of(), ended);
    assertEquals(300, network.deliveredBytes(), 1e-6);
    assertEquals(300, network.carriedBytes(0), 1e-6);
    assertEquals(0, network.load(0), EXACT);
    assertEquals(0, network.flowCount());
  }

  @Test
  void alikeFlowsEndTogetherAndCostOneSettlement() {
    FlowNetwork network = network(1000, 300);
    for (int i = 0; i < 100; i++) {
      network.start(Path.of(0, 1), 30, end("f"));
    }
    loop.runToEnd();
    assertEquals(100, ended.size());
    assertEquals("f@10.0", ended.get(99));
    assertEquals(2, network.settlements());
  }

  @Test
  void withAnIntervalWhatIsLeftIsHandedOutLate() {
    FlowNetwork network = new FlowNetwork(loop, new double[] {100}, SimTime.ofSeconds(3));
    loop.require("capacity", network.withinCapacity());
    loop.require("bytes", network.conservesBytes());
    network.start(Path.of(0), 100, end("small"));
    network.start(Path.of(0), 300, end("large"));
    loop.runToEnd();
    // As if exact until 2 s; 50 until 3 s; 150 left at 100.
    assertEquals(List.of("small@2.0", "large@4.5"), ended);
  }

  @Test
  void withAnIntervalANewFlowStillStartsAtOnce() {
    FlowNetwork network = new FlowNetwork(loop, new double[] {100}, SimTime.ofSeconds(30));
    network.start(Path.of(0), 100, () -> network.start(Path.of(0), 100, end("next")));
    loop.runToEnd();
    assertEquals(List.of("next@2.0"), ended);
  }

  @Test
  void refusesWhatIsNoPathNoSizeAndNoCapacity() {
    FlowNetwork network = network(10, 10);
    assertThrows(IllegalArgumentException.class, () -> Path.of(1, 0, 1));
    assertThrows(IllegalArgumentException.class, () -> Path.of());
    assertThrows(
        IllegalArgumentException.class, () -> network.start(Path.of(0), 0, end("nothing")));
    assertThrows(IllegalArgumentException.class, () -> network.setCapacity(0, Double.NaN));
    assertTrue(network.flowCount() == 0);
  }
}
