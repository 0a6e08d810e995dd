package org.rackweave.hdfs.ear;

import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * Which replica the placement policy is to keep of the block that HDFS is shedding replicas of in
 * this thread. HDFS asks the policy without saying which block it is about.
 */
public final class KeptReplica implements AutoCloseable {
  private static final ThreadLocal<DatanodeDescriptor> KEPT = new ThreadLocal<>();

  private KeptReplica() {}

  /** Until closed, this one is kept. */
  public static KeptReplica on(DatanodeDescriptor datanode) {
    KEPT.set(datanode);
    return new KeptReplica();
  }

  /** The DataNode whose replica stays, {@code null} when HDFS is to choose. */
  public static DatanodeDescriptor current() {
    return KEPT.get();
  }

  @Override
  public void close() {
    KEPT.remove();
  }
}
