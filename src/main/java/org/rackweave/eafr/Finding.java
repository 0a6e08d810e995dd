package org.rackweave.eafr;

import java.util.Locale;

/**
 * Which inequality holds, and by how much.
 *
 * @param value its left side; of two, that of the first
 * @param bound its right side
 */
public record Finding(Equation equation, double value, double bound) {
  /** For people: the inequality and its numbers. */
  public String describe() {
    return String.format(
        Locale.ROOT, "%s: %s (%.4g against %.4g)", equation, equation.text(), value, bound);
  }
}
