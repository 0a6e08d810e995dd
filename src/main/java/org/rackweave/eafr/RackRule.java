package org.rackweave.eafr;

import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;

/** The host system's rule about a block's racks, asked before one of its replicas goes or moves. */
@FunctionalInterface
public interface RackRule {
  /**
   * Whether a block may have its replicas on other servers than now.
   *
   * @param before its servers; do not modify
   * @param after those it would have; do not modify
   */
  boolean allows(int[] before, int[] after);

  /**
   * Stock HDFS's: two racks for two replicas or more. A block that stands in one rack already may
   * stay there.
   */
  static RackRule hdfs(ClusterTopology topology) {
    return (before, after) ->
        racks(topology, after) >= Math.min(Math.min(2, after.length), racks(topology, before));
  }

  /**
   * Stock HDFS's for a replica that moves, which is stricter: never fewer racks than before. It
   * does not delete the old replica otherwise.
   */
  static RackRule hdfsMove(ClusterTopology topology) {
    return (before, after) -> racks(topology, after) >= racks(topology, before);
  }

  private static int racks(ClusterTopology topology, int[] nodes) {
    return (int) IntStream.of(nodes).map(topology::rackOf).distinct().count();
  }
}
