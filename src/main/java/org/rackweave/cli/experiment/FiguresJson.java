package org.rackweave.cli.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.rackweave.cli.experiment.BlockWrite.Situation;
import org.rackweave.sim.statistics.Sample;

/**
 * Figures for programs: times in seconds, shares and variations as fractions. A figure of an empty
 * sample is null.
 */
public final class FiguresJson {

  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private FiguresJson() {}

  /** An empty object to begin with. */
  public static ObjectNode root() {
    return MAPPER.createObjectNode();
  }

  /** Writes a whole tree, indented. */
  public static void write(ObjectNode root, Path file) throws IOException {
    MAPPER.writeValue(file.toFile(), root);
  }

  /** Adds what every experiment with writes reports. */
  public static void putFigures(ObjectNode node, WriteFigures figures) {
    putTimes(node, "block_write", figures.blockSeconds());
    put(node, "cold_writer_mean_s", figures.coldWriterMeanSeconds());
    put(node, "hot_target_avoided", figures.hotTargetAvoided());
    put(node, "link_cv_median", figures.linkCvMedian());
    put(node, "background_load", figures.backgroundLoad());
    put(node, "storage_cv", figures.storageCv());
    node.put("blocks", figures.blocks());
    node.put("bytes_verified", figures.bytesVerified());
    node.put("fallbacks", figures.fallbacks());
  }

  /** Adds where the replicas went and the times by class. */
  public static void putDetails(ObjectNode node, WriteFigures figures) {
    Arrays.stream(figures.placedBytes()).forEach(node.putArray("placed_bytes")::add);
    ObjectNode classes = node.putObject("classes");
    for (Map.Entry<Situation, double[]> entry : figures.bySituation().entrySet()) {
      ObjectNode one = classes.putObject(entry.getKey().name().toLowerCase(Locale.ROOT));
      one.put("blocks", entry.getValue().length);
      putTimes(one, "block_write", entry.getValue());
    }
  }

  /** Adds mean and 95th percentile of a sample as {@code name_mean_s} and {@code name_p95_s}. */
  public static void putTimes(ObjectNode node, String name, double[] seconds) {
    put(node, name + "_mean_s", new Sample(seconds).mean());
    put(node, name + "_p95_s", new Sample(seconds).quantile(0.95));
  }

  /** Adds a number to six decimals, a whole one without any, null where there is none. */
  public static void put(ObjectNode node, String name, double value) {
    if (value == Math.rint(value) && Math.abs(value) < Long.MAX_VALUE) {
      node.put(name, (long) value);
    } else if (Double.isFinite(value)) {
      node.put(name, Math.round(value * 1e6) / 1e6);
    } else {
      node.putNull(name);
    }
  }
}
