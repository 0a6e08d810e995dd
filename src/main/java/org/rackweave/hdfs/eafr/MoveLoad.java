package org.rackweave.hdfs.eafr;

import org.rackweave.hdfs.eafr.ReplicaMoves.Move;
import org.rackweave.model.ClusterTopology;

/** Moves under way of each server, in one round: none gives or takes more than HDFS lets it. */
final class MoveLoad {
  private final int giveMax;
  private final int takeMax;
  private final int[] giving;
  private final int[] taking;

  /**
   * @param giveMax copies a server makes at a time
   * @param takeMax copies a server takes at a time
   */
  MoveLoad(int giveMax, int takeMax, PlacedServers placed, Iterable<Move> underWay) {
    this.giveMax = Math.max(1, giveMax);
    this.takeMax = Math.max(1, takeMax);
    int nodes = placed.servers().topology().nodeCount();
    giving = new int[nodes];
    taking = new int[nodes];
    for (Move move : underWay) {
      int from = placed.cluster().numberOf(move.source());
      int to = placed.cluster().numberOf(move.target());
      if (from != ClusterTopology.NONE && to != ClusterTopology.NONE) {
        add(from, to);
      }
    }
  }

  void add(int from, int to) {
    giving[from]++;
    taking[to]++;
  }

  boolean mayGive(int node) {
    return giving[node] < giveMax;
  }

  boolean mayTake(int node) {
    return taking[node] < takeMax;
  }
}
