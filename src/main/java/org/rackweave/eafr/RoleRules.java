package org.rackweave.eafr;

import org.rackweave.model.Require;

/**
 * When servers change their roles.
 *
 * @param reserveBytes free space below which a standby server is full, the paper's tau_s, at least
 *     0
 * @param verifyIntervalMs how long a server sleeps at a time, positive; a week in section 3.2.1
 * @param verifiesMax most servers awake at a time only to verify, at least 1
 * @param coldMax most servers asleep at a time, at least 0
 * @param followReads whether as many serve as reads need, which the paper's roles do not look at
 */
public record RoleRules(
    long reserveBytes, long verifyIntervalMs, int verifiesMax, int coldMax, boolean followReads) {
  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public RoleRules {
    Require.atLeast("tau_s", reserveBytes, 0);
    Require.atLeast("verify interval in ms", verifyIntervalMs, 1);
    Require.atLeast("most servers verifying", verifiesMax, 1);
    Require.atLeast("most cold servers", coldMax, 0);
  }
}
