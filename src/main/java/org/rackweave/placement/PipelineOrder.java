package org.rackweave.placement;

import org.rackweave.model.ClusterTopology;

/**
 * Order of the DataNodes in a write pipeline: from the writer always to the closest node not yet
 * visited, as HDFS does.
 */
public final class PipelineOrder {
  private PipelineOrder() {}

  /**
   * Orders {@code nodes} in place.
   *
   * @param writer node the bytes come from, {@link ClusterTopology#NONE} to start at the first node
   */
  public static void arrange(ClusterTopology topology, int writer, int[] nodes) {
    int at = writer == ClusterTopology.NONE && nodes.length > 0 ? nodes[0] : writer;
    for (int i = 0; i < nodes.length; i++) {
      int closest = i;
      int shortest = topology.distance(at, nodes[i]);
      for (int j = i + 1; j < nodes.length; j++) {
        int distance = topology.distance(at, nodes[j]);
        if (distance < shortest) {
          closest = j;
          shortest = distance;
        }
      }
      at = nodes[closest];
      nodes[closest] = nodes[i];
      nodes[i] = at;
    }
  }
}
