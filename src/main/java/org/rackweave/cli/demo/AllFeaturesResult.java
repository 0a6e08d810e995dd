package org.rackweave.cli.demo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.SidesResult;

/**
 * All that the demo of all features found out.
 *
 * @param input where the files came from that were written under load
 */
record AllFeaturesResult(AllFeaturesSettings settings, Path input, long seed, SidesResult sides) {

  /** The figures for programs: one object for each side under its name. */
  ObjectNode json() {
    ObjectNode root = FiguresJson.root();
    root.put("seed", seed);
    root.put("hadoop", VersionInfo.getVersion());
    root.put("input", input.toString());
    sides.putTo(root);
    return root;
  }
}
