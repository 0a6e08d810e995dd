package org.rackweave.eafr;

import org.rackweave.model.Require;

/**
 * How far the factor of a file may go.
 *
 * @param minReplicas the paper's r, below which no file falls, more than epsilon; {@link
 *     #OWN_FACTOR} where files keep what their users gave them
 * @param hotReplicas replicas that stay on hot servers, the paper's epsilon, at least 1
 * @param maxReplicas factor above which none is raised, at least r and 1
 */
public record FileRule(int minReplicas, int hotReplicas, int maxReplicas) {
  /** In place of r. */
  public static final int OWN_FACTOR = 0;

  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public FileRule {
    Require.atLeast("hot", hotReplicas, 1);
    Require.that(
        minReplicas == OWN_FACTOR || minReplicas > hotReplicas,
        "min",
        minReplicas,
        "more than hot, " + hotReplicas + ", or " + OWN_FACTOR + " for a file's own factor");
    Require.atLeast("max", maxReplicas, Math.max(1, minReplicas));
  }

  /** How many replicas, for people. */
  public String inWords() {
    return (minReplicas == OWN_FACTOR ? "from the file's own factor" : "from " + minReplicas)
        + " to "
        + maxReplicas;
  }

  /** The factor a file does not fall below: r, or its own where that is less. */
  public int floor(int ownFactor) {
    return minReplicas == OWN_FACTOR ? ownFactor : Math.min(minReplicas, ownFactor);
  }
}
