package org.rackweave.sim.claims;

import java.util.List;
import java.util.Map;
import org.rackweave.sim.report.ScenarioResult;

/** The claims of one paper. */
public interface ClaimSet {
  /** Names of the scenarios whose results are needed. */
  List<String> scenarios();

  /**
   * Judges what was seen. The rows of a quick run come from those scenarios only that it ran.
   *
   * @param results by name of the scenario
   */
  List<Claim> judge(Map<String, ScenarioResult> results);
}
