package org.rackweave.cli.testbed.compare;

import java.util.Locale;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.testbed.TestbedPolicy;

/** How replicated files become erasure-coded. */
enum EncodeMethod implements Contender {
  /**
   * What HDFS-RAID does, the paper's RR: stock placement, stripes of blocks that have nothing to do
   * with one another, encoded at any node.
   */
  RR(TestbedPolicy.STOCK, "stock"),

  /** {@code hdfs dfs -cp} into a directory with one of HDFS's own policies. */
  CP(TestbedPolicy.STOCK, "third"),

  /** Placed for it, and encoded where they are by Rackweave. */
  EAR(TestbedPolicy.EAR, "sinbad");

  private final TestbedPolicy policy;
  private final String colour;

  EncodeMethod(TestbedPolicy policy, String colour) {
    this.policy = policy;
    this.colour = colour;
  }

  /** Who places the files. */
  TestbedPolicy policy() {
    return policy;
  }

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String colour() {
    return colour;
  }
}
