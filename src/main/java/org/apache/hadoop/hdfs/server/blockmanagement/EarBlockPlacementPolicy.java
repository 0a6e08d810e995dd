package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.Node;
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
  FallbackReason refuse(PlacementContext current, String path, boolean newBlock) {
    FallbackReason reason = refuseAll(current);
    if (reason != null || code(current, path, newBlock).isPresent()) {
      return reason;
    }
    return current.config().ear().ranking() == Ranking.SINBAD
        ? refuseForLinks(current)
        : FallbackReason.NO_CODE;
  }

  @Override
  SinbadDecision decision(
      PlacementContext current,
      String path,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      Set<Node> excluded,
      long blockSizeBytes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    Optional<ErasureCode> code = code(current, path, flags != null);
    if (code.isEmpty()) {
      return super.decision(
          current, path, writer, chosen, excluded, blockSizeBytes, storagePolicy, flags);
    }
    return new StripeDecision(
        this,
        code.get(),
        current,
        path,
        writer,
        chosen,
        excluded,
        blockSizeBytes,
        storagePolicy,
        flags);
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

  private static Optional<ErasureCode> code(
      PlacementContext current, String path, boolean newBlock) {
    StripeBook stripes = current.stripes();
    return newBlock && stripes != null ? stripes.config().paths().of(path) : Optional.empty();
  }
}
