package org.rackweave.cli.experiment;

/** Who runs the cluster where all features are compared with none. */
public enum Side implements Contender {
  STOCK,
  RACKWEAVE;

  @Override
  public String label() {
    return this == STOCK ? "stock" : "rackweave";
  }

  @Override
  public String colour() {
    return this == STOCK ? "stock" : "sinbad";
  }
}
