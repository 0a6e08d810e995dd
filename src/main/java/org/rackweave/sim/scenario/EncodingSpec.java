package org.rackweave.sim.scenario;

import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRules;

/**
 * Stripes: what EAR forms of the blocks it places, and those there are before a run begins, which
 * are encoded in it.
 *
 * @param code of every stripe
 * @param rackLimit most blocks of an encoded stripe in one rack, EAR's c
 * @param targetRacks racks an encoded stripe keeps to under EAR, its R'; {@link
 *     StripeRules#ALL_RACKS}
 * @param stripes that are there when a run begins
 * @param blockBytes size of each of their blocks
 * @param replication replicas of each of their blocks
 * @param writers who wrote them
 * @param atMs when they begin to be encoded
 * @param tasks map tasks that encode, each one stripe after another
 * @param arithmeticBytesPerSec data that a task computes parity of; infinite for no time at all
 * @param relocates whether blocks that break the rack limit are moved afterwards
 */
public record EncodingSpec(
    ErasureCode code,
    int rackLimit,
    int targetRacks,
    int stripes,
    long blockBytes,
    int replication,
    Writers writers,
    long atMs,
    int tasks,
    double arithmeticBytesPerSec,
    boolean relocates) {

  /** Who wrote the blocks that are there when a run begins. */
  public enum Writers {
    /** Any node, each as likely. */
    RANDOM,
    /** One node after another. */
    IN_TURN
  }

  /**
   * @throws IllegalArgumentException when code, rack limit and target racks do not go together
   */
  public EncodingSpec {
    rulesOf(code, rackLimit, targetRacks);
  }

  /** How EAR forms stripes. */
  public StripeRules rules() {
    return rulesOf(code, rackLimit, targetRacks);
  }

  private static StripeRules rulesOf(ErasureCode code, int rackLimit, int targetRacks) {
    return StripeRules.of(code).withRackLimit(rackLimit).withTargetRacks(targetRacks);
  }
}
