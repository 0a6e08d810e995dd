package org.rackweave.sim.claims;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.rackweave.sim.report.Improvement;
import org.rackweave.sim.report.PolicyFigures;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.run.PolicyRecord;

/** Claims that are judged by policies in scenarios. */
final class ScenarioClaims implements ClaimSet, Metrics<Map<String, ScenarioResult>> {
  /** The scenario as it is written. */
  private static final String AS_WRITTEN = "as written";

  /** The scenario as it is written, and with each variation. */
  private static final String ALL = "all";

  /** The scenario with each variation, or as it is written if it has none. */
  private static final String VARIED = "varied";

  /** Each policy of the scenario. */
  private static final String EVERY = "every";

  /** Its first policy. */
  private static final String BASELINE = "baseline";

  /** A figure, seed by seed or of all seeds together. */
  interface Metric {
    /**
     * @param policy a name; what else it may be, the metric says
     */
    double[] of(ScenarioResult result, String policy);

    /** Of each run's record. */
    static Metric ofRecord(ToDoubleFunction<PolicyRecord> figure) {
      return (result, policy) -> result.of(policy).stream().mapToDouble(figure).toArray();
    }

    static Metric ofFigures(ToDoubleFunction<PolicyFigures> figure) {
      return ofRecord(record -> figure.applyAsDouble(PolicyFigures.of(record)));
    }

    /** Of each run beside the baseline's. */
    static Metric ofImprovement(ToDoubleFunction<Improvement> figure) {
      return (result, policy) -> result.improvements(policy).stream().mapToDouble(figure).toArray();
    }
  }

  private final List<String> scenarios;
  private final List<ClaimRule> rules;
  private final Map<String, Metric> metrics;

  /**
   * @param paper the file of the claims
   */
  ScenarioClaims(String paper, List<String> scenarios, Map<String, Metric> metrics) {
    this.scenarios = scenarios;
    this.metrics = metrics;
    rules = ClaimRule.of(paper);
  }

  @Override
  public List<String> scenarios() {
    return scenarios;
  }

  List<ClaimRule> rules() {
    return rules;
  }

  @Override
  public List<Claim> judge(Map<String, ScenarioResult> results) {
    return ClaimRule.judge(rules, results, this);
  }

  @Override
  public double[] of(Map<String, ScenarioResult> seen, String metric, Target target) {
    Metric found = metrics.get(metric);
    if (found == null) {
      throw new IllegalArgumentException("no metric " + metric);
    }
    ScenarioResult result = seen.get(target.in());
    String policy = target.of().equals(BASELINE) ? result.baseline() : target.of();
    return found.of(with(result, target.with()), policy);
  }

  private static ScenarioResult with(ScenarioResult result, String variation) {
    ScenarioResult varied = result.cases().get(variation);
    if (varied == null && !variation.isEmpty() && !variation.equals(AS_WRITTEN)) {
      throw new IllegalArgumentException(result.scenario().name() + " has no " + variation);
    }
    return varied == null ? result : varied;
  }

  @Override
  public Stream<Target> all(Map<String, ScenarioResult> seen, Target target) {
    ScenarioResult result = seen.get(target.in());
    boolean isVaried = !result.cases().isEmpty();
    Stream<String> variations =
        switch (target.with()) {
          case ALL -> Stream.concat(Stream.of(AS_WRITTEN), result.cases().keySet().stream());
          case VARIED -> isVaried ? result.cases().keySet().stream() : Stream.of(AS_WRITTEN);
          default -> Stream.of(target.with());
        };
    List<String> policies = target.of().equals(EVERY) ? result.policies() : List.of(target.of());
    return variations.flatMap(
        with -> policies.stream().map(of -> new Target(of, target.in(), with)));
  }
}
