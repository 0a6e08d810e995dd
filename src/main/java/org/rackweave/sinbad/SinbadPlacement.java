package org.rackweave.sinbad;

import java.util.random.RandomGenerator;
import org.rackweave.placement.Admission;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.telemetry.LinkLedger;

/**
 * Selects the links, and with them the DataNodes, that receive the replicas of one block.
 *
 * <p><b>Goals.</b> Each replica travels over the receive path with most expected capacity, {@code
 * min(Cap - Rx^, DiskWriteCap)} (Pseudocode 2).
 *
 * <p><b>Constraints.</b> Everything {@link Admission} refuses stays refused. At most {@code
 * maxPerRack} replicas a rack; distinct fault domains where the operator named some. No more than
 * {@code candidatesMax} candidates may be refused by admission. Failing any of this, nothing is
 * chosen and the decision names why.
 *
 * <p><b>Algorithm.</b> Slots are filled in HDFS's order. With {@link Spread#TWO_RACK}: the writer's
 * node (or the best host of its rack, or of the cluster); then the best rack elsewhere; then a
 * second host there; further replicas anywhere. With {@link Spread#DISTINCT_RACKS} every slot after
 * the first takes the best rack not used yet. Example, racks with 40, 90 and 70 MB/s to spare,
 * writer in the first, three replicas: TWO_RACK gives (writer, best of rack 2, second of rack 2),
 * DISTINCT_RACKS gives (writer, best of rack 2, best of rack 3).
 *
 * <p>The same request on the same ledger with the same random gives the same decision. The caller
 * commits it with {@link #commit}. Immutable, safe for use by many threads.
 */
public final class SinbadPlacement {
  private final Spread spread;
  private final int candidatesMax;

  /**
   * @param candidatesMax candidates that admission may refuse before we give up, at least 1
   */
  public SinbadPlacement(Spread spread, int candidatesMax) {
    this.spread = spread;
    this.candidatesMax = candidatesMax;
  }

  /** Decides; changes neither ledger nor request. */
  public PlacementDecision place(
      LinkLedger links, PlacementRequest request, Admission admission, RandomGenerator random) {
    return new Selection(links, request, admission, random, spread, candidatesMax)
        .fillAll(
            spread == Spread.DISTINCT_RACKS
                ? FallbackReason.NOT_ENOUGH_RACKS
                : FallbackReason.NOT_ENOUGH_NODES);
  }

  /**
   * Promises the bytes of a decision to the links they will cross (hysteresis). A local copy
   * crosses none; a pipeline enters each rack once.
   *
   * @param pipeline the nodes that receive the block, in pipeline order
   * @param nowMs time on the ledger's clock
   */
  public void commit(LinkLedger links, PlacementRequest request, int[] pipeline, long nowMs) {
    int rackBefore = request.writerRack();
    for (int next, i = 0; i < pipeline.length; i = next) {
      int rack = links.topology().rackOf(pipeline[i]);
      next = i + 1;
      if (receives(request, pipeline[i])) {
        while (next < pipeline.length
            && links.topology().rackOf(pipeline[next]) == rack
            && receives(request, pipeline[next])) {
          next++;
        }
        links.reserve(pipeline, i, next, rack != rackBefore, request.sizeBytes(), nowMs);
      } else if (!contains(request.existing(), pipeline[i])) {
        links.orderLocally(pipeline[i]);
      }
      rackBefore = rack;
    }
  }

  /** Whether a node of the pipeline gets the block over its link. */
  private static boolean receives(PlacementRequest request, int node) {
    return node != request.writer() && !contains(request.existing(), node);
  }

  private static boolean contains(int[] nodes, int node) {
    for (int other : nodes) {
      if (other == node) {
        return true;
      }
    }
    return false;
  }
}
