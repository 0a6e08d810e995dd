package org.rackweave.cli.testbed.compare;

import static org.rackweave.cli.experiment.FiguresJson.put;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.Spread;

/** What every comparison tells programs. */
final class ResultJson {

  private ResultJson() {}

  /** An object with what the figures were measured on, and an empty one for every contender. */
  static ObjectNode root(String experiment, Results<?> results) {
    ObjectNode root = FiguresJson.root();
    root.put("experiment", experiment);
    ObjectNode facts = root.putObject("facts");
    results.facts().forEach(facts::put);
    root.put("foreign_cpu_limit", results.trials().foreignCpuLimit());
    results.contenders().forEach(contender -> root.putObject(contender.label()));
    return root;
  }

  /** The object of a contender. */
  static ObjectNode of(ObjectNode root, Contender contender) {
    return (ObjectNode) root.get(contender.label());
  }

  /** Adds the mean of every figure to each contender, and under {@code spread} how it varies. */
  static <R extends MeasuredRun> void putMeans(
      ObjectNode root, Results<R> results, List<Figure<R>> figures) {
    for (Contender contender : results.contenders()) {
      for (Figure<R> figure : figures) {
        put(of(root, contender), figure.key(), results.spread(contender, figure).mean());
      }
    }
  }

  /** Adds how every figure varies over seeds, and the figures of every run. */
  static <R extends MeasuredRun> void putSpreadsAndRuns(
      ObjectNode root, Results<R> results, List<Figure<R>> figures) {
    for (Contender contender : results.contenders()) {
      ObjectNode spread = of(root, contender).putObject("spread");
      for (Figure<R> figure : figures) {
        putSpread(spread.putObject(figure.key()), results.spread(contender, figure));
      }
    }
    results.runs().forEach(run -> putRun(root.withArray("runs").addObject(), run, figures));
    results.rejected().forEach(run -> putRun(root.withArray("rejected").addObject(), run, figures));
  }

  /** Adds mean, standard deviation and 95 % interval. */
  static void putSpread(ObjectNode node, Spread spread) {
    put(node, "mean", spread.mean());
    put(node, "sd", spread.sd());
    put(node, "low", spread.low());
    put(node, "high", spread.high());
    node.put("seeds", spread.seeds());
  }

  private static <R extends MeasuredRun> void putRun(
      ObjectNode node, R run, List<Figure<R>> figures) {
    node.put("policy", run.contender().label());
    node.put("seed", run.seed());
    node.put("attempt", run.attempt());
    figures.forEach(figure -> put(node, figure.key(), figure.of().applyAsDouble(run)));
    put(node, "foreign_cpu", run.foreignCpuShare());
    put(node, "busy_cpu", run.busyCpuShare());
  }
}
