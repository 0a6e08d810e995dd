package org.rackweave.history;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.history.LinkHistory.Frame;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

class LinkTableTest {
  private static final byte UNKNOWN = LinkHistory.UNKNOWN;

  private static Frame frame(long atMs, ClusterTopology topology, int first) {
    return new Frame(
        atMs,
        atMs,
        atMs + 300,
        topology,
        shares(topology.nodeCount(), first),
        shares(topology.nodeCount(), first + 50),
        shares(topology.rackCount(), first + 10),
        shares(topology.rackCount(), first + 60));
  }

  private static byte[] shares(int count, int first) {
    byte[] shares = new byte[count];
    for (int i = 0; i < count; i++) {
      shares[i] = (byte) (first + i);
    }
    return shares;
  }

  private static ClusterTopology topology(String... places) {
    return ClusterTopology.of(
        IntStream.range(0, places.length)
            .mapToObj(
                i -> {
                  int slash = places[i].lastIndexOf('/');
                  return new NodePlace(
                      places[i].substring(slash + 1), places[i].substring(0, slash), null);
                })
            .toList());
  }

  @Test
  void racksStandSideBySide() {
    ClusterTopology two = topology("/a/1", "/a/2", "/b/3");
    LinkTable table = LinkTable.ofRacks(List.of(frame(300, two, 1), frame(600, two, 5)));
    assertEquals(List.of("/a", "/b"), table.names());
    assertArrayEquals(new long[] {300, 600}, table.atMs());
    assertArrayEquals(new byte[] {11, 12, 15, 16}, table.rx());
    assertArrayEquals(new byte[] {61, 62, 65, 66}, table.tx());
  }

  @Test
  void dataNodesOfOneRack() {
    ClusterTopology two = topology("/a/1", "/a/2", "/b/3");
    List<Frame> frames = List.of(frame(300, two, 1));
    LinkTable rack = LinkTable.ofDataNodes(frames, "/b");
    assertEquals(List.of("3"), rack.names());
    assertArrayEquals(new byte[] {3}, rack.rx());
    assertArrayEquals(new byte[] {53}, rack.tx());
    LinkTable none = LinkTable.ofDataNodes(frames, "/c");
    assertEquals(List.of(), none.names());
    assertEquals(0, none.rx().length);
  }

  @Test
  void framesOfOneStepAreOneAndTheLatestThatKnowsCounts() {
    ClusterTopology before = topology("/a/1", "/b/2");
    ClusterTopology after = topology("/b/2", "/c/3");
    Frame old = frame(300, before, 1);
    Frame latest =
        new Frame(
            300,
            300,
            600,
            after,
            new byte[2],
            new byte[2],
            new byte[] {UNKNOWN, 40},
            new byte[] {70, UNKNOWN});
    LinkTable table = LinkTable.ofRacks(List.of(old, latest));
    assertEquals(List.of("/a", "/b", "/c"), table.names());
    assertArrayEquals(new long[] {300}, table.atMs());
    assertArrayEquals(new byte[] {11, 12, 40}, table.rx());
    assertArrayEquals(new byte[] {61, 70, UNKNOWN}, table.tx());
  }

  @Test
  void whatWasNotThereIsNotKnown() {
    LinkTable table =
        LinkTable.ofRacks(
            List.of(frame(300, topology("/a/1"), 1), frame(600, topology("/b/1"), 2)));
    assertArrayEquals(new byte[] {11, UNKNOWN, UNKNOWN, 12}, table.rx());
  }

  @Test
  void nothingIsAnEmptyTable() {
    LinkTable table = LinkTable.ofRacks(List.of());
    assertEquals(List.of(), table.names());
    assertEquals(0, table.atMs().length);
  }

  @Test
  void theOldestOfVeryManySharesAreLeftOut() {
    String[] places = IntStream.range(0, 10_000).mapToObj(i -> "/a/" + i).toArray(String[]::new);
    ClusterTopology flat = topology(places);
    List<Frame> frames = new ArrayList<>();
    for (int step = 1; step <= 288; step++) {
      frames.add(frame(step * 300L, flat, 0));
    }
    LinkTable table = LinkTable.ofDataNodes(frames, "/a");
    assertTrue(table.rx().length <= LinkTable.CELLS_MAX, () -> "" + table.rx().length);
    assertEquals(288 * 300L, table.atMs()[table.atMs().length - 1]);
    assertEquals(104, table.atMs().length);
  }
}
