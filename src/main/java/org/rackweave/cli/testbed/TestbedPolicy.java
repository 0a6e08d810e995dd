package org.rackweave.cli.testbed;

import java.util.Locale;
import org.rackweave.hdfs.namenode.PolicyAdvice;

/** Who places blocks on a testbed. */
public enum TestbedPolicy {
  STOCK("org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault"),

  /** All features at once. */
  RACKWEAVE(PolicyAdvice.RACKWEAVE),

  /** Places by the network. */
  SINBAD(PolicyAdvice.SINBAD),

  /** Places for stripes what has a code, everything else as stock does. */
  EAR(PolicyAdvice.EAR),

  /** Places as stock does, and has lost replicas made again by Dayu. */
  DAYU(PolicyAdvice.DAYU),

  /** Places new files as stock does, and replicas of files that follow their readers. */
  EAFR(PolicyAdvice.EAFR);

  private final String className;

  TestbedPolicy(String className) {
    this.className = className;
  }

  /** As written on the command line and in the name of its site file. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value of {@code dfs.block.replicator.classname}. */
  public String className() {
    return className;
  }
}
