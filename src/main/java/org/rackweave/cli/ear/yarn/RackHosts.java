package org.rackweave.cli.ear.yarn;

import java.io.IOException;
import java.util.ArrayList;
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

/**
 * Hosts of NodeManagers, by the racks that HDFS has them in, and what is wrong with others.
 *
 * @param byRack racks that jobs can be bound to
 * @param complaints lines for people: hosts and racks left out, and why
 */
record RackHosts(SortedMap<String, SortedSet<String>> byRack, List<String> complaints) {
  private static final int HOSTS_PER_QUESTION = 500;

  /**
   * Asks YARN for its nodes and the NameNode for their racks.
   *
   * @throws IOException when one of them does not answer, or YARN has no node
   */
  static RackHosts of(YarnClient yarn, Question nameNode) throws IOException {
    Map<String, String> yarnRacks = new TreeMap<>();
    try {
      for (NodeReport node : yarn.getNodeReports(NodeState.RUNNING)) {
        yarnRacks.put(node.getNodeId().getHost(), node.getRackName());
      }
    } catch (YarnException e) {
      throw new IOException("YARN does not tell its nodes: " + e.getMessage(), e);
    }
    if (yarnRacks.isEmpty()) {
      throw new IOException("YARN has no NodeManager that runs; use --engine embedded");
    }
    return of(yarnRacks, hdfsRacks(List.copyOf(yarnRacks.keySet()), nameNode));
  }

  private static Map<String, String> hdfsRacks(List<String> hosts, Question nameNode)
      throws IOException {
    Map<String, String> racks = new HashMap<>();
    for (int from = 0; from < hosts.size(); from += HOSTS_PER_QUESTION) {
      List<String> some = hosts.subList(from, Math.min(hosts.size(), from + HOSTS_PER_QUESTION));
      for (String line : nameNode.ask("racks", "hosts=" + String.join(",", some)).split("\n")) {
        int equals = line.indexOf('=');
        if (equals > 0) {
          racks.put(line.substring(0, equals), line.substring(equals + 1));
        }
      }
    }
    return racks;
  }

  /** Compares what both say of hosts. */
  static RackHosts of(Map<String, String> yarnRacks, Map<String, String> hdfsRacks) {
    SortedMap<String, SortedSet<String>> byRack = new TreeMap<>();
    SortedMap<String, String> unbindable = new TreeMap<>();
    List<String> complaints = new ArrayList<>();
    yarnRacks.forEach(
        (host, yarnRack) -> {
          String rack = hdfsRacks.getOrDefault(host, "");
          if (!rack.equals(yarnRack)) {
            complaints.add(
                "NodeManager "
                    + host
                    + " is in rack '"
                    + yarnRack
                    + "' for YARN and in '"
                    + rack
                    + "' for HDFS: it encodes nothing");
          } else if (RackBinding.whyNot(rack).isPresent()) {
            unbindable.putIfAbsent(rack, RackBinding.whyNot(rack).get());
          } else {
            byRack.computeIfAbsent(rack, one -> new TreeSet<>()).add(host);
          }
        });
    unbindable.values().forEach(why -> complaints.add(why + "; DataNodes encode its stripes"));
    return new RackHosts(byRack, complaints);
  }
}
