package org.rackweave.dayu;

import org.rackweave.model.Require;

/**
 * How much of a link recovery may use (section 2.1, Eq. 1).
 *
 * @param alpha share of a link that foreground and recovery together may take, above 0 to 1
 * @param minBytesPerSec the paper's B_min: what recovery gets whatever the foreground takes
 * @param minShare most of a link that B_min may be, 0 to 1; the paper's links are 250 MB/s and need
 *     no such cap, on a link of 100 Mbit/s B_min alone would be more than the link has
 * @param leastShare least of a link that B_min is, 0 to 1, for faster links than the paper's
 * @param portion of B_recover that is taken, above 0 to 1
 */
public record RecoveryBandwidth(
    double alpha, double minBytesPerSec, double minShare, double leastShare, double portion) {

  /** As in the paper, with B_min capped at a quarter of a link. */
  public static final RecoveryBandwidth DEFAULT = new RecoveryBandwidth(0.75, 30e6, 0.25);

  /** The same, with the paper's share of a link, 30 of 250 MB/s, on faster ones. */
  public static final RecoveryBandwidth SCALED = new RecoveryBandwidth(0.75, 30e6, 0.25, 0.12);

  /** With all of B_recover. */
  public RecoveryBandwidth(
      double alpha, double minBytesPerSec, double minShare, double leastShare) {
    this(alpha, minBytesPerSec, minShare, leastShare, 1);
  }

  /** With a B_min that is the same for fast links. */
  public RecoveryBandwidth(double alpha, double minBytesPerSec, double minShare) {
    this(alpha, minBytesPerSec, minShare, 0);
  }

  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public RecoveryBandwidth {
    Require.that(alpha > 0 && alpha <= 1, "alpha", alpha, "(0, 1]");
    Require.rate("minBytesPerSec", minBytesPerSec);
    Require.within("minShare", minShare, 0, 1);
    Require.within("leastShare", leastShare, 0, 1);
    Require.that(portion > 0 && portion <= 1, "portion", portion, "(0, 1]");
  }

  /**
   * The same for a link that hosts share: each brings its B_min with it.
   *
   * @param hosts how many, or how many hosts' links are as wide as that one
   */
  public RecoveryBandwidth ofShared(double hosts) {
    return new RecoveryBandwidth(alpha, minBytesPerSec * hosts, minShare, leastShare, portion);
  }

  /** The same of which recovery takes a portion, above 0 to 1. */
  public RecoveryBandwidth times(double share) {
    return new RecoveryBandwidth(alpha, minBytesPerSec, minShare, leastShare, share);
  }

  /**
   * B_recover of a link in one direction, bytes per second.
   *
   * @param totalBytesPerSec what the link can carry
   * @param foregroundBytesPerSec what others than recovery send over it
   */
  public double of(double totalBytesPerSec, double foregroundBytesPerSec) {
    Require.rate("totalBytesPerSec", totalBytesPerSec);
    Require.rate("foregroundBytesPerSec", foregroundBytesPerSec);
    return portion
        * Math.max(alpha * totalBytesPerSec - foregroundBytesPerSec, floor(totalBytesPerSec));
  }

  /** Whether the foreground leaves no more than B_min, or not even that. */
  public boolean isCrowded(double totalBytesPerSec, double foregroundBytesPerSec) {
    return alpha * totalBytesPerSec - foregroundBytesPerSec <= floor(totalBytesPerSec);
  }

  private double floor(double totalBytesPerSec) {
    double least = Math.max(minBytesPerSec, leastShare * totalBytesPerSec);
    return Math.min(least, minShare * totalBytesPerSec);
  }

  /** What a link carries beyond alpha (Eq. 3), bytes per second. */
  public double overload(double totalBytesPerSec, double carriedBytesPerSec) {
    return Math.max(carriedBytesPerSec - alpha * totalBytesPerSec, 0);
  }
}
