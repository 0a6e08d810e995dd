package org.rackweave.cli.demo;

import static org.rackweave.cli.experiment.FiguresJson.put;
import static org.rackweave.cli.experiment.FiguresJson.putDetails;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.Statistics;

/**
 * The figures for programs: one object for each policy under its name, beside them what the run was
 * made of.
 */
final class DemoJson {

  private DemoJson() {}

  static ObjectNode tree(DemoResult result) {
    ObjectNode root = FiguresJson.root();
    root.put("seed", result.options().seed());
    root.put("hadoop", VersionInfo.getVersion());
    root.put("input", result.options().input().toString());
    put(root, "speed_up", result.speedUp());
    result
        .figures()
        .forEach((policy, figures) -> putFigures(root.putObject(policy.label()), figures));
    return root;
  }

  private static void putFigures(ObjectNode node, PolicyFigures figures) {
    FiguresJson.putFigures(node, figures.writes());
    put(node, "file_mean_s", Statistics.mean(figures.fileSeconds()));
    node.put("files", figures.fileSeconds().length);
    putDetails(node, figures.writes());
  }
}
