package org.rackweave.cli.demo;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.cli.demo.BlockWrite.Situation;

/**
 * The figures for programs: one object for each policy under its name, with times in seconds,
 * shares and variations as fractions; beside them what the run was made of. A figure of an empty
 * sample is null.
 */
final class FiguresJson {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private FiguresJson() {}

  static void write(DemoResult result, Path file) throws IOException {
    MAPPER.writeValue(file.toFile(), tree(result));
  }

  static ObjectNode tree(DemoResult result) {
    ObjectNode root = MAPPER.createObjectNode();
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
    putTimes(node, "block_write", figures.blockSeconds());
    put(node, "cold_writer_mean_s", figures.coldWriterMeanSeconds());
    put(node, "hot_target_avoided", figures.hotTargetAvoided());
    put(node, "link_cv_median", figures.linkCvMedian());
    put(node, "background_load", figures.backgroundLoad());
    put(node, "storage_cv", figures.storageCv());
    node.put("blocks", figures.blocks());
    node.put("bytes_verified", figures.bytesVerified());
    node.put("fallbacks", figures.fallbacks());
    put(node, "file_mean_s", Statistics.mean(figures.fileSeconds()));
    node.put("files", figures.fileSeconds().length);
    Arrays.stream(figures.placedBytes()).forEach(node.putArray("placed_bytes")::add);
    ObjectNode classes = node.putObject("classes");
    for (Map.Entry<Situation, double[]> entry : figures.bySituation().entrySet()) {
      ObjectNode one = classes.putObject(entry.getKey().name().toLowerCase(Locale.ROOT));
      one.put("blocks", entry.getValue().length);
      putTimes(one, "block_write", entry.getValue());
    }
  }

  private static void putTimes(ObjectNode node, String name, double[] seconds) {
    put(node, name + "_mean_s", Statistics.mean(seconds));
    put(node, name + "_p95_s", Statistics.quantile(seconds, 0.95));
  }

  private static void put(ObjectNode node, String name, double value) {
    if (Double.isFinite(value)) {
      node.put(name, Math.round(value * 1e6) / 1e6);
    } else {
      node.putNull(name);
    }
  }
}
