package org.apache.hadoop.hdfs.server.blockmanagement;

import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;

/**
 * Places every block as stock HDFS does, but holds stock's recovery back while Dayu makes lost
 * replicas again. Rackweave's other policies do that too; this one is for who wants nothing else of
 * them.
 *
 * <p>A thin bridge, without state as its superclass.
 */
public class DayuBlockPlacementPolicy extends SinbadBlockPlacementPolicy {
  /** Built by HDFS through reflection. */
  public DayuBlockPlacementPolicy() {}

  @Override
  SinbadDecision decision(PlacementContext current, TargetCall call) {
    return new StocksDecision(this, current, call, FallbackReason.RECOVERY_ONLY);
  }
}
