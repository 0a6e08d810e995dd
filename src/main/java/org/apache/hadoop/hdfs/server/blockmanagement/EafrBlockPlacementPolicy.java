package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.eafr.CopySources;
import org.rackweave.hdfs.eafr.Destinations;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;
import org.rackweave.hdfs.namenode.PlacementContext;
import org.rackweave.hdfs.namenode.PlacementState;
import org.rackweave.hdfs.roles.WakeHold;
import org.rackweave.model.ClusterTopology;

/**
 * EAFR's placement inside an unpatched NameNode: new replicas are drawn among hot DataNodes with
 * room, faster and less loaded ones with a higher chance (Eq. 9 to 12), and of a block with too
 * many the replica goes that is on the DataNode with least remaining capacity (Eq. 7), not the last
 * one on a hot DataNode, as far as HDFS's rules for racks and storage types allow. Where it is
 * enabled, sources of copies are chosen, too (Algorithm 4). Without {@code rackweave.eafr.paths} it
 * is stock.
 *
 * <p>A thin bridge, without state as its superclass.
 */
public class EafrBlockPlacementPolicy extends SinbadBlockPlacementPolicy {
  /** Built by HDFS through reflection. */
  public EafrBlockPlacementPolicy() {}

  @Override
  SinbadDecision decision(PlacementContext current, TargetCall call) {
    return new LotteryDecision(this, current, call);
  }

  @Override
  public DatanodeStorageInfo[] chooseTarget(
      String path,
      int replicas,
      Node writer,
      List<DatanodeStorageInfo> chosen,
      boolean returnChosen,
      Set<Node> excluded,
      long blockSizeBytes,
      BlockStoragePolicy storagePolicy,
      EnumSet<AddBlockFlag> flags) {
    DatanodeStorageInfo[] targets =
        super.chooseTarget(
            path,
            replicas,
            writer,
            chosen,
            returnChosen,
            excluded,
            blockSizeBytes,
            storagePolicy,
            flags);
    boolean isCopy = flags == null && !returnChosen && targets.length > 0;
    if (isCopy && WakeHold.isStocks(Thread.currentThread())) {
      HookGuard.run(Hook.COPY_SOURCE, () -> chooseSource(writer, chosen, targets));
    }
    return targets;
  }

  /**
   * Has a copy that HDFS's monitor is going to order read where Algorithm 4 says.
   *
   * @param live replicas
   */
  private void chooseSource(
      Node drawn, List<DatanodeStorageInfo> live, DatanodeStorageInfo[] targets) {
    PlacementContext current = attachedContext();
    if (refuse(current) != null
        || current.mode() != Mode.ACTIVE
        || current.destinations() == null) {
      return;
    }
    Destinations destinations = current.destinations();
    PlacementState state = current.state();
    if (destinations.sources() == null || destinations.servers().topology() != state.topology()) {
      return;
    }
    int[] holders =
        live.stream()
            .mapToInt(replica -> state.numberOf(replica.getDatanodeDescriptor()))
            .toArray();
    destinations
        .sources()
        .choose(
            destinations.servers(),
            state.datanodes(),
            new CopySources.Copy(targets, state.numberOf(drawn), holders),
            Time.monotonicNow());
  }

  /** Called under the namesystem's write lock; looks at the block's replicas only. */
  @Override
  public List<DatanodeStorageInfo> chooseReplicasToDelete(
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expectedReplicas,
      List<StorageType> excessTypes,
      DatanodeDescriptor added,
      DatanodeDescriptor hint) {
    // A replica that has been moved on purpose goes from where it was.
    if (added == null && hint == null) {
      List<DatanodeStorageInfo> chosen =
          HookGuard.call(
              Hook.EXCESS_REPLICAS,
              null,
              () -> leastRemaining(candidates, expectedReplicas, excessTypes));
      if (chosen != null) {
        return chosen;
      }
    }
    return super.chooseReplicasToDelete(
        available, candidates, expectedReplicas, excessTypes, added, hint);
  }

  /** The replicas that Eq. 7 says, {@code null} where HDFS has to choose. */
  private List<DatanodeStorageInfo> leastRemaining(
      Collection<DatanodeStorageInfo> candidates,
      int expectedReplicas,
      List<StorageType> excessTypes) {
    PlacementContext current = attachedContext();
    if (refuse(current) != null
        || current.mode() != Mode.ACTIVE
        || current.destinations() == null) {
      return null;
    }
    Destinations destinations = current.destinations();
    PlacementState state = current.state();
    if (destinations.servers().topology() != state.topology()) {
      return null;
    }
    List<DatanodeStorageInfo> left = new ArrayList<>(candidates);
    List<StorageType> typesLeft = new ArrayList<>(excessTypes);
    List<DatanodeStorageInfo> chosen = new ArrayList<>();
    while (left.size() > expectedReplicas) {
      int[] holders = holders(left, state);
      int node = holders == null ? ClusterTopology.NONE : destinations.deletion().surplus(holders);
      DatanodeStorageInfo storage = node == ClusterTopology.NONE ? null : on(node, left, state);
      if (storage == null || !typesLeft.remove(storage.getStorageType())) {
        return null;
      }
      left.remove(storage);
      chosen.add(storage);
    }
    return chosen;
  }

  /**
   * Node numbers, {@code null} where one is unknown, has two replicas, or has not been heard of.
   */
  private int[] holders(List<DatanodeStorageInfo> storages, PlacementState state) {
    long tolerableMs = Time.monotonicNow() - heartbeatInterval * tolerateHeartbeatMultiplier;
    int[] holders = new int[storages.size()];
    for (int i = 0; i < holders.length; i++) {
      DatanodeDescriptor datanode = storages.get(i).getDatanodeDescriptor();
      holders[i] = state.numberOf(datanode);
      if (holders[i] == ClusterTopology.NONE || datanode.getLastUpdateMonotonic() < tolerableMs) {
        return null;
      }
      for (int other = 0; other < i; other++) {
        if (holders[other] == holders[i]) {
          return null;
        }
      }
    }
    return holders;
  }

  private static DatanodeStorageInfo on(
      int node, List<DatanodeStorageInfo> storages, PlacementState state) {
    for (DatanodeStorageInfo storage : storages) {
      if (storage.getDatanodeDescriptor() == state.datanodes()[node]) {
        return storage;
      }
    }
    return null;
  }
}
