package org.rackweave.eafr;

/**
 * A file, its replicas and what holds for it.
 *
 * @param factor the paper's r_i, at least 1
 * @param holders for each live replica of each block its server; do not modify
 * @param missing replicas that HDFS still owes its blocks; those that sleep are not missing
 */
public record FileState(
    long fileId,
    int factor,
    int[] holders,
    long missing,
    FileShape shape,
    FileHistory history,
    FileRule rule) {
  /** A file of which no replica sleeps. */
  public FileState(
      long fileId, int factor, int[] holders, FileShape shape, FileHistory history, FileRule rule) {
    this(
        fileId,
        factor,
        holders,
        Math.max(0, (long) factor * shape.blocks() - holders.length),
        shape,
        history,
        rule);
  }

  /** The factor below which this file does not fall. */
  public int floor() {
    return rule.floor(history.ownFactor());
  }

  /** Whether, on average over its blocks, more than epsilon replicas are on hot servers. */
  public boolean hasHotReplicasToSpare(Servers servers) {
    return hotReplicas(servers) > (long) rule.hotReplicas() * shape.blocks();
  }

  /** Hot servers without a replica, on average over its blocks, rounded down. */
  int hotServersToSpare(Servers servers) {
    int blocks = Math.max(1, shape.blocks());
    long without = (long) servers.hotServers() * blocks - hotReplicas(servers);
    return (int) Math.floorDiv(without, (long) blocks);
  }

  private long hotReplicas(Servers servers) {
    long hot = 0;
    for (int server : holders) {
      hot += servers.isLive(server, ServerRole.HOT) ? 1 : 0;
    }
    return hot;
  }

  /** Whether there are as many live replicas as its factor says, on average over its blocks. */
  boolean isAwake() {
    return holders.length >= (long) factor * shape.blocks();
  }
}
