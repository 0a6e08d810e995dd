package org.rackweave.sim.scenario;

import java.util.Optional;
import org.rackweave.dayu.RecoveryBandwidth;
import org.rackweave.sim.workload.Distribution;
import org.rackweave.sim.workload.LostChunks;

/**
 * A node that has failed, and by which rules what it held is copied.
 *
 * @param chunks it held
 * @param waiting chunks for each node of the cluster that wait whenever a plan is made, endlessly;
 *     0 for those that the node held and no more
 * @param chunkBytes size of each, drawn
 * @param layout how their replicas stand in racks
 * @param slotMs how long a plan looks ahead, and how often one is made unless that is said
 * @param replan how often bandwidth is reported and a plan is made, if slots overlap
 * @param reportWeight weight of a report in the moving average that plans go by; 1 for the last
 * @param alpha share of a link that foreground and recovery may take together (Eq. 1)
 * @param minBytesPerSec what recovery gets of a node's link in any case (B_min)
 * @param crossing share of a node's foreground that crosses the link of its rack
 * @param contention who gets what of a link that is too narrow for foreground and recovery
 */
public record RecoverySpec(
    int chunks,
    int waiting,
    Distribution chunkBytes,
    LostChunks.Layout layout,
    long slotMs,
    Optional<Long> replan,
    double reportWeight,
    double alpha,
    double minBytesPerSec,
    double crossing,
    Contention contention) {

  /** Who gets what of a link that is asked for more than it carries; the paper leaves it open. */
  public enum Contention {
    /** The foreground gets all it wants. */
    FOREGROUND_FIRST,
    /** The foreground gets all it wants but B_min, which a node assigns to recovery (Eq. 1). */
    MINIMUM_FIRST,
    /** Both get the same share of what they want. */
    PROPORTIONAL
  }

  /** Whether anything is recovered. */
  public boolean recovers() {
    return chunks > 0 || endless();
  }

  /** Whether another chunk waits for each that is there again. */
  public boolean endless() {
    return waiting > 0;
  }

  /** Chunks that wait at first in a cluster of so many nodes. */
  public int chunksAtFirst(int nodes) {
    return endless() ? waiting * nodes : chunks;
  }

  /** How often bandwidth is reported and a plan is made, no less often than slots begin. */
  public long replanMs() {
    return Math.min(slotMs, replan.orElse(slotMs));
  }

  /** Eq. 1 of a node's link. */
  public RecoveryBandwidth bandwidth() {
    return new RecoveryBandwidth(alpha, minBytesPerSec, RecoveryBandwidth.DEFAULT.minShare());
  }

  /** The same with fewer chunks. */
  public RecoverySpec withChunks(int fewer) {
    return new RecoverySpec(
        fewer,
        waiting,
        chunkBytes,
        layout,
        slotMs,
        replan,
        reportWeight,
        alpha,
        minBytesPerSec,
        crossing,
        contention);
  }
}
