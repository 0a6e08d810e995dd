package org.rackweave.cli.ear.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.NodeReport;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.rackweave.model.Parts;

/**
 * Hosts of NodeManagers, by the racks that HDFS has them in, and what is wrong with others.
 *
 * @param byRack racks that jobs can be bound to
 * @param complaints lines for people: hosts and racks left out, and why
 */
record RackHosts(SortedMap<String, SortedSet<String>> byRack, List<String> complaints) {
  private static final int COMPLAINTS_MAX = 5;
  private static final int HOSTS_PER_QUESTION = 500;

  /**
   * Asks YARN for its nodes and the NameNode for their racks.
   *
   * @throws IOException when one of them does not answer, or YARN has no node
   */
  static RackHosts of(YarnClient yarn, NameNodeQuery nameNode) throws IOException {
    Map<String, String> yarnRacks = new TreeMap<>();
    try {
      for (NodeReport node : yarn.getNodeReports(NodeState.RUNNING)) {
        yarnRacks.put(node.getNodeId().getHost(), node.getRackName());
      }
    } catch (YarnException e) {
      throw new IOException("YARN does not list its nodes: " + e.getMessage(), e);
    }
    if (yarnRacks.isEmpty()) {
      throw new IOException("YARN has no NodeManager that runs; use --engine embedded");
    }
    return of(yarnRacks, hdfsRacks(List.copyOf(yarnRacks.keySet()), nameNode));
  }

  private static Map<String, String> hdfsRacks(List<String> hosts, NameNodeQuery nameNode)
      throws IOException {
    Map<String, String> racks = new HashMap<>();
    for (List<String> some : Parts.of(hosts, HOSTS_PER_QUESTION)) {
      nameNode
          .ask("racks", "hosts=" + String.join(",", some))
          .path("racks")
          .fields()
          .forEachRemaining(host -> racks.put(host.getKey(), host.getValue().asText()));
    }
    return racks;
  }

  /** Compares what both say of hosts. */
  static RackHosts of(Map<String, String> yarnRacks, Map<String, String> hdfsRacks) {
    SortedMap<String, SortedSet<String>> byRack = new TreeMap<>();
    SortedSet<String> unbindable = new TreeSet<>();
    List<String> elsewhere = new ArrayList<>();
    yarnRacks.forEach(
        (host, yarnRack) -> {
          String rack = hdfsRacks.getOrDefault(host, "");
          if (!rack.equals(yarnRack)) {
            elsewhere.add(
                "NodeManager "
                    + host
                    + " is in rack '"
                    + yarnRack
                    + "' for YARN and in '"
                    + rack
                    + "' for HDFS: it encodes nothing");
          } else if (RackBinding.whyNot(rack).isPresent()) {
            unbindable.add(RackBinding.whyNot(rack).get() + "; DataNodes encode its stripes");
          } else {
            byRack.computeIfAbsent(rack, one -> new TreeSet<>()).add(host);
          }
        });
    List<String> complaints = new ArrayList<>(few(elsewhere));
    complaints.addAll(few(unbindable));
    return new RackHosts(byRack, complaints);
  }

  /** What is wrong with all of a large cluster need not be said of each. */
  private static List<String> few(Collection<String> complaints) {
    List<String> few = new ArrayList<>(complaints.stream().limit(COMPLAINTS_MAX).toList());
    if (complaints.size() > COMPLAINTS_MAX) {
      few.add("and so of " + (complaints.size() - COMPLAINTS_MAX) + " more");
    }
    return few;
  }
}
