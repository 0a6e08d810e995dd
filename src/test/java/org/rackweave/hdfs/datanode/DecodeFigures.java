package org.rackweave.hdfs.datanode;

/** What the agents of this process have counted; metrics systems come and go with clusters. */
public final class DecodeFigures {
  private DecodeFigures() {}

  /** Reads of stripes that were not what was encoded. */
  public static long disproved() {
    return AgentMetrics.ofThisProcess().disprovedCount();
  }

  /** Ranges of missing blocks decoded for clients. */
  public static long rangesDecoded() {
    return AgentMetrics.ofThisProcess().rangesDecodedCount();
  }

  /** Ranges that were read of a replica instead. */
  public static long replicaRangesSent() {
    return AgentMetrics.ofThisProcess().replicaRangesSentCount();
  }
}
