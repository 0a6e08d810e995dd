package org.rackweave.sim.workload;

/**
 * Something that reaches the simulated cluster at a given moment, whatever the cluster is doing.
 *
 * <p>Times count from the start of the simulation. Nodes are indices of the topology the workload
 * was built for, or {@link #OUTSIDE} for a client that is no DataNode. Files are numbers that stay
 * the same through renames and are never used again.
 */
public sealed interface TimedRequest {

  /** Stands for a node where a client reads or writes from outside the cluster. */
  int OUTSIDE = -1;

  /** When it arrives, in nanoseconds since the start of the simulation; never negative. */
  long atNanos();

  /**
   * A client begins to write a new file, block after block.
   *
   * @param writer node of the client, or {@link #OUTSIDE}
   * @param file number of the new file
   * @param sizeBytes length of the file, at least 0, or {@link #ENDLESS}
   * @param blockBytes its preferred block size; the last block is as short as it comes
   * @param replication replicas of every block, at least 1
   */
  record Write(
      long atNanos, int writer, long file, long sizeBytes, long blockBytes, int replication)
      implements TimedRequest {

    /** Length of a file that is written until the run ends. */
    public static final long ENDLESS = 1L << 62;

    /** Number of blocks of the file; an empty file has none. */
    public long blocks() {
      return (sizeBytes + blockBytes - 1) / blockBytes;
    }
  }

  /** A client begins to read a file from its beginning to its end. */
  record Read(long atNanos, int reader, long file) implements TimedRequest {}

  /** A file goes, with all its replicas. */
  record Delete(long atNanos, long file) implements TimedRequest {}

  /** A file gets another replication factor. */
  record SetReplication(long atNanos, long file, int replication) implements TimedRequest {}

  /** Files change their path. Bytes and numbers stay; it only costs the NameNode an operation. */
  record Rename(long atNanos, long files) implements TimedRequest {}

  /**
   * Bytes go from one node to another that nobody may redirect: background traffic.
   *
   * @param from sending node
   * @param to receiving node, another one
   * @param sizeBytes at least 1
   * @param group transfers of one job share a number, for instance the coflow's
   */
  record Transfer(long atNanos, int from, int to, long sizeBytes, long group)
      implements TimedRequest {}

  /**
   * From now on a node's own work takes this much of its link, until the next one for the node.
   *
   * @param inBytesPerSec of the direction into the node
   * @param outBytesPerSec of the direction out of the node
   */
  record NodeLoad(long atNanos, int node, double inBytesPerSec, double outBytesPerSec)
      implements TimedRequest {}
}
