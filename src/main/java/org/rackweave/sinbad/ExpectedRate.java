package org.rackweave.sinbad;

import static org.rackweave.model.ClusterTopology.NONE;

import org.rackweave.placement.PlacementRequest;
import org.rackweave.telemetry.LinkLedger;

/**
 * How fast a block is likely to be written: as the narrowest of all links and disks of its pipeline
 * lets it, in bytes per second.
 */
public final class ExpectedRate {
  private ExpectedRate() {}

  /**
   * The rate of a pipeline, before its bytes are promised to the links.
   *
   * @param pipeline the nodes that receive the block, in their order; at least one
   */
  public static double of(LinkLedger links, PlacementRequest request, int[] pipeline) {
    double rate = links.snapshot().diskWriteBytesPerSec();
    int rackBefore = request.writerRack();
    for (int i = 0; i < pipeline.length; i++) {
      int node = pipeline[i];
      int rack = links.topology().rackOf(node);
      if (node != request.writer()) {
        rate =
            Math.min(rate, links.likelyAtHost(node, rack != rackBefore, i < pipeline.length - 1));
        if (i == 0 || pipeline[i - 1] == request.writer()) {
          rate = Math.min(rate, outOf(links, request.writer()));
        }
      }
      rackBefore = rack;
    }
    return rate;
  }

  private static double outOf(LinkLedger links, int writer) {
    return writer == NONE ? Double.POSITIVE_INFINITY : links.mostFrom(writer);
  }
}
