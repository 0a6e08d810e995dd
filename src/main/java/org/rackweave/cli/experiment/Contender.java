package org.rackweave.cli.experiment;

/** Who takes turns in a comparison. */
public interface Contender {

  /** As written on the command line, in tables and in figures. */
  String label();

  /** The colour of its bars and lines, one of {@link org.rackweave.chart.Page}'s. */
  default String colour() {
    return label();
  }
}
