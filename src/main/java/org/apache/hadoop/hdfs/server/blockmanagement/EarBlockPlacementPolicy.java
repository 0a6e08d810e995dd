package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.EarConfig.Ranking;
import org.rackweave.hdfs.ear.KeptReplica;
import org.rackweave.hdfs.ear.StripeBook;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.placement.FallbackReason;

/**
 * Encoding-aware placement (EAR) inside an unpatched NameNode: blocks of directories that {@code
 * rackweave.ear.paths} names are placed so that their stripes can be encoded inside one rack.
 * Everything else is left to stock, or to Sinbad where {@code rackweave.ear.ranking} says so, which
 * then also proposes the nodes of stripes.
 *
 * <p>A thin bridge, without state as its superclass.
 */
public class EarBlockPlacementPolicy extends SinbadBlockPlacementPolicy {
  /** Built by HDFS through reflection. */
  public EarBlockPlacementPolicy() {}

  @Override
  SinbadDecision decision(PlacementContext current, TargetCall call) {
    StripeBook stripes = current.stripes();
    Optional<ErasureCode> code =
        call.isNewBlock() && stripes != null
            ? stripes.config().paths().of(call.path())
            : Optional.empty();
    if (code.isPresent()) {
      return new StripeDecision(this, code.get(), current, call);
    }
    return current.config().ear().ranking() == Ranking.SINBAD
        ? super.decision(current, call)
        : new StocksDecision(this, current, call, FallbackReason.NO_CODE);
  }

  /** Of an encoded block the replica stays that its stripe needs; of any other, HDFS's choice. */
  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expectedReplicas,
      List<StorageType> excessTypes,
      DatanodeDescriptor added,
      DatanodeDescriptor hint) {
    DatanodeDescriptor kept = KeptReplica.current();
    if (kept == null) {
      return super.chooseReplicasToDelete(
          available, candidates, expectedReplicas, excessTypes, added, hint);
    }
    return candidates.stream()
        .filter(storage -> storage.getDatanodeDescriptor() != kept)
        .limit(Math.max(0, available.size() - expectedReplicas))
        .toList();
  }
}
