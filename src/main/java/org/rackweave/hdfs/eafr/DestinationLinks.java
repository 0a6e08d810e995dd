package org.rackweave.hdfs.eafr;

import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;

/** What DataNodes' agents have measured of the links into them. Not thread-safe. */
final class DestinationLinks {
  private final long staleMs;
  private Map<String, Integer> numbers = Map.of();
  private DatanodeDescriptor[] datanodes = {};
  private LinkSnapshot links;

  /**
   * What is known of a destination's link.
   *
   * @param capacity bytes a second
   * @param used of these
   * @param measuredMs when its agent measured that
   */
  record Link(double capacity, double used, long measuredMs) {
    double free() {
      return Math.max(0, capacity - used);
    }
  }

  /**
   * @param staleMs how long an agent's report counts
   */
  DestinationLinks(long staleMs) {
    this.staleMs = staleMs;
  }

  /** Follows the cluster. */
  void look(ClusterView cluster) {
    if (cluster.datanodes() != datanodes) {
      datanodes = cluster.datanodes();
      numbers = new HashMap<>();
      for (int node = 0; node < datanodes.length; node++) {
        numbers.put(datanodes[node].getDatanodeUuid(), node);
      }
    }
    links = cluster.links();
  }

  boolean isKnown(String datanodeUuid) {
    return numbers.containsKey(datanodeUuid);
  }

  /** What is known of a link that its agent measures, {@code null} of another. */
  Link of(String datanodeUuid, long nowMs) {
    Integer node = numbers.get(datanodeUuid);
    if (node == null
        || links == null
        || nowMs - links.takenAtMs() > staleMs
        || links.source(node) != LinkSource.MEASURED
        || links.hostCapacity(node) <= 0) {
      return null;
    }
    return new Link(links.hostCapacity(node), links.hostRx(node), links.sampledAtMs(node));
  }
}
