package org.rackweave.sim.workload;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.rackweave.model.ClusterTopology;

/**
 * Which node a client's address belongs to. A host may run several DataNodes; its clients then take
 * turns by the number of the request, so that the same log gives the same nodes.
 */
public final class KnownClients {

  /** Addresses that differ in the last digit only shall not lie side by side (the golden ratio). */
  private static final int SPREAD = 0x9e3779b1;

  private final Map<String, List<Integer>> nodesByAddress = new HashMap<>();

  /** Clients whose address is not known are spread over so many nodes; 0 leaves them outside. */
  private int othersOver;

  private KnownClients() {}

  /** Knows nobody: every client is outside. */
  public static KnownClients none() {
    return new KnownClients();
  }

  /**
   * Knows the nodes of a printed topology by IP address and by host name.
   *
   * @param topology that of {@code printed}, whose indices are given
   */
  public static KnownClients of(PrintedTopology printed, ClusterTopology topology) {
    Map<String, Integer> indices = new HashMap<>();
    for (int node = 0; node < topology.nodeCount(); node++) {
      indices.put(topology.nodeName(node), node);
    }
    KnownClients known = new KnownClients();
    for (PrintedTopology.Node node : printed.nodes()) {
      Integer index = indices.get(node.name());
      if (index != null) {
        known.add(node.ipAddress(), index);
        if (!node.hostName().isEmpty() && !node.hostName().equals(node.ipAddress())) {
          known.add(node.hostName(), index);
        }
      }
    }
    return known;
  }

  /**
   * The same, with every other client given a node that depends on its address only: for a log of
   * another cluster than the simulated one.
   */
  public KnownClients spreadOver(ClusterTopology topology) {
    KnownClients spread = new KnownClients();
    spread.nodesByAddress.putAll(nodesByAddress);
    spread.othersOver = topology.nodeCount();
    return spread;
  }

  private void add(String address, int node) {
    nodesByAddress
        .computeIfAbsent(address.toLowerCase(Locale.ROOT), ignored -> new ArrayList<>())
        .add(node);
  }

  /**
   * The node of a client, or {@link TimedRequest#OUTSIDE}.
   *
   * @param address IP address or host name
   * @param request number that decides between several nodes of one host
   */
  int nodeOf(String address, long request) {
    String key = address.toLowerCase(Locale.ROOT);
    List<Integer> nodes = nodesByAddress.get(key);
    if (nodes != null) {
      return nodes.get((int) Math.floorMod(request, (long) nodes.size()));
    }
    return othersOver == 0
        ? TimedRequest.OUTSIDE
        : Math.floorMod(key.hashCode() * SPREAD, othersOver);
  }
}
