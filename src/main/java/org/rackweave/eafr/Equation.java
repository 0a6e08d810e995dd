package org.rackweave.eafr;

/** The inequality of the paper that a decision follows from, or a rule without a number there. */
public enum Equation {
  EQ2("v/r > tau_u"),
  EQ3("share of replicas with v_ij > sigma_u > gamma_v"),
  EQ4_AND_5("v/r < tau_l, and share of replicas with v_ij < sigma_l > gamma_v"),
  EQ6("share of overloaded servers > gamma_s"),
  EQ8("free space < tau_s"),
  /** Not from the paper: the file gets back the factor it had before. */
  OWN_FACTOR("back to its own factor"),
  /** Not from the paper: a server sleeps whenever it can. */
  NAMED("named by the operator as one that sleeps"),
  /** Section 3.2.1: a server looks at its files again once in a while. */
  VERIFY("time asleep >= verify interval"),
  /** Section 3.2.1: not many updates wait for a server. */
  LATE_UPDATES("more late updates than are kept"),
  /** Algorithm 4, line 7: a block has no replica that is awake. */
  NO_REPLICA("a block has no replica that is awake"),
  /** Not from the paper: roles follow the load. */
  BUSY("reads of servers that serve > 70 % of their places"),
  /** Not from the paper: roles follow the load. */
  CALM("reads of servers that serve <= 50 % of their places without it");

  private final String text;

  Equation(String text) {
    this.text = text;
  }

  /** The inequality in the paper's letters. */
  public String text() {
    return text;
  }
}
