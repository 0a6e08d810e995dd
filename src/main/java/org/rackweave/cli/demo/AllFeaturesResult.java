package org.rackweave.cli.demo;

import static org.rackweave.cli.experiment.FiguresJson.put;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.Statistics;
import org.rackweave.cli.experiment.TextTable;

/**
 * All that the demo of all features found out.
 *
 * @param input where the files came from that were written under load
 * @param outcomes of both sides, stock first
 */
record AllFeaturesResult(
    AllFeaturesSettings settings, Path input, long seed, Map<Side, SideOutcome> outcomes) {

  private static final String NOTHING = "-";

  /** The result in one sentence. */
  String headline() {
    return String.format(
        Locale.ROOT,
        "With Rackweave a block is written %.1f times as fast as with stock HDFS, 99 %% of reads of"
            + " hot files end %.1f times as soon, and a byte that becomes part of a stripe takes %s"
            + " bytes across racks in place of %s",
        ratio(one -> Statistics.mean(one.blockSeconds())),
        ratio(SideOutcome::readP99Seconds),
        text("%.2f", outcomes.get(Side.RACKWEAVE).crossRackBytesPerEncodedByte()),
        text("%.2f", outcomes.get(Side.STOCK).crossRackBytesPerEncodedByte()));
  }

  private double ratio(ToDoubleFunction<SideOutcome> figure) {
    return figure.applyAsDouble(outcomes.get(Side.STOCK))
        / figure.applyAsDouble(outcomes.get(Side.RACKWEAVE));
  }

  /** The figures for people. */
  TextTable table() {
    List<List<String>> rows = new ArrayList<>();
    add(rows, "writes under moving load: a block, mean", "%.3f s", one -> mean(one.blockSeconds()));
    add(rows, "  95th percentile", "%.3f s", one -> Statistics.quantile(one.blockSeconds(), 0.95));
    addPlain(rows, "  blocks", "%.0f", one -> one.blocks().size());
    addPlain(
        rows,
        "  blocks sent to no hot target",
        "%.0f %%",
        one -> 100 * mean(one.blocks().stream().mapToDouble(AllFeaturesResult::isCold).toArray()));
    add(rows, "reads while a file is hot: mean", "%.3f s", one -> mean(one.readSeconds()));
    add(rows, "  99th percentile", "%.3f s", SideOutcome::readP99Seconds);
    addPlain(rows, "  replicas of the hot file", "%.0f", SideOutcome::hotReplicas);
    add(
        rows,
        "files become stripes: bytes across racks per byte",
        "%.2f",
        SideOutcome::crossRackBytesPerEncodedByte);
    add(rows, "  time", "%.1f s", SideOutcome::encodeSeconds);
    addPlain(rows, "  data encoded", "%.0f MiB", one -> mebibytes(one.encodedBytes()));
    add(
        rows,
        "a DataNode dies: reads of striped files, mean",
        "%.3f s",
        one -> mean(one.degradedSeconds()));
    add(rows, "  until every block is whole", "%.1f s", SideOutcome::rebuildSeconds);
    add(rows, "stored bytes per byte", "%.2f", SideOutcome::storedBytesPerByte);
    addPlain(
        rows,
        "verified by checksum",
        "%.0f MiB",
        one -> mebibytes(one.fileBytes() - one.lostBytes()));
    addPlain(rows, "bytes lost", "%.0f", SideOutcome::lostBytes);
    addPlain(rows, "reads that failed", "%.0f", SideOutcome::failedReads);
    addPlain(rows, "decisions left to stock", "%.0f", SideOutcome::fallbacks);
    return new TextTable(List.of("", "stock", "rackweave", "ratio"), rows);
  }

  private void add(
      List<List<String>> rows, String label, String format, ToDoubleFunction<SideOutcome> figure) {
    addRow(rows, label, format, figure, text("%.2f", ratio(figure)));
  }

  private void addPlain(
      List<List<String>> rows, String label, String format, ToDoubleFunction<SideOutcome> figure) {
    addRow(rows, label, format, figure, "");
  }

  private void addRow(
      List<List<String>> rows,
      String label,
      String format,
      ToDoubleFunction<SideOutcome> figure,
      String ratio) {
    List<String> row = new ArrayList<>(List.of(label));
    outcomes.values().forEach(one -> row.add(text(format, figure.applyAsDouble(one))));
    row.add(ratio);
    rows.add(row);
  }

  private static String text(String format, double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : NOTHING;
  }

  private static double mean(double[] values) {
    return Statistics.mean(values);
  }

  private static double isCold(BlockWrite block) {
    return block.targetHot() ? 0 : 1;
  }

  private static double mebibytes(long bytes) {
    return bytes / 1048576.0;
  }

  /** The figures for programs: one object for each side under its name. */
  ObjectNode json() {
    ObjectNode root = FiguresJson.root();
    root.put("seed", seed);
    root.put("hadoop", VersionInfo.getVersion());
    root.put("input", input.toString());
    outcomes.forEach((side, outcome) -> putFigures(root.putObject(side.label()), outcome));
    return root;
  }

  private static void putFigures(ObjectNode node, SideOutcome one) {
    FiguresJson.putTimes(node, "block_write", one.blockSeconds());
    node.put("blocks", one.blocks().size());
    put(node, "read_mean_s", Statistics.mean(one.readSeconds()));
    put(node, "read_p99_s", one.readP99Seconds());
    node.put("reads", one.readSeconds().length);
    node.put("reads_failed", one.failedReads());
    node.put("hot_file_replicas", one.hotReplicas());
    put(node, "cross_rack_bytes_per_encoded_byte", one.crossRackBytesPerEncodedByte());
    node.put("bytes_encoded", one.encodedBytes());
    put(node, "encode_s", one.encodeSeconds());
    put(node, "degraded_read_mean_s", Statistics.mean(one.degradedSeconds()));
    put(node, "detection_s", one.detectionSeconds());
    put(node, "rebuild_s", one.rebuildSeconds());
    put(node, "stored_bytes_per_byte", one.storedBytesPerByte());
    node.put("bytes_verified", one.fileBytes() - one.lostBytes());
    node.put("bytes_lost", one.lostBytes());
    node.put("fallbacks", one.fallbacks());
  }
}
