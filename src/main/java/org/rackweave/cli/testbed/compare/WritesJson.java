package org.rackweave.cli.testbed.compare;

import static org.rackweave.cli.experiment.FiguresJson.put;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.Spread;
import org.rackweave.cli.testbed.TestbedPolicy;

/**
 * The result for programs. Under each policy's name are the same keys as the demo's, of all seeds
 * together (storage_cv and the ceiling being means over seeds), and in {@code spread} the mean over
 * seeds of every figure with its standard deviation and 95 % interval.
 */
final class WritesJson {

  private WritesJson() {}

  static ObjectNode tree(WritesResult result) {
    ObjectNode root = FiguresJson.root();
    root.put("experiment", "writes");
    ObjectNode facts = root.putObject("facts");
    result.facts().forEach(facts::put);
    root.put("background", result.origin().name().toLowerCase(Locale.ROOT));
    root.put("foreign_cpu_limit", result.trials().foreignCpuLimit());
    for (TestbedPolicy policy : result.policies()) {
      putPolicy(root.putObject(policy.label()), result, policy);
    }
    ObjectNode comparisons = root.putObject("beside_stock");
    for (TestbedPolicy policy : result.compared()) {
      putComparison(comparisons.putObject(policy.label()), result.comparison(policy));
    }
    result.runs().forEach(run -> putRun(root.withArray("runs").addObject(), run));
    result.rejected().forEach(run -> putRun(root.withArray("rejected").addObject(), run));
    return root;
  }

  private static void putPolicy(ObjectNode node, WritesResult result, TestbedPolicy policy) {
    FiguresJson.putFigures(node, result.figures(policy));
    // Where the disks stand after all seeds together would hide what each run does to them.
    put(node, Figure.STORAGE_CV.key(), result.spread(policy, Figure.STORAGE_CV).mean());
    put(node, Figure.CEILING.key(), result.spread(policy, Figure.CEILING).mean());
    put(node, Figure.UPLINK_CV.key(), result.spread(policy, Figure.UPLINK_CV).mean());
    FiguresJson.putDetails(node, result.figures(policy));
    ObjectNode spread = node.putObject("spread");
    for (Figure figure : Figure.ALL) {
      putSpread(spread.putObject(figure.key()), result.spread(policy, figure));
    }
  }

  private static void putComparison(ObjectNode node, Comparison comparison) {
    for (Comparison.Must must : comparison.musts()) {
      ObjectNode one = node.putObject(must.key());
      putSpread(one, must.reached());
      one.put("wanted", must.wanted());
      one.put("met", must.met());
    }
    putSpread(node.putObject("speed_up"), comparison.speedUp(Figure.MEAN));
    putSpread(node.putObject("speed_up_ceiling"), comparison.ceilingSpeedUp());
    putSpread(node.putObject("speed_up_p95"), comparison.speedUp(Figure.P95));
    putSpread(node.putObject("uplink_cv_difference"), comparison.difference(Figure.UPLINK_CV));
  }

  private static void putSpread(ObjectNode node, Spread spread) {
    put(node, "mean", spread.mean());
    put(node, "sd", spread.sd());
    put(node, "low", spread.low());
    put(node, "high", spread.high());
    node.put("seeds", spread.seeds());
  }

  private static void putRun(ObjectNode node, WritesRun run) {
    node.put("policy", run.policy().label());
    node.put("seed", run.seed());
    node.put("attempt", run.attempt());
    for (Figure figure : Figure.ALL) {
      put(node, figure.key(), figure.of().applyAsDouble(run));
    }
    put(node, "busy_cpu", run.busyCpuShare());
    put(node, "latest_start_s", run.latestStartSeconds());
  }
}
