package org.rackweave.sim.scenario;

import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRules;

/**
 * Stripes: what EAR forms of the blocks it places, and those there are before a run begins, which
 * are encoded in it.
 */
public record EncodingSpec(
    @Default("rs-10-4") @Meaning("the code: n - k parity blocks for k blocks") ErasureCode code,
    @Allowed("1 to 255") @Default("1") @Meaning("most blocks of an encoded stripe in one rack (c)")
        int rackLimit,
    @Allowed(value = "1 to 10000, or all", or = StripeRules.ALL_RACKS)
        @Default("all")
        @Meaning("racks of a stripe under EAR (R')")
        int targetRacks,
    @Allowed("0 to 1000000")
        @Default("0")
        @Meaning(
            "stripes that exist from the start, where each policy placed them, and are"
                + " encoded")
        int stripes,
    @Allowed("1B to 1TiB") @Default("64MiB") @Meaning("size of their blocks") long blockBytes,
    @Allowed("2 to 512") @Default("3") @Meaning("replicas of their blocks") int replication,
    @Default("random") @Meaning("their writers: random nodes, or nodes in turn") Writers writers,
    @Allowed("0ms to 365d") @Default("0ms") @Meaning("when encoding begins") long atMs,
    @Allowed("1 to 10000")
        @Default("20")
        @Meaning(
            "concurrent map tasks, each encoding one stripe after another: on random nodes,"
                + " under EAR in the stripes' core racks")
        int tasks,
    @Allowed(value = "1kB/s to 1Tbps, or unlimited", or = Double.POSITIVE_INFINITY)
        @Default("unlimited")
        @Meaning("speed at which a task computes parity, after it has read the stripe")
        double arithmeticBytesPerSec,
    @Default("yes")
        @Meaning(
            "whether blocks that break the rack limit are moved after parity is written;"
                + " they are counted in any case")
        boolean relocation) {

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

  /** Refuses stripes that the cluster's racks cannot hold. */
  void requireRoom(ClusterSpec cluster) {
    int room = cluster.racks() * Math.min(rackLimit, cluster.nodesPerRack());
    if (stripes > 0 && cluster.topologyFile().isEmpty() && room < code.blocks()) {
      throw new BadValueException(
          "encoding",
          String.format(
              "rack-limit %d lets these racks hold %d blocks of a stripe; %s has %d",
              rackLimit, room, code.name(), code.blocks()));
    }
  }
}
