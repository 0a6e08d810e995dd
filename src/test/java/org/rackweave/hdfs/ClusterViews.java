package org.rackweave.hdfs;

import java.util.Map;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.rackweave.model.ClusterTopology;
import org.rackweave.telemetry.LinkLedger;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.NetworkSettings;

/** Views of clusters that tests make up. */
public final class ClusterViews {
  private static final long STALE_MS = 30_000;

  private ClusterViews() {}

  /** DataNodes of whose links nothing is known. */
  public static ClusterView of(
      ClusterTopology topology, DatanodeDescriptor[] datanodes, Map<Node, Integer> numbers) {
    return of(topology, datanodes, numbers, STALE_MS);
  }

  /** The same, stale when they have been silent for so long. */
  public static ClusterView of(
      ClusterTopology topology,
      DatanodeDescriptor[] datanodes,
      Map<Node, Integer> numbers,
      long staleMs) {
    NetworkSettings network = new NetworkSettings(0, 1, 1e9, 1000, 1);
    LinkSnapshot links = new LinkSnapshot.Builder(topology, network, 0).build();
    return new ClusterView(new LinkLedger(links, null), datanodes, numbers, staleMs);
  }

  /** DataNodes with these links. */
  public static ClusterView of(
      LinkSnapshot links, DatanodeDescriptor[] datanodes, Map<Node, Integer> numbers) {
    return new ClusterView(new LinkLedger(links, null), datanodes, numbers, STALE_MS);
  }

  /** The same DataNodes with these links. */
  public static ClusterView with(ClusterView cluster, LinkSnapshot links) {
    return of(links, cluster.datanodes(), cluster.numbers());
  }
}
