package org.rackweave.sim.claims;

import java.util.stream.Stream;

/**
 * What a paper's claims are measured by.
 *
 * @param <R> what was seen: results of scenarios, or of a study's runs
 */
interface Metrics<R> {
  /**
   * Of what a figure is. What is not said is empty.
   *
   * @param of a policy or a system
   * @param in a scenario or a load
   * @param with a variation of the scenario
   */
  record Target(String of, String in, String with) {

    /** This one but for what is said of another. */
    Target or(Target other) {
      return new Target(
          other.of.isEmpty() ? of : other.of,
          other.in.isEmpty() ? in : other.in,
          other.with.isEmpty() ? with : other.with);
    }

    /** A text with the names in the place of {@code {of}}, {@code {in}} and {@code {with}}. */
    String fillIn(String text) {
      return text.replace("{of}", of).replace("{in}", in).replace("{with}", with);
    }
  }

  /**
   * The values of a metric, seed by seed; a single one where it is of all seeds together.
   *
   * @throws IllegalArgumentException if there is no such metric
   */
  double[] of(R seen, String metric, Target target);

  /** The targets that one stands for, for instance all variations of a scenario. */
  Stream<Target> all(R seen, Target target);
}
