package org.rackweave.dayu;

import java.util.Locale;
import java.util.random.RandomGenerator;

/** Ways to choose sources and destinations: ours, the paper's, and those it compares with. */
public enum Algorithm {
  /** All tasks at once: level, deal, sweeps. The fastest, and the best for sources. */
  DAYU,
  /** The paper's: greedy on a dynamic lower hull over buckets of bandwidth. */
  HULL,
  /** Greedy1: looks at every node for every task. */
  G1,
  /** Greedy2: the node lightest loaded. */
  G2,
  /** Best of two drawn nodes. */
  B2R,
  /** Drawn with bandwidth as weight. */
  WR,
  /** Drawn. */
  RANDOM;

  /** As it is written in configuration and output. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException naming the word and those there are
   */
  public static Algorithm of(String label) {
    for (Algorithm algorithm : values()) {
      if (algorithm.label().equals(label)) {
        return algorithm;
      }
    }
    throw new IllegalArgumentException(
        "algorithm is dayu, hull, g1, g2, b2r, wr or random, not " + label);
  }

  Selection selection(
      SlotLoads loads,
      DestinationRules rules,
      UnderemployedNodes underemployed,
      DayuSettings settings,
      RandomGenerator random) {
    if (this == DAYU) {
      return new DayuSelection(loads, rules, underemployed, random);
    }
    NodePick pick =
        switch (this) {
          case HULL -> new HullPick(loads, rules, settings.bucketBytesPerSec());
          case G2 -> new LightestPick(loads, rules);
          case B2R -> new RandomPick(loads, rules, RandomPick.Way.BEST_OF_TWO, random);
          case WR -> new RandomPick(loads, rules, RandomPick.Way.WEIGHTED, random);
          case RANDOM -> new RandomPick(loads, rules, RandomPick.Way.UNIFORM, random);
          default -> new ScanPick(loads, rules);
        };
    return new TaskByTask(loads, rules, pick, underemployed);
  }
}
