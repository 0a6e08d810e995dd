package org.rackweave.cli.testbed.compare;

import org.rackweave.cli.experiment.Contender;

/** A method beside itself: with other settings than those that were asked for first. */
record Retuned(Contender method, Tuning tuning) implements Contender {

  /** The method of a contender, whatever its settings. */
  static Contender methodOf(Contender contender) {
    return contender instanceof Retuned retuned ? retuned.method() : contender;
  }

  @Override
  public String label() {
    return method.label() + "-" + tuning.label();
  }

  @Override
  public String colour() {
    return method.colour().equals("sinbad") ? "sixth" : "seventh";
  }
}
