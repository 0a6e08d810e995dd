package org.rackweave.history;

import java.util.List;
import java.util.Locale;

/**
 * How long blocks took to be written beside how long they were expected to, of the last {@value
 * #KEPT} that were placed by us and timed, some 300 KB. Lock-free and safe for use by many threads.
 */
public final class Calibration {
  private static final int KEPT = 5000;

  private final History<Block> blocks = new History<>(KEPT, 1);

  /**
   * A block that was written.
   *
   * @param atMs wall clock of its placement
   * @param path of its file, as it is kept of a placement
   * @param expectedSeconds for as many bytes as it got
   * @param seconds from its allocation to its end
   */
  public record Block(long atMs, String path, double expectedSeconds, double seconds) {
    double ratio() {
      return seconds / expectedSeconds;
    }
  }

  /**
   * Measured seconds over expected ones.
   *
   * @param blocks that were timed; the ratios are not a number where there are none
   * @param p10 of one block in ten it is less
   * @param median of half of them
   * @param p90 of nine in ten
   */
  public record Ratios(int blocks, double p10, double median, double p90) {}

  /**
   * Takes a block that was written.
   *
   * @param record of its placement, with what was expected
   */
  public void add(PlacementRecord record, long lengthBytes, double seconds) {
    double expected = record.expected().seconds() * lengthBytes / record.sizeBytes();
    if (expected > 0) {
      blocks.add(new Block(record.atMs(), record.path(), expected, seconds));
    }
  }

  /** The block that a placement was for, {@code null} where it was not timed. */
  public Block of(PlacementRecord record) {
    List<Block> found =
        blocks.latest(
            1, block -> block.atMs() == record.atMs() && block.path().equals(record.path()));
    return found.isEmpty() ? null : found.get(0);
  }

  /** Of all that are kept. */
  public Ratios ratios() {
    double[] ratios =
        blocks.latest(KEPT, block -> true).stream().mapToDouble(Block::ratio).sorted().toArray();
    return new Ratios(
        ratios.length, quantile(ratios, 0.1), quantile(ratios, 0.5), quantile(ratios, 0.9));
  }

  /** What is told of one of them. */
  public String sentence(Block block) {
    Ratios all = ratios();
    return String.format(
        Locale.ROOT,
        "Written in %.2f s, the writer's own time included; expected were %.2f s (of %d blocks,"
            + " 80 %% took %.2f to %.2f times as long as expected).",
        block.seconds(),
        block.expectedSeconds(),
        all.blocks(),
        all.p10(),
        all.p90());
  }

  private static double quantile(double[] sorted, double fraction) {
    return sorted.length == 0 ? Double.NaN : sorted[(int) (fraction * sorted.length)];
  }
}
