package org.rackweave.trial;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.rackweave.history.Bootstrap;
import org.rackweave.history.History;

/**
 * How long blocks of both {@link Arm arms} took to be written: of each arm the last {@value
 * #BLOCKS_MAX}, some 50 bytes each. What is measured is also the doing of writers, who may think;
 * arms are drawn by file, so that both meet the same writers at the same times. The difference's
 * interval comes of whole files drawn again, since blocks of one file have one writer.
 *
 * <p>Lock-free; safe for use by many threads but for {@link #hasGrown}.
 */
public final class ArmSamples {
  private static final int BLOCKS_MAX = 10_000;

  /** With fewer files in an arm nothing is said. */
  private static final int FILES_LEAST = 20;

  private final List<History<Sample>> arms =
      Stream.of(Arm.values()).map(arm -> new History<Sample>(BLOCKS_MAX, 1)).toList();
  private final List<LongAdder> leftOut =
      Stream.of(Arm.values()).map(arm -> new LongAdder()).toList();
  private long grown;

  private record Sample(long fileId, double secondsPerMb, long atMs) {}

  void add(Arm arm, long fileId, double secondsPerMb, long nowMs) {
    arms.get(arm.ordinal()).add(new Sample(fileId, secondsPerMb, nowMs));
  }

  /** Counts a block whose time is not known: its writer went away, or there was no room for it. */
  void leaveOut(Arm arm) {
    leftOut.get(arm.ordinal()).increment();
  }

  public long leftOut(Arm arm) {
    return leftOut.get(arm.ordinal()).sum();
  }

  /**
   * Whether the smaller arm has grown by a quarter since this was last so, by which it is time to
   * compare: who looks more often finds more by chance.
   */
  public boolean hasGrown() {
    long now = arms.stream().mapToLong(History::added).min().orElseThrow();
    boolean hasGrown = now > grown && now - grown >= Math.min(grown, BLOCKS_MAX) / 4;
    grown = hasGrown ? now : grown;
    return hasGrown;
  }

  /**
   * Blocks of an arm.
   *
   * @param secondsPerMb ascending
   * @param fileOf number of each one's file
   */
  public record Blocks(double[] secondsPerMb, int[] fileOf, int files) {
    private boolean areEnough(Figure figure) {
      return fileOf.length >= figure.blocksLeast && files >= FILES_LEAST;
    }

    private double figure(Figure figure) {
      int[] once = new int[files];
      Arrays.fill(once, 1);
      return files == 0 ? Double.NaN : figure.of(secondsPerMb, fileOf, once);
    }
  }

  /** Blocks of an arm that were written since a time. */
  public Blocks blocks(Arm arm, long sinceMs) {
    List<Sample> ascending =
        arms.get(arm.ordinal()).latest(BLOCKS_MAX, one -> one.atMs() >= sinceMs).stream()
            .sorted(Comparator.comparingDouble(Sample::secondsPerMb))
            .toList();
    Map<Long, Integer> files = new HashMap<>();
    ascending.forEach(one -> files.putIfAbsent(one.fileId(), files.size()));
    return new Blocks(
        ascending.stream().mapToDouble(Sample::secondsPerMb).toArray(),
        ascending.stream().mapToInt(one -> files.get(one.fileId())).toArray(),
        files.size());
  }

  /** Compares all figures, of blocks that were written since a time. */
  public List<Comparison> compare(long sinceMs, RandomGenerator random) {
    Blocks ours = blocks(Arm.RACKWEAVE, sinceMs);
    Blocks stock = blocks(Arm.STOCK, sinceMs);
    return Stream.of(Figure.values()).map(figure -> compare(figure, ours, stock, random)).toList();
  }

  private static Comparison compare(
      Figure figure, Blocks ours, Blocks stock, RandomGenerator random) {
    double[] interval = {Double.NaN, Double.NaN};
    if (ours.areEnough(figure) && stock.areEnough(figure)) {
      interval =
          Bootstrap.interval(
              new int[] {ours.files, stock.files},
              drawn ->
                  percent(
                      figure.of(ours.secondsPerMb, ours.fileOf, drawn[0]),
                      figure.of(stock.secondsPerMb, stock.fileOf, drawn[1])),
              random);
    }
    double one = ours.figure(figure);
    double other = stock.figure(figure);
    return new Comparison(figure, one, other, percent(one, other), interval[0], interval[1]);
  }

  private static double percent(double ours, double stock) {
    return 100 * (ours / stock - 1);
  }
}
