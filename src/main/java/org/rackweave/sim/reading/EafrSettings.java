package org.rackweave.sim.reading;

import org.rackweave.eafr.FileRule;
import org.rackweave.eafr.GuardRails;

/**
 * What EAFR is told.
 *
 * @param rule r, epsilon and the most replicas
 * @param firstReplicas of each file
 * @param isFresh whether files were written under EAFR, on hot servers as far as they have room;
 *     otherwise on random ones
 * @param decay part of the reads that an interval leaves to the next
 * @param standbyFraction servers that collect cold files
 * @param reading how readers are sent to replicas
 */
public record EafrSettings(
    FileRule rule,
    int firstReplicas,
    boolean isFresh,
    double decay,
    double standbyFraction,
    Reading reading) {

  /** T; the paper gives none. */
  public static final long INTERVAL_MS = 600_000;

  /** Weight of a new speed in Eq. 9 and of speed in Eq. 11; the paper gives neither. */
  static final double ALPHA = 0.3;

  static final double BETA = 0.5;

  /** The paper's tau_s. */
  static final long RESERVE_BYTES = 10_000_000_000L;

  /** The paper knows no guard-rails. */
  static final GuardRails NO_RAILS =
      new GuardRails(true, 0, 0, 0, 0, Long.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 1);

  private static final int MOST_REPLICAS = 300;

  /** How readers are sent to replicas. */
  public enum Reading {
    /** To any replica that is awake, as in section 4 and in EAFR/B. */
    RANDOM,
    /** By Algorithm 3, with queues as heartbeats tell them. */
    ALGORITHM_3,
    /** By Algorithm 3, with queues as they are. */
    ALGORITHM_3_ORACLE,
    /** Near servers that are not overloaded first, by queues that go on between heartbeats. */
    BY_LOAD
  }

  /** Section 4: r = 2, 30 % standby servers, a random replica for each read, and no decay. */
  public static final EafrSettings PAPER =
      new EafrSettings(new FileRule(2, 1, MOST_REPLICAS), 2, true, 0, 0.3, Reading.RANDOM);

  /** Ours on files that stock HDFS has placed: none sleeps, and all keep three replicas. */
  public static final EafrSettings OURS =
      PAPER.minReplicas(3).afterStock().standbyFraction(0).reading(Reading.BY_LOAD);

  /**
   * The same with as many standby servers as in the paper, which sleep while there is little to
   * read.
   */
  public static final EafrSettings OURS_WITH_SLEEP = OURS.standbyFraction(0.3);

  public EafrSettings reading(Reading reading) {
    return new EafrSettings(rule, firstReplicas, isFresh, decay, standbyFraction, reading);
  }

  /** With another r, with which files begin. */
  public EafrSettings minReplicas(int minReplicas) {
    FileRule other = new FileRule(minReplicas, rule.hotReplicas(), rule.maxReplicas());
    return new EafrSettings(other, minReplicas, isFresh, decay, standbyFraction, reading);
  }

  /** With other servers' worth of cold files. */
  public EafrSettings standbyFraction(double fraction) {
    return new EafrSettings(rule, firstReplicas, isFresh, decay, fraction, reading);
  }

  /** On a cluster whose files stock HDFS has placed, three replicas on random servers. */
  public EafrSettings afterStock() {
    return new EafrSettings(rule, 3, false, decay, standbyFraction, reading);
  }
}
