package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.concurrent.ThreadLocalRandom;
import org.rackweave.hdfs.eafr.Destinations;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.hdfs.roles.WakeHold;
import org.rackweave.placement.FallbackReason;
import org.rackweave.placement.PlacementDecision;
import org.rackweave.placement.PlacementRequest;
import org.rackweave.placement.ReplicaChooser;

/**
 * One call of {@code chooseTarget} that is decided by EAFR's lottery, or in turn where a replica is
 * made again. Single-threaded.
 */
final class LotteryDecision extends SinbadDecision {
  private static final int[] NOBODY = {};

  LotteryDecision(SinbadBlockPlacementPolicy policy, PlacementContext context, TargetCall call) {
    super(policy, context, call);
  }

  /** At once, however small the block. */
  @Override
  FallbackReason decide() {
    return context().destinations() == null
        ? FallbackReason.NO_ODDS
        : place(call().blockSizeBytes());
  }

  @Override
  PlacementDecision choose(PlacementRequest wanted) {
    Destinations destinations = context().destinations();
    if (destinations == null || destinations.servers().topology() != state().topology()) {
      // DataNodes came or went, and the odds are of those before; there will be new ones at once.
      return PlacementDecision.fallback(FallbackReason.NO_ODDS, NOBODY);
    }
    ReplicaChooser chooser =
        !call().isNewBlock() && WakeHold.isStocks(Thread.currentThread())
            ? destinations.chooser(call().path(), call().existing().size())
            : destinations.lottery();
    return chooser.choose(wanted, freshAdmission(), ThreadLocalRandom.current());
  }
}
