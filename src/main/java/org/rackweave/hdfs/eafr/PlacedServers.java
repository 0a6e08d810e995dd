package org.rackweave.hdfs.eafr;

import org.rackweave.eafr.RackRule;
import org.rackweave.eafr.ReplicaChoice;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.eafr.ReplicaMoves.SettledBlock;
import org.rackweave.model.ClusterTopology;

/** Servers, and where they are, for one round or plan. */
record PlacedServers(ClusterView cluster, Servers servers) {
  /** Node numbers of a block's servers, {@code null} when one is not known yet. */
  int[] holders(SettledBlock block) {
    int[] holders = block.holders().stream().mapToInt(cluster::numberOf).toArray();
    for (int holder : holders) {
      if (holder == ClusterTopology.NONE) {
        return null;
      }
    }
    return holders;
  }

  /**
   * Chooses among replicas of blocks of a file, within the racks that HDFS allows.
   *
   * @param hotReplicas of the file that stay on hot servers
   * @param reserveBytes left free on a standby server
   */
  ReplicaChoice choice(int hotReplicas, long reserveBytes) {
    return new ReplicaChoice(
        servers, RackRule.hdfsMove(servers.topology()), hotReplicas, reserveBytes);
  }
}
