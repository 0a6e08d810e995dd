package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.Node;
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

  private final String path;
  private final int replicas;

  LotteryDecision(
      SinbadBlockPlacementPolicy policy,
      PlacementContext context,
      String path,
      Node writer,
      List<DatanodeStorageInfo> existing,
      Set<Node> excluded,
      long blockSizeBytes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    super(policy, context, path, writer, existing, excluded, blockSizeBytes, storagePolicy, flags);
    this.path = path;
    replicas = existing.size();
  }

  /** At once, however small the block. */
  @Override
  FallbackReason decide(int replicas) {
    return place(replicas, blockSizeBytes());
  }

  @Override
  PlacementDecision choose(PlacementRequest wanted) {
    Destinations destinations = context().destinations();
    if (destinations == null || destinations.servers().topology() != state().topology()) {
      // DataNodes came or went, and the odds are of those before; there will be new ones at once.
      return PlacementDecision.fallback(FallbackReason.NO_ODDS, NOBODY);
    }
    ReplicaChooser chooser =
        !isNewBlock() && WakeHold.isStocks(Thread.currentThread())
            ? destinations.chooser(path, replicas)
            : destinations.lottery();
    return chooser.choose(wanted, freshAdmission(), ThreadLocalRandom.current());
  }
}
