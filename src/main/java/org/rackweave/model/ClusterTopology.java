package org.rackweave.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rack tree of a cluster at one moment, immutable.
 *
 * <p>Nodes are numbered {@code 0..nodeCount-1} and racks {@code 0..rackCount-1}. The nodes of a
 * rack are consecutive, so rack {@code r} is the half-open range {@code [firstNode(r),
 * firstNode(r+1))}. Racks are numbered in order of first appearance.
 */
public final class ClusterTopology {
  /** Answer of look-ups that found nothing. */
  public static final int NONE = -1;

  /** The core and the rack's own. */
  private static final int FLAT_LEVELS = 2;

  private final String[] nodeNames;
  private final int[] rackOfNode;
  private final int[] domainOfNode;
  private final int domainCount;
  private final String[] rackPaths;

  /** Of each rack the switches from the core down to its own, numbered, so that ints compare. */
  private final int[][] switchesAbove;

  private final int[] rackStart;
  private final Map<String, Integer> rackIds;
  private final boolean isFlat;

  private ClusterTopology(Map<String, List<NodePlace>> racks, int nodeCount) {
    nodeNames = new String[nodeCount];
    rackOfNode = new int[nodeCount];
    domainOfNode = new int[nodeCount];
    rackPaths = racks.keySet().toArray(String[]::new);
    switchesAbove = new int[rackPaths.length][];
    rackStart = new int[rackPaths.length + 1];
    rackIds = new HashMap<>(rackPaths.length * 2);
    Map<String, Integer> domains = new HashMap<>();
    Map<String, Integer> switches = new HashMap<>();
    int node = 0;
    for (int rack = 0; rack < rackPaths.length; rack++) {
      rackIds.put(rackPaths[rack], rack);
      switchesAbove[rack] = switchesAbove(rackPaths[rack], switches);
      rackStart[rack] = node;
      for (NodePlace place : racks.get(rackPaths[rack])) {
        nodeNames[node] = place.name();
        rackOfNode[node] = rack;
        domainOfNode[node] =
            place.faultDomain() == null
                ? NONE
                : domains.computeIfAbsent(place.faultDomain(), ignored -> domains.size());
        node++;
      }
    }
    rackStart[rackPaths.length] = node;
    isFlat = Arrays.stream(switchesAbove).allMatch(above -> above.length == FLAT_LEVELS);
    domainCount = domains.isEmpty() ? 0 : numberNodesWithoutDomain(domains.size());
  }

  private static int[] switchesAbove(String rackPath, Map<String, Integer> numbers) {
    String[] names = rackPath.split("/");
    int[] switches = new int[names.length];
    StringBuilder path = new StringBuilder();
    for (int level = 0; level < names.length; level++) {
      path.append(names[level]).append('/');
      switches[level] = numbers.computeIfAbsent(path.toString(), ignored -> numbers.size());
    }
    return switches;
  }

  /** As in HDFS, a node without a domain is one of its own once others have a name. */
  private int numberNodesWithoutDomain(int namedDomains) {
    int next = namedDomains;
    for (int node = 0; node < domainOfNode.length; node++) {
      if (domainOfNode[node] == NONE) {
        domainOfNode[node] = next++;
      }
    }
    return next;
  }

  /**
   * Builds the tree of the given places.
   *
   * @param places one per DataNode, in any order; nodes of one rack keep their relative order, so a
   *     caller that passes them grouped by rack finds node {@code i} at index {@code i}
   */
  public static ClusterTopology of(List<NodePlace> places) {
    Map<String, List<NodePlace>> racks = new LinkedHashMap<>();
    for (NodePlace place : places) {
      racks.computeIfAbsent(place.rackPath(), ignored -> new ArrayList<>()).add(place);
    }
    return new ClusterTopology(racks, places.size());
  }

  public int nodeCount() {
    return nodeNames.length;
  }

  public int rackCount() {
    return rackPaths.length;
  }

  public String nodeName(int node) {
    return nodeNames[node];
  }

  /** Rack and name of a node, for people. */
  public String placeOf(int node) {
    return rackPath(rackOf(node)) + '/' + nodeName(node);
  }

  public String rackPath(int rack) {
    return rackPaths[rack];
  }

  public int rackOf(int node) {
    return rackOfNode[node];
  }

  /** First node of a rack; {@code firstNode(rackCount())} is the number of nodes. */
  public int firstNode(int rack) {
    return rackStart[rack];
  }

  public int rackSize(int rack) {
    return rackStart[rack + 1] - rackStart[rack];
  }

  /** The rack at a network location, or {@link #NONE}. */
  public int rackAt(String rackPath) {
    return rackIds.getOrDefault(rackPath, NONE);
  }

  /** Whether nodes and racks have the names of another's, in the same order. */
  public boolean hasNamesOf(ClusterTopology other) {
    return this == other
        || Arrays.equals(rackStart, other.rackStart)
            && Arrays.equals(rackPaths, other.rackPaths)
            && Arrays.equals(nodeNames, other.nodeNames);
  }

  /**
   * Fault domain (upgrade domain) of a node, or {@link #NONE} when the operator named none at all.
   * A node left out while others were named is a domain of its own.
   */
  public int domainOf(int node) {
    return domainOfNode[node];
  }

  /**
   * Number of distinct fault domains; 0 when the operator named none and racks are the only ones.
   */
  public int domainCount() {
    return domainCount;
  }

  /**
   * Hops between two nodes through their closest common switch, as HDFS counts them: 0 for the same
   * node, 2 within a rack, 4 between racks below one switch, and so on.
   */
  public int distance(int nodeA, int nodeB) {
    return nodeA == nodeB ? 0 : 2 + rackDistance(rackOfNode[nodeA], rackOfNode[nodeB]);
  }

  /** Whether all racks are joined by one core, so that any two are equally far from one another. */
  public boolean isFlat() {
    return isFlat;
  }

  /** Hops between two top-of-rack switches: 0 for the same rack. */
  public int rackDistance(int rackA, int rackB) {
    if (rackA == rackB) {
      return 0;
    }
    int[] a = switchesAbove[rackA];
    int[] b = switchesAbove[rackB];
    int common = 0;
    while (common < a.length && common < b.length && a[common] == b[common]) {
      common++;
    }
    return a.length + b.length - 2 * common;
  }
}
