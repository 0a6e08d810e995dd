package org.rackweave.cli.testbed.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.rackweave.cli.TextTable;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.experiment.FiguresJson;
import org.rackweave.cli.experiment.Spread;
import org.rackweave.sim.statistics.Sample;

/**
 * How fast a policy writes the blocks of every class beside stock. A mean over all blocks can be
 * better while those pay for it that stock serves well.
 */
final class ClassSpeeds {

  /** With fewer of either, one slow block is the figure. */
  private static final int BLOCKS_MIN = 10;

  private static final String THROUGHOUT = "_throughout";

  /**
   * Blocks of one class.
   *
   * @param key name in JSON
   * @param label name for people
   * @param speedUp times as fast as stock, over seeds in which both have such blocks
   * @param blocks how many the policy wrote
   * @param stockBlocks how many stock wrote
   */
  record ClassSpeed(String key, String label, Spread speedUp, int blocks, int stockBlocks) {

    /** Whether there are enough blocks to say anything. */
    boolean isKnown() {
      return Math.min(blocks, stockBlocks) >= BLOCKS_MIN && Double.isFinite(speedUp.mean());
    }

    /** Whether it is slower than stock by more than what chance explains; needs two seeds. */
    boolean isSlower() {
      return isKnown() && speedUp.high() < 1;
    }
  }

  /** A class by writer and targets. */
  private record Kind(String key, String label, Predicate<BlockWrite> has) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind(
              "writer_and_target_free",
              "writer and targets cold",
              block -> !block.writerHot() && !block.targetHot()),
          new Kind(
              "writer_free_target_hot",
              "writer cold, a target hot",
              block -> !block.writerHot() && block.targetHot()),
          new Kind(
              "writer_hot_target_free",
              "writer hot, targets cold",
              block -> block.writerHot() && !block.targetHot()),
          new Kind(
              "writer_hot_target_hot",
              "writer and a target hot",
              block -> block.writerHot() && block.targetHot()),
          new Kind("writer_hot", "writer hot, all", BlockWrite::writerHot));

  private ClassSpeeds() {}

  /** Every class, by the racks that are hot when a write is due, then by all that it met. */
  static List<ClassSpeed> of(Results.Pair<WritesRun> runs) {
    List<ClassSpeed> all = new ArrayList<>();
    for (Kind kind : KINDS) {
      all.add(of(runs, kind.key(), kind.label() + " when due", kind.has(), false));
    }
    for (Kind kind : KINDS) {
      all.add(of(runs, kind.key() + THROUGHOUT, kind.label() + " until done", kind.has(), true));
    }
    return List.copyOf(all);
  }

  /** Whom the policy serves worst, of those with enough blocks. */
  static Optional<ClassSpeed> slowest(List<ClassSpeed> all) {
    return all.stream()
        .filter(ClassSpeed::isKnown)
        .min(Comparator.comparingDouble(one -> one.speedUp().mean()));
  }

  /** Every class, and at the end the slowest. */
  static TextTable table(Contender contender, List<ClassSpeed> classes) {
    List<List<String>> rows = new ArrayList<>();
    classes.forEach(one -> rows.add(row(one.label(), one)));
    slowest(classes).ifPresent(one -> rows.add(row("slowest: " + one.label(), one)));
    return new TextTable(
        List.of(contender.label() + ", times as fast as stock", "", "blocks", "stock's", ""), rows);
  }

  private static List<String> row(String name, ClassSpeed one) {
    String verdict = one.isSlower() ? "slower" : "";
    return List.of(
        name,
        one.isKnown() ? one.speedUp().text() : "-",
        String.valueOf(one.blocks()),
        String.valueOf(one.stockBlocks()),
        one.isKnown() ? verdict : "too few");
  }

  /**
   * Adds to every class under {@code classes} its {@code ratio}, times as fast as stock, from
   * {@code low} to {@code high}, and beside stock the class that the policy serves worst.
   */
  static void put(ObjectNode node, ObjectNode beside, List<ClassSpeed> classes) {
    classes.forEach(one -> putRatio(node.with("classes").with(one.key()), one));
    ObjectNode slowest = beside.putObject("slowest_class");
    slowest(classes)
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
    FiguresJson.put(node, "ratio", one.speedUp().mean());
    FiguresJson.put(node, "low", one.speedUp().low());
    FiguresJson.put(node, "high", one.speedUp().high());
    node.put("slower", one.isSlower());
  }

  private static ClassSpeed of(
      Results.Pair<WritesRun> runs,
      String key,
      String label,
      Predicate<BlockWrite> has,
      boolean throughout) {
    List<double[]> stock = seconds(runs.baseline(), has, throughout);
    List<double[]> own = seconds(runs.runs(), has, throughout);
    int[] both =
        IntStream.range(0, own.size())
            .filter(seed -> stock.get(seed).length > 0 && own.get(seed).length > 0)
            .toArray();
    return new ClassSpeed(
        key, label, Spread.ofRatio(means(stock, both), means(own, both)), count(own), count(stock));
  }

  /** Seconds of the class's blocks, by seed. */
  private static List<double[]> seconds(
      List<WritesRun> runs, Predicate<BlockWrite> has, boolean throughout) {
    List<double[]> seconds = new ArrayList<>();
    for (WritesRun run : runs) {
      List<BlockWrite> blocks = throughout ? run.whileWritten() : run.measured().blocks();
      seconds.add(blocks.stream().filter(has).mapToDouble(BlockWrite::seconds).toArray());
    }
    return seconds;
  }

  private static double[] means(List<double[]> bySeed, int[] seeds) {
    return IntStream.of(seeds).mapToDouble(seed -> new Sample(bySeed.get(seed)).mean()).toArray();
  }

  private static int count(List<double[]> bySeed) {
    return bySeed.stream().mapToInt(seconds -> seconds.length).sum();
  }
}
