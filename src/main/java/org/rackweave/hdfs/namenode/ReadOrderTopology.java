package org.rackweave.hdfs.namenode;

import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.net.DFSNetworkTopology;
import org.apache.hadoop.net.Node;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.eafr.ReadRouting;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * HDFS's network topology, in which readers are sent to the replica with the shortest queue of
 * those nearest (EAFR, Algorithm 3). Name it in {@code dfs.net.topology.impl} of a NameNode. Stock
 * HDFS sorts where Rackweave is off or in shadow mode, has not heard of a DataNode yet, or an
 * operator has HDFS itself order equally near replicas ({@code dfs.namenode.read.considerLoad},
 * {@code considerStorageType}).
 *
 * <p>Called by RPC handlers without any lock, for every block of every getBlockLocations.
 */
public final class ReadOrderTopology extends DFSNetworkTopology {
  private volatile PlacementContext context;

  @Override
  public <T extends Node> void sortByDistance(
      Node reader, T[] nodes, int activeLen, Consumer<List<T>> secondarySort) {
    if (secondarySort != null || !arrange(reader, nodes, activeLen)) {
      super.sortByDistance(reader, nodes, activeLen, secondarySort);
    }
  }

  @Override
  public <T extends Node> void sortByDistanceUsingNetworkLocation(
      Node reader, T[] nodes, int activeLen, Consumer<List<T>> secondarySort) {
    if (secondarySort != null || !arrange(reader, nodes, activeLen)) {
      super.sortByDistanceUsingNetworkLocation(reader, nodes, activeLen, secondarySort);
    }
  }

  private <T extends Node> boolean arrange(Node reader, T[] nodes, int activeLen) {
    return HookGuard.call(Hook.READ_ORDER, false, () -> isArranged(reader, nodes, activeLen));
  }

  private <T extends Node> boolean isArranged(Node reader, T[] nodes, int activeLen) {
    PlacementContext current = attachedContext();
    ReadRouting routing = current == null ? null : current.readRouting();
    if (routing == null || !current.modes().isActive(Feature.READ_ORDER)) {
      return false;
    }
    boolean isArranged = routing.arrange(reader, nodes, activeLen);
    current.metrics().readOrdered(isArranged);
    return isArranged;
  }

  private PlacementContext attachedContext() {
    PlacementContext known = context;
    if (known == null || known.isClosed()) {
      known = PlacementContexts.find(this);
      context = known;
    }
    return known;
  }
}
