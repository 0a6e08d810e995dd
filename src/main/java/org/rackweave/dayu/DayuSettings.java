package org.rackweave.dayu;

import org.rackweave.model.Require;

/**
 * How a planner works.
 *
 * @param algorithm for sources and destinations
 * @param rates for bandwidth
 * @param stragglers what becomes of copies under way that miss the end of their slot
 * @param beta share of nodes taken from either end for the underemployed ones, 0 to 1; 0 for none
 * @param bucketBytesPerSec width of the hull's buckets, above 0
 * @param aim by when what a slot moves should be done
 */
public record DayuSettings(
    Algorithm algorithm,
    Rates rates,
    Stragglers stragglers,
    double beta,
    double bucketBytesPerSec,
    Aim aim) {

  /** By when what a slot moves should be done. */
  public enum Aim {
    /** The end of the slot; the paper's. */
    SLOT,
    /** The moment at which all that is left could be done, where that comes before. */
    BACKLOG
  }

  /** Ways to give rates. */
  public enum Rates {
    /** Iterative weighted shuffle scheduling. */
    WSS,
    /** What ends with the slot. */
    DEADLINE
  }

  /** What becomes of stragglers (section 4.4). */
  public enum Stragglers {
    /** They go on as they are; the paper's baseline without re-scheduling. */
    KEEP,
    /**
     * The paper's: the least finished give way where a node is saturated; copies can be resumed.
     */
    RESUME,
    /** HDFS's, which cannot resume: cancelled only if a copy from the start is done sooner. */
    RESTART
  }

  /** For HDFS, with the paper's figures. */
  public static final DayuSettings DEFAULT =
      new DayuSettings(Algorithm.DAYU, Rates.WSS, Stragglers.RESTART, 0.05, 1e6, Aim.BACKLOG);

  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public DayuSettings {
    Require.within("beta", beta, 0, 1);
    Require.positive("bucketBytesPerSec", bucketBytesPerSec);
  }

  /** With the aim that is ours. */
  public DayuSettings(
      Algorithm algorithm,
      Rates rates,
      Stragglers stragglers,
      double beta,
      double bucketBytesPerSec) {
    this(algorithm, rates, stragglers, beta, bucketBytesPerSec, Aim.BACKLOG);
  }

  public DayuSettings with(Algorithm other) {
    return new DayuSettings(other, rates, stragglers, beta, bucketBytesPerSec, aim);
  }

  public DayuSettings with(Rates other) {
    return new DayuSettings(algorithm, other, stragglers, beta, bucketBytesPerSec, aim);
  }

  public DayuSettings with(Stragglers other) {
    return new DayuSettings(algorithm, rates, other, beta, bucketBytesPerSec, aim);
  }

  public DayuSettings withBeta(double share) {
    return new DayuSettings(algorithm, rates, stragglers, share, bucketBytesPerSec, aim);
  }

  public DayuSettings with(Aim other) {
    return new DayuSettings(algorithm, rates, stragglers, beta, bucketBytesPerSec, other);
  }
}
