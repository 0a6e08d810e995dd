package org.rackweave.cli.demo;

import java.util.Locale;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.hdfs.namenode.PolicyAdvice;

/** Who places the blocks of a round. */
public enum Placement implements Contender {
  STOCK(null),
  SINBAD(PolicyAdvice.SINBAD);

  private final String policyClass;

  Placement(String policyClass) {
    this.policyClass = policyClass;
  }

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The class name to configure, null for stock. */
  public String policyClass() {
    return policyClass;
  }
}
