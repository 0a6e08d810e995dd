package org.rackweave.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.history.LinkHistory.Frame;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.rackweave.telemetry.NetworkSettings;

class LinkHistoryTest {
  private static final long STEP_MS = 300_000;
  private static final double LINK = 100e6;

  private final ClusterTopology topology = topology();
  private final LinkHistory history = new LinkHistory(STEP_MS, 3);

  private static ClusterTopology topology() {
    return ClusterTopology.of(
        List.of(new NodePlace("dn1", "/a", null), new NodePlace("dn2", "/a", null)));
  }

  private static LinkSnapshot look(ClusterTopology topology, double firstRx, LinkSource second) {
    return new LinkSnapshot.Builder(topology, new NetworkSettings(0, 1, 1e12, 1000, 1), 0)
        .host(0, LinkSource.MEASURED, LINK, firstRx * LINK, 0.1 * LINK, 1, 0)
        .host(1, second, LINK, 0, 0, 1, 0)
        .storage(0, 0)
        .storage(1, 0)
        .build();
  }

  @Test
  void keepsTheMeanOfAStep() {
    assertNull(history.add(STEP_MS, look(topology, 0.2, LinkSource.MEASURED)));
    assertNull(history.add(2 * STEP_MS - 1, look(topology, 0.6, LinkSource.MISSING)));
    Frame frame = history.add(2 * STEP_MS, look(topology, 0.9, LinkSource.MISSING));
    assertNotNull(frame);
    assertEquals(STEP_MS, frame.atMs());
    assertArrayEquals(new byte[] {40, 0}, frame.hostRx());
    assertArrayEquals(new byte[] {10, 0}, frame.hostTx());
    List<Frame> all = history.since(0);
    assertEquals(2, all.size(), "the latest is not over");
    assertArrayEquals(new byte[] {90, LinkHistory.UNKNOWN}, all.get(1).hostRx());
  }

  @Test
  void keepsNoMoreThanItsFrames() {
    for (int step = 0; step < 10; step++) {
      history.add(step * STEP_MS, look(topology, 0.5, LinkSource.DERIVED));
    }
    List<Frame> all = history.since(0);
    assertEquals(4, all.size());
    assertEquals(6 * STEP_MS, all.get(0).atMs());
    assertEquals(2, history.since(8 * STEP_MS).size());
  }

  @Test
  void framesOfBeforeARestartComeFirst() {
    history.add(5 * STEP_MS, look(topology, 0.5, LinkSource.MEASURED));
    history.add(6 * STEP_MS, look(topology, 0.5, LinkSource.MEASURED));
    byte[] none = {};
    history.resume(
        List.of(
            new Frame(STEP_MS, topology, none, none, none, none),
            new Frame(2 * STEP_MS, topology, none, none, none, none),
            new Frame(3 * STEP_MS, topology, none, none, none, none)));
    assertEquals(
        List.of(2 * STEP_MS, 3 * STEP_MS, 5 * STEP_MS, 6 * STEP_MS),
        history.since(0).stream().map(Frame::atMs).toList(),
        "no more than are kept, and the one that is not over");
  }

  @Test
  void aClusterThatChangesBeginsAFrame() {
    history.add(0, look(topology, 0.5, LinkSource.MEASURED));
    Frame before = history.add(1000, look(topology(), 0.1, LinkSource.MEASURED));
    assertNotNull(before);
    assertArrayEquals(new byte[] {50, 0}, before.hostRx());
    assertArrayEquals(new byte[] {10, 0}, history.since(0).get(1).hostRx());
  }
}
