package org.rackweave.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import java.util.stream.Stream;
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

  private final ClusterTopology topology = topology("/a/dn1", "/a/dn2");
  private final LinkHistory history = new LinkHistory(STEP_MS, 3);

  private static ClusterTopology topology(String... places) {
    return ClusterTopology.of(
        Stream.of(places)
            .map(place -> new NodePlace(place.substring(3), place.substring(0, 2), null))
            .toList());
  }

  private static LinkSnapshot look(ClusterTopology topology, double firstRx, LinkSource second) {
    LinkSnapshot.Builder look =
        new LinkSnapshot.Builder(topology, new NetworkSettings(0, 1, 1e12, 1000, 1), 0);
    for (int node = 0; node < topology.nodeCount(); node++) {
      LinkSource source = node == 1 ? second : LinkSource.MEASURED;
      double[] used = node == 0 ? new double[] {firstRx, 0.1} : new double[2];
      look.host(node, source, LINK, used[0] * LINK, used[1] * LINK, 1, 0).storage(node, 0);
    }
    return look.build();
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
            new Frame(STEP_MS, 1, 2, topology, none, none, none, none),
            new Frame(2 * STEP_MS, 1, 2, topology, none, none, none, none),
            new Frame(3 * STEP_MS, 1, 2, topology, none, none, none, none)));
    assertEquals(
        List.of(2 * STEP_MS, 3 * STEP_MS, 5 * STEP_MS, 6 * STEP_MS),
        history.since(0).stream().map(Frame::atMs).toList(),
        "no more than are kept, and the one that is not over");
  }

  @Test
  void aStepIsOneFrameHoweverOftenTheClusterChanges() {
    ClusterTopology grown = topology("/b/dn3", "/a/dn2", "/a/dn1");
    assertNull(history.add(1000, look(topology, 0.5, LinkSource.MEASURED)));
    assertNull(history.add(2000, look(topology("/a/dn1", "/a/dn2"), 0.1, LinkSource.MEASURED)));
    assertSame(topology, history.since(0).get(0).topology(), "the names are the same");
    assertNull(history.add(3000, look(grown, 0.8, LinkSource.MEASURED)));
    Frame over = history.add(STEP_MS, look(topology, 0.5, LinkSource.MEASURED));
    assertSame(grown, over.topology());
    assertArrayEquals(new byte[] {80, 0, 20}, over.hostRx(), "of all looks, by name");
    assertArrayEquals(new byte[] {10, 0, 7}, over.hostTx());
    assertEquals(2, history.since(0).size());
    assertEquals(2, history.since(0).get(1).topology().nodeCount(), "the third is gone");
  }

  @Test
  void aFrameKnowsWhenItBegan() {
    history.add(1000, look(topology, 0.5, LinkSource.MEASURED));
    assertEquals(1001, history.since(0).get(0).toMs(), "one look");
    history.add(6000, look(topology, 0.5, LinkSource.MEASURED));
    Frame first = history.add(STEP_MS + 4000, look(topology, 0.5, LinkSource.MEASURED));
    assertEquals(List.of(0L, 1000L, STEP_MS), List.of(first.atMs(), first.fromMs(), first.toMs()));
    Frame second = history.add(9 * STEP_MS + 1, look(topology, 0.5, LinkSource.MEASURED));
    assertEquals(STEP_MS, second.fromMs());
    assertEquals(STEP_MS + 4000, second.toMs(), "nobody looked for a while");
    assertEquals(9 * STEP_MS + 1, history.since(9 * STEP_MS).get(0).fromMs());
  }
}
