package org.rackweave.cli.testbed.compare;

import static org.rackweave.cli.experiment.FiguresJson.put;
import static org.rackweave.cli.testbed.compare.ResultJson.putSpread;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.Figure;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.testbed.compare.ClassSpeeds.ClassSpeed;

/**
 * The result for programs. Under each policy's name are the same keys as the demo's, of all seeds
 * together (storage_cv and the ceiling being means over seeds), and in {@code spread} the mean over
 * seeds of every figure with its standard deviation and 95 % interval.
 */
final class WritesJson {

  private WritesJson() {}

  static ObjectNode tree(WritesResult result) {
    Results<WritesRun> results = result.results();
    ObjectNode root = ResultJson.root("writes", results);
    for (Contender contender : results.contenders()) {
      ObjectNode node = ResultJson.of(root, contender);
      FiguresJson.putFigures(node, result.figures(contender));
      // Where the disks stand after all seeds together would hide what each run does to them.
      putMean(node, results, contender, WritesFigures.STORAGE_CV);
      putMean(node, results, contender, WritesFigures.CEILING);
      putMean(node, results, contender, WritesFigures.UPLINK_CV);
      FiguresJson.putDetails(node, result.figures(contender));
    }
    ObjectNode beside = root.putObject("beside_stock");
    for (Contender contender : results.compared()) {
      putBeside(beside.putObject(contender.label()), result.beside(contender));
      putClasses(
          ResultJson.of(root, contender),
          beside.with(contender.label()),
          result.beside(contender).classes());
    }
    ResultJson.putSpreadsAndRuns(root, results, WritesFigures.ALL);
    return root;
  }

  /**
   * Adds to every class under {@code classes} its {@code ratio}, times as fast as stock, from
   * {@code low} to {@code high}, and beside stock the class that the policy serves worst.
   */
  private static void putClasses(ObjectNode node, ObjectNode beside, List<ClassSpeed> classes) {
    for (ClassSpeed one : classes) {
      ObjectNode all = node.with("classes");
      putRatio(all.with(one.key()), one);
    }
    ObjectNode slowest = beside.putObject("slowest_class");
    ClassSpeeds.slowest(classes)
        .ifPresent(
            one -> {
              slowest.put("class", one.key());
              putRatio(slowest, one);
            });
    beside.put("any_class_slower", classes.stream().anyMatch(ClassSpeed::isSlower));
  }

  private static void putRatio(ObjectNode node, ClassSpeed one) {
    node.put("blocks", one.blocks());
    node.put("blocks_stock", one.stockBlocks());
    put(node, "ratio", one.speedUp().mean());
    put(node, "low", one.speedUp().low());
    put(node, "high", one.speedUp().high());
    node.put("slower", one.isSlower());
  }

  private static void putMean(
      ObjectNode node, Results<WritesRun> results, Contender contender, Figure<WritesRun> figure) {
    put(node, figure.key(), results.spread(contender, figure).mean());
  }

  private static void putBeside(ObjectNode node, WritesBesideStock beside) {
    for (WritesBesideStock.Must must : beside.musts()) {
      ObjectNode one = node.putObject(must.key());
      putSpread(one, must.reached());
      one.put("wanted", must.wanted());
      one.put("met", must.met());
    }
    putSpread(
        node.putObject("cold_writer_throughout_speed_up"),
        beside.runs().speedUp(WritesFigures.COLD_WHILE_WRITTEN));
    putSpread(node.putObject("speed_up"), beside.runs().speedUp(WritesFigures.MEAN));
    putSpread(node.putObject("speed_up_ceiling"), beside.ceilingSpeedUp());
    putSpread(node.putObject("speed_up_p95"), beside.runs().speedUp(WritesFigures.P95));
    putSpread(
        node.putObject("uplink_cv_difference"), beside.runs().difference(WritesFigures.UPLINK_CV));
  }
}
