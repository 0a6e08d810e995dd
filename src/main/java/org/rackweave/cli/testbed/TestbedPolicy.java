package org.rackweave.cli.testbed;

import java.util.Locale;
import org.rackweave.cli.demo.cluster.RackweaveWiring;

/** Who places blocks on a testbed. */
public enum TestbedPolicy {
  STOCK("org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault"),
  SINBAD(RackweaveWiring.SINBAD_POLICY);

  private final String className;

  TestbedPolicy(String className) {
    this.className = className;
  }

  /** As written on the command line and in figures. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The value of {@code dfs.block.replicator.classname}. */
  public String className() {
    return className;
  }
}
