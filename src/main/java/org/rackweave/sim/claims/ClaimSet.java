package org.rackweave.sim.claims;

import java.util.List;
import java.util.Map;
import org.rackweave.sim.report.ScenarioResult;

/** The claims of one paper. */
public interface ClaimSet {
  /** Names of the scenarios whose results are needed. */
  List<String> scenarios();

  /**
   * Judges what was seen.
   *
   * @param results by name of the scenario, at least of all that are needed
   */
  List<Claim> judge(Map<String, ScenarioResult> results);
}
