package org.rackweave.ear;

import org.rackweave.model.ClusterTopology;

/**
 * How stripes of one code are formed.
 *
 * @param code the code
 * @param rackLimit most blocks of a stripe in one rack once it is encoded, the paper's c; 1 to the
 *     code's parity blocks
 * @param targetRacks racks a stripe keeps to, the paper's R'; {@link #ALL_RACKS}, or at least
 *     {@link #racksNeeded}
 * @param openStripesMax stripes that may wait for blocks in one core rack, at least 1
 * @param sealAgeMs age at which a stripe is sealed with the blocks it has, positive
 * @param seatAgeMs how long a place in a stripe is kept for a block whose id was never learned,
 *     positive
 */
public record StripeRules(
    ErasureCode code,
    int rackLimit,
    int targetRacks,
    int openStripesMax,
    long sealAgeMs,
    long seatAgeMs) {

  /** A stripe may use every rack there is. */
  public static final int ALL_RACKS = 0;

  private static final int OPEN_STRIPES_MAX = 4;
  private static final long SEAL_AGE_MS = 24 * 3600_000L;
  private static final long SEAT_AGE_MS = 600_000L;

  /**
   * @throws IllegalArgumentException naming the value and its range
   */
  public StripeRules {
    int parity = code.parityBlocks();
    require(
        rackLimit >= 1 && rackLimit <= parity,
        code.name() + " keeps 1 to " + parity + " blocks in a rack, not " + rackLimit);
    int needed = racksNeeded(code, rackLimit);
    require(
        targetRacks == ALL_RACKS || targetRacks >= needed,
        code.name()
            + " at "
            + rackLimit
            + " a rack needs "
            + needed
            + " racks, not "
            + targetRacks);
    require(openStripesMax >= 1, "openStripesMax is at least 1, not " + openStripesMax);
    require(sealAgeMs > 0, "sealAgeMs is positive, not " + sealAgeMs);
    require(seatAgeMs > 0, "seatAgeMs is positive, not " + seatAgeMs);
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(otherwise);
    }
  }

  /** One block of a stripe a rack, over all racks. */
  public static StripeRules of(ErasureCode code) {
    return new StripeRules(code, 1, ALL_RACKS, OPEN_STRIPES_MAX, SEAL_AGE_MS, SEAT_AGE_MS);
  }

  public StripeRules withRackLimit(int blocks) {
    return new StripeRules(code, blocks, targetRacks, openStripesMax, sealAgeMs, seatAgeMs);
  }

  public StripeRules withTargetRacks(int racks) {
    return new StripeRules(code, rackLimit, racks, openStripesMax, sealAgeMs, seatAgeMs);
  }

  public StripeRules withSealAgeMs(long ageMs) {
    return new StripeRules(code, rackLimit, targetRacks, openStripesMax, ageMs, seatAgeMs);
  }

  /** Nodes that may fail together without a loss: n - k. */
  public int nodeFailures() {
    return code.parityBlocks();
  }

  /** Racks that may fail together without a loss: floor((n - k) / c). */
  public int rackFailures() {
    return code.parityBlocks() / rackLimit;
  }

  /** Racks a stripe needs at least: ceil(n / c). */
  public int racksNeeded() {
    return racksNeeded(code, rackLimit);
  }

  private static int racksNeeded(ErasureCode code, int rackLimit) {
    return (code.blocks() + rackLimit - 1) / rackLimit;
  }

  /** Whether a stripe keeps to some of that many racks. */
  boolean limitsRacks(int racks) {
    return targetRacks != ALL_RACKS && targetRacks < racks;
  }

  /** Blocks of one stripe that a cluster can hold: at most c in a rack, one on a node. */
  public int roomIn(ClusterTopology topology) {
    int room = 0;
    for (int rack = 0; rack < topology.rackCount(); rack++) {
      room += roomIn(topology, rack);
    }
    return room;
  }

  int roomIn(ClusterTopology topology, int rack) {
    return Math.min(rackLimit, topology.rackSize(rack));
  }

  /**
   * The paper's bound on the layouts to be drawn for a block, in the mean: 1 / (1 - floor((i - 1) /
   * c) / (R' - 1)).
   *
   * @param block the paper's i: which block of its stripe it is, from 1
   * @param racks racks of the cluster
   * @return infinity when every other rack may be full
   */
  public double drawsBound(int block, int racks) {
    int targets = limitsRacks(racks) ? targetRacks : racks;
    double full = (double) ((block - 1) / rackLimit) / (targets - 1);
    return full >= 1 ? Double.POSITIVE_INFINITY : 1 / (1 - full);
  }
}
