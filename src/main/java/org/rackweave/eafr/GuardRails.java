package org.rackweave.eafr;

import org.rackweave.model.Require;

/**
 * What keeps changes few and bounded.
 *
 * @param isOn false stops every change (the kill switch)
 * @param minAgeMs how long ago a file was last written before it loses replicas, or they are moved,
 *     at least 0
 * @param dwellMs how long a replica that was added stays, at least 0
 * @param coolDownMs time between two changes of a file, at least 0
 * @param raiseAgainMs the same between two replicas that it gets, in which the first can take load;
 *     at least 0
 * @param budgetBytes most bytes in replicas beyond the files' own factors, at least 0
 * @param inFlightMax most blocks being copied, those that HDFS has to copy anyway among them, at
 *     least 0
 * @param changesMax most changes in one plan, at least 1
 * @param replicasAtOnce most replicas that a file gets in one change, at least 1, which is the
 *     paper's
 */
public record GuardRails(
    boolean isOn,
    long minAgeMs,
    long dwellMs,
    long coolDownMs,
    long raiseAgainMs,
    long budgetBytes,
    int inFlightMax,
    int changesMax,
    int replicasAtOnce) {

  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public GuardRails {
    Require.atLeast("minimum age in ms", minAgeMs, 0);
    Require.atLeast("dwell in ms", dwellMs, 0);
    Require.atLeast("cool-down in ms", coolDownMs, 0);
    Require.atLeast("time between two replicas in ms", raiseAgainMs, 0);
    Require.atLeast("storage budget in bytes", budgetBytes, 0);
    Require.atLeast("most blocks in flight", inFlightMax, 0);
    Require.atLeast("most changes", changesMax, 1);
    Require.atLeast("most replicas at once", replicasAtOnce, 1);
  }

  /** The same for one plan. */
  public GuardRails of(boolean isOn, int changesMax) {
    return new GuardRails(
        isOn,
        minAgeMs,
        dwellMs,
        coolDownMs,
        raiseAgainMs,
        budgetBytes,
        inFlightMax,
        changesMax,
        replicasAtOnce);
  }
}
