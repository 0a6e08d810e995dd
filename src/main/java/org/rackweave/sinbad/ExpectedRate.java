package org.rackweave.sinbad;

import static org.rackweave.model.ClusterTopology.NONE;

import org.rackweave.model.ClusterTopology;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.telemetry.LinkLedger;

/**
 * How fast a block is likely to be written: the narrowest of all links of its pipeline, in bytes
 * per second. Candidates are ranked by what others leave; a newcomer on a full link gets more than
 * that, since TCP's senders make room for him, and an eighth of the link is what he is taken to
 * get.
 */
public final class ExpectedRate {
  private static final double LEAST_SHARE = 0.125;

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
        rate = Math.min(rate, into(links, node, rack != rackBefore, i < pipeline.length - 1));
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

  /** What a node gets over its link, and over its rack's if the block comes from elsewhere. */
  static double into(LinkLedger links, int node, boolean crossesRackLink, boolean passesOn) {
    ClusterTopology topology = links.topology();
    double host = passesOn ? links.expectedThroughHost(node) : links.expectedAtHost(node);
    double rate = Math.max(host, LEAST_SHARE * links.snapshot().hostCapacity(node));
    if (crossesRackLink && topology.rackCount() > 1) {
      int rack = topology.rackOf(node);
      double least = LEAST_SHARE * links.snapshot().rackCapacity(rack);
      rate = Math.min(rate, Math.max(links.expectedAtRack(rack), least));
    }
    return rate;
  }
}
