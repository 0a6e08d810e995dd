package org.rackweave.cli.testbed.compare;

import java.util.Locale;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.hdfs.Mode;

/** Who decides how many replicas a file has, and in which order readers try them. */
enum ReadsMethod implements Contender {
  /** Three replicas for all files, the nearest first. */
  STOCK(TestbedPolicy.STOCK, Mode.OFF, "stock"),

  /** As many as readers need, the shortest queue of the nearest first. */
  EAFR(TestbedPolicy.EAFR, Mode.ACTIVE, "sinbad");

  private final TestbedPolicy policy;
  private final Mode mode;
  private final String colour;

  ReadsMethod(TestbedPolicy policy, Mode mode, String colour) {
    this.policy = policy;
    this.mode = mode;
    this.colour = colour;
  }

  /** Who places what is copied. */
  TestbedPolicy policy() {
    return policy;
  }

  /** The word that has Rackweave act so in the NameNode. */
  String mode() {
    return mode.name().toLowerCase(Locale.ROOT);
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
