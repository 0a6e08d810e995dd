package org.rackweave.sim.claims;

import java.util.List;
import java.util.function.Supplier;

/** The claims of a paper whose runs are no scenarios of blocks that are written and read. */
public interface ClaimStudy {
  /**
   * Runs what is needed and judges it.
   *
   * @param workers do the runs, as many at a time as they like; the findings do not depend on it
   */
  Findings findings(Plan plan, Workers workers) throws InterruptedException;

  /**
   * How much is run.
   *
   * @param seed of the first run
   * @param runs with seeds one after another
   * @param isQuick whether the runs are so short that they only show that all works
   */
  record Plan(long seed, int runs, boolean isQuick) {}

  /**
   * What came of it.
   *
   * @param charts what belongs on a page beside the claims
   */
  record Findings(List<Claim> claims, List<Chart> charts) {}

  /**
   * Bars side by side.
   *
   * @param unit of the values
   * @param groups names under the axis
   */
  record Chart(String title, String unit, List<String> groups, List<Bars> bars) {}

  /**
   * What is compared.
   *
   * @param values one for each group
   */
  record Bars(String name, double[] values) {}

  /**
   * One run. It sees nothing of the others.
   *
   * @param name for people
   */
  record Task<T>(String name, Supplier<T> run) {}

  /** Those who do the runs. */
  interface Workers {
    /** Does all of them; results in their order. */
    <T> List<T> all(List<Task<T>> tasks) throws InterruptedException;
  }
}
