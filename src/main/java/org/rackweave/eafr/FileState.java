package org.rackweave.eafr;

/**
 * A file, its replicas and what holds for it.
 *
 * @param factor the paper's r_i, at least 1
 * @param holders for each live replica of each block its server; do not modify
 */
public record FileState(
    long fileId, int factor, int[] holders, FileShape shape, FileHistory history, FileRule rule) {

  /** The factor below which this file does not fall. */
  public int floor() {
    return rule.floor(history.ownFactor());
  }

  /** Whether, on average over its blocks, more than epsilon replicas are on hot servers. */
  public boolean hasHotReplicasToSpare(Servers servers) {
    return hotReplicas(servers) > (long) rule.hotReplicas() * shape.blocks();
  }

  /** Whether, on average over its blocks, there is a hot server without a replica. */
  boolean hasHotServerToSpare(Servers servers) {
    return hotReplicas(servers) <= (servers.hotServers() - 1L) * shape.blocks();
  }

  private long hotReplicas(Servers servers) {
    long hot = 0;
    for (int server : holders) {
      hot += servers.isLive(server, ServerRole.HOT) ? 1 : 0;
    }
    return hot;
  }

  /** Whether HDFS still owes it replicas. */
  boolean isUnderReplicated() {
    return holders.length < (long) factor * shape.blocks();
  }
}
