package org.rackweave.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.rackweave.history.PlacementRecord.Expected;

/**
 * What placement in shadow mode would have changed: the time that blocks were expected to take
 * where stock HDFS put them, and where they would have been put. Kept by tenths of an hour for a
 * week, some 100 KB, and since the beginning for the {@value #PATHS_MAX} directories with most
 * blocks at least.
 *
 * <p>How sure the comparison is follows from how it differs from one tenth of an hour to the next:
 * blocks of the same minutes meet the same load and are no evidence of their own. Thread-safe.
 */
public final class ShadowAccount {
  private static final long BATCH_MS = 360_000;
  private static final int BATCHES_MAX = 7 * 24 * 10;
  private static final int PATHS_MAX = 200;
  private static final int PATH_DEPTH = 2;

  /** With fewer batches nothing is said of how sure the comparison is. */
  private static final int BATCHES_LEAST = 20;

  /** Sums of a time. */
  private static final class Sums {
    long blocks;
    double ours;
    double stock;
    long targets;
    long oursBusy;
    long stockBusy;

    void add(Expected expected, int replicas) {
      blocks++;
      ours += expected.seconds();
      stock += expected.stockSeconds();
      targets += replicas;
      oursBusy += expected.busy();
      stockBusy += expected.stockBusy();
    }

    void add(Sums other) {
      blocks += other.blocks;
      ours += other.ours;
      stock += other.stock;
      targets += other.targets;
      oursBusy += other.oursBusy;
      stockBusy += other.stockBusy;
    }

    double gain() {
      return stock - ours;
    }
  }

  private static final class Batch {
    final long number;
    final Sums sums = new Sums();

    Batch(long number) {
      this.number = number;
    }
  }

  private final Deque<Batch> batches = new ArrayDeque<>();
  private final Map<String, Sums> byPath = new HashMap<>();

  /**
   * A comparison.
   *
   * @param sinceMs wall clock of the oldest block in it; 0 for none
   * @param blocks looked at
   * @param ours mean seconds a block where we would have put it
   * @param stock the same where stock HDFS put it
   * @param timesAsFast stock's mean over ours
   * @param least lower end of the 95 % interval of that; not a number where too little is known
   * @param most upper end
   * @param oursBusy share of our targets with a link of which 80 % were in use
   * @param stockBusy share of stock's
   */
  public record Comparison(
      long sinceMs,
      long blocks,
      double ours,
      double stock,
      double timesAsFast,
      double least,
      double most,
      double oursBusy,
      double stockBusy) {

    /** What the comparison says of switching placement to active. */
    public Verdict verdict() {
      if (Double.isNaN(least)) {
        return Verdict.UNDECIDED;
      }
      return least > 1 ? Verdict.GO : most < 1 ? Verdict.NO_GO : Verdict.UNDECIDED;
    }
  }

  /** Whether to switch to active. */
  public enum Verdict {
    /** Blocks would be written faster: the whole interval says so. */
    GO,
    /** They would be written more slowly: the whole interval says so. */
    NO_GO,
    /** The interval says neither, or there is none yet. */
    UNDECIDED
  }

  /**
   * A directory.
   *
   * @param seconds that its blocks would have taken less, all together
   */
  public record PathGain(String path, long blocks, double seconds) {}

  /** Takes a decision of shadow mode; those of which too little is known are left out. */
  public synchronized void add(PlacementRecord record) {
    Expected expected = record.expected();
    if (expected == null || Double.isNaN(expected.stockSeconds()) || record.ours().isEmpty()) {
      return;
    }
    long number = Math.floorDiv(record.atMs(), BATCH_MS);
    while (!batches.isEmpty() && batches.getLast().number > number) {
      batches.removeLast(); // of a clock that was set back since
    }
    Batch last = batches.peekLast();
    if (last == null || last.number < number) {
      last = new Batch(number);
      batches.add(last);
    }
    while (batches.getFirst().number <= number - BATCHES_MAX) {
      batches.removeFirst();
    }
    last.sums.add(expected, record.ours().size());
    byPath.computeIfAbsent(directory(record.path()), ignored -> new Sums()).add(expected, 0);
    if (byPath.size() > 2 * PATHS_MAX) {
      List<Map.Entry<String, Sums>> most = new ArrayList<>(byPath.entrySet());
      most.sort(Comparator.comparingLong(entry -> -entry.getValue().blocks));
      most.subList(PATHS_MAX, most.size()).forEach(entry -> byPath.remove(entry.getKey()));
    }
  }

  /** The directory that a path counts with: its first two levels. */
  public static String directory(String path) {
    int end = 0;
    for (int depth = 0; depth < PATH_DEPTH; depth++) {
      int next = path.indexOf('/', end + 1);
      if (next < 0) {
        break;
      }
      end = next;
    }
    return end == 0 ? "/" : path.substring(0, end);
  }

  /**
   * Compares.
   *
   * @param sinceMs wall clock from which on decisions count
   */
  public Comparison since(long sinceMs, RandomGenerator random) {
    List<Sums> those = new ArrayList<>();
    long first = 0;
    synchronized (this) { // decisions wait for no more than this
      for (Batch batch : batches) {
        if ((batch.number + 1) * BATCH_MS > sinceMs) {
          first = those.isEmpty() ? Math.max(sinceMs, batch.number * BATCH_MS) : first;
          Sums copy = new Sums();
          copy.add(batch.sums);
          those.add(copy);
        }
      }
    }
    Sums all = new Sums();
    those.forEach(all::add);
    double[] interval = interval(those, random);
    return new Comparison(
        first,
        all.blocks,
        all.ours / all.blocks,
        all.stock / all.blocks,
        all.stock / all.ours,
        interval[0],
        interval[1],
        (double) all.oursBusy / all.targets,
        (double) all.stockBusy / all.targets);
  }

  private static double[] interval(List<Sums> batches, RandomGenerator random) {
    if (batches.size() < BATCHES_LEAST) {
      return new double[] {Double.NaN, Double.NaN};
    }
    return Bootstrap.interval(
        new int[] {batches.size()},
        drawn -> {
          double ours = 0;
          double stock = 0;
          for (int i = 0; i < batches.size(); i++) {
            ours += drawn[0][i] * batches.get(i).ours;
            stock += drawn[0][i] * batches.get(i).stock;
          }
          return stock / ours;
        },
        random);
  }

  /** The directories with most to gain first; those with most to lose last. */
  public synchronized List<PathGain> paths() {
    return byPath.entrySet().stream()
        .map(
            entry -> new PathGain(entry.getKey(), entry.getValue().blocks, entry.getValue().gain()))
        .sorted(Comparator.comparingDouble(PathGain::seconds).reversed())
        .toList();
  }
}
