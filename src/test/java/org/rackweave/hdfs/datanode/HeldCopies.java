package org.rackweave.hdfs.datanode;

/** What the agents of all DataNodes of this process hold to rates. */
public final class HeldCopies {
  private HeldCopies() {}

  public static long now() {
    return AgentMetrics.ofThisProcess().copiesHeld();
  }
}
