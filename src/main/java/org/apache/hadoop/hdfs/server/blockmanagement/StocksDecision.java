package org.apache.hadoop.hdfs.server.blockmanagement;

import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;

/** One call of {@code chooseTarget} that is not a policy's business, but stock HDFS's. */
final class StocksDecision extends SinbadDecision {
  private final FallbackReason reason;

  StocksDecision(
      SinbadBlockPlacementPolicy policy,
      PlacementContext context,
      TargetCall call,
      FallbackReason reason) {
    super(policy, context, call);
    this.reason = reason;
  }

  @Override
  FallbackReason decide() {
    return reason;
  }
}
