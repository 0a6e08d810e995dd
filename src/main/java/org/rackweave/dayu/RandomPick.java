package org.rackweave.dayu;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The algorithms that draw (section 5): {@code R} any node, {@code B2R} the lighter of two, {@code
 * WR} any with its bandwidth as weight. They fill S but not single nodes, whose load nobody
 * watches; that is what makes stragglers. O(1), and O(log nodes) with weights.
 *
 * <p>A node that may not get the block is drawn again; after {@value #TRIES} draws the next one
 * that may is taken.
 */
final class RandomPick implements NodePick {
  private static final int NONE = SlotLoads.NONE;
  private static final int TRIES = 32;

  /** How a node is drawn. */
  enum Way {
    UNIFORM,
    BEST_OF_TWO,
    WEIGHTED
  }

  private final SlotLoads loads;
  private final DestinationRules rules;
  private final Way way;
  private final RandomGenerator random;

  /** Sums of bandwidth over the nodes up to each. */
  private final double[] sums;

  RandomPick(SlotLoads loads, DestinationRules rules, Way way, RandomGenerator random) {
    this.loads = loads;
    this.rules = rules;
    this.way = way;
    this.random = random;
    sums = new double[loads.rackOf.length];
    double sum = 0;
    for (int node = 0; node < sums.length; node++) {
      sum += loads.snapshot.inBytesPerSec(node);
      sums[node] = sum;
    }
  }

  @Override
  public boolean respectsSlot() {
    return false;
  }

  @Override
  public int source(int task) {
    int first = drawSource(task);
    if (way != Way.BEST_OF_TWO) {
      return first;
    }
    int second = drawSource(task);
    double size = loads.bytes[task];
    return loads.outSec(second, size) < loads.outSec(first, size) ? second : first;
  }

  private int drawSource(int task) {
    RecoveryBatch batch = loads.batch;
    int from = batch.firstNode(task);
    int to = batch.standingFrom(task);
    double all = 0;
    for (int at = from; at < to; at++) {
      all += weight(batch.nodeAt(at));
    }
    double left = random.nextDouble() * all;
    int last = NONE;
    for (int at = from; at < to; at++) {
      int node = batch.nodeAt(at);
      if (weight(node) > 0) {
        last = node;
        left -= weight(node);
        if (left < 0) {
          return node;
        }
      }
    }
    return last;
  }

  private double weight(int source) {
    double bandwidth = loads.snapshot.outBytesPerSec(source);
    return way == Way.WEIGHTED ? bandwidth : Math.signum(bandwidth);
  }

  @Override
  public int destination(int task, int source) {
    int first = drawDestination(task);
    if (way != Way.BEST_OF_TWO || first == NONE) {
      return first;
    }
    int second = drawDestination(task);
    double size = loads.bytes[task];
    boolean lighter = loads.inSec(source, second, size) < loads.inSec(source, first, size);
    return lighter ? second : first;
  }

  private int drawDestination(int task) {
    for (int tries = 0; tries < TRIES; tries++) {
      int node = draw();
      if (takes(task, node)) {
        return node;
      }
    }
    int from = random.nextInt(sums.length);
    for (int i = 0; i < sums.length; i++) {
      int node = (from + i) % sums.length;
      if (takes(task, node)) {
        return node;
      }
    }
    return NONE;
  }

  private int draw() {
    if (way != Way.WEIGHTED) {
      return random.nextInt(sums.length);
    }
    double at = random.nextDouble() * sums[sums.length - 1];
    int found = Arrays.binarySearch(sums, at);
    return Math.min(sums.length - 1, found < 0 ? -found - 1 : found + 1);
  }

  private boolean takes(int task, int node) {
    return loads.snapshot.inBytesPerSec(node) > 0 && rules.admits(task, node);
  }
}
