package org.rackweave.eafr;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One change of a plan.
 *
 * @param toFactor the same as before where a replica migrates
 * @param because the inequalities that hold
 */
public record FileChange(
    long fileId, Action action, int fromFactor, int toFactor, List<Finding> because) {

  /** For people. */
  public String describe() {
    return because.stream()
        .map(Finding::describe)
        .collect(
            Collectors.joining(
                ", ", action + " file " + fileId + ' ' + fromFactor + "->" + toFactor + ": ", ""));
  }
}
