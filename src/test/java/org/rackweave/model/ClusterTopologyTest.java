package org.rackweave.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.rackweave.model.ClusterTopology.NONE;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterTopologyTest {
  private static NodePlace at(String name, String rack) {
    return new NodePlace(name, rack, null);
  }

  private static NodePlace in(String name, String rack, String domain) {
    return new NodePlace(name, rack, domain);
  }

  @Test
  void numbersTheNodesOfARackInARow() {
    ClusterTopology topology =
        ClusterTopology.of(
            List.of(
                at("a0", "/a"), at("b0", "/b"), at("a1", "/a"), at("b1", "/b"), at("b2", "/b")));
    assertEquals(5, topology.nodeCount());
    assertEquals(2, topology.rackCount());
    assertEquals(0, topology.rackAt("/a"));
    assertEquals(1, topology.rackAt("/b"));
    assertEquals(NONE, topology.rackAt("/c"));
    assertEquals("/b", topology.rackPath(1));
    assertEquals(2, topology.firstNode(1));
    assertEquals(5, topology.firstNode(2));
    assertEquals(3, topology.rackSize(1));
    assertEquals("a1", topology.nodeName(1));
    assertEquals("b2", topology.nodeName(4));
    assertEquals(0, topology.rackOf(1));
    assertEquals(1, topology.rackOf(2));
  }

  @Test
  void keepsTheNumbersOfACallerThatGroupsByRack() {
    ClusterTopology topology =
        ClusterTopology.of(List.of(at("z", "/b"), at("y", "/b"), at("x", "/a")));
    assertEquals("z", topology.nodeName(0));
    assertEquals("y", topology.nodeName(1));
    assertEquals("x", topology.nodeName(2));
  }

  @Test
  void countsHopsThroughTheClosestCommonSwitch() {
    ClusterTopology topology =
        ClusterTopology.of(
            List.of(at("a", "/h1/r1"), at("b", "/h1/r1"), at("c", "/h1/r2"), at("d", "/h2/r1")));
    assertEquals(0, topology.distance(0, 0));
    assertEquals(2, topology.distance(0, 1));
    assertEquals(4, topology.distance(0, 2));
    assertEquals(6, topology.distance(0, 3));
    assertEquals(6, topology.distance(3, 2));
    assertEquals(0, topology.rackDistance(0, 0));
    assertEquals(2, topology.rackDistance(0, 1));
    assertEquals(4, topology.rackDistance(0, 2));
  }

  @Test
  void hasNoFaultDomainsUnlessTheOperatorNamesSome() {
    ClusterTopology topology = ClusterTopology.of(List.of(at("a", "/r"), at("b", "/r")));
    assertEquals(0, topology.domainCount());
    assertEquals(NONE, topology.domainOf(0));
  }

  @Test
  void countsEachFaultDomainOnceAcrossRacks() {
    ClusterTopology topology =
        ClusterTopology.of(
            List.of(in("a", "/r", "ud1"), in("b", "/r", "ud2"), in("c", "/s", "ud1")));
    assertEquals(2, topology.domainCount());
    assertEquals(topology.domainOf(0), topology.domainOf(2));
  }

  /** As HDFS's upgrade domain policy does. */
  @Test
  void takesANodeWithoutADomainForOneOfItsOwnOnceOthersAreNamed() {
    ClusterTopology topology =
        ClusterTopology.of(
            List.of(in("a", "/r", "ud1"), at("b", "/r"), at("c", "/r"), in("d", "/s", "ud1")));
    assertEquals(3, topology.domainCount());
    assertEquals(3, List.of(0, 1, 2).stream().mapToInt(topology::domainOf).distinct().count());
    assertEquals(topology.domainOf(0), topology.domainOf(3));
  }

  @Test
  void isEmptyWithoutNodes() {
    ClusterTopology topology = ClusterTopology.of(List.of());
    assertEquals(0, topology.nodeCount());
    assertEquals(0, topology.rackCount());
    assertEquals(0, topology.firstNode(0));
  }

  @Test
  void refusesAPlaceWithoutNameOrRack() {
    assertThrows(NullPointerException.class, () -> new NodePlace(null, "/r", null));
    assertThrows(NullPointerException.class, () -> new NodePlace("a", null, null));
  }
}
