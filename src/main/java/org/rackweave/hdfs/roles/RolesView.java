package org.rackweave.hdfs.roles;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.ServerRole;
import org.rackweave.eafr.Servers;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/**
 * All DataNodes of a NameNode with numbers, those that sleep among them; HDFS takes dead ones out
 * of its own topology.
 *
 * @param datanodes by number
 * @param numbers by UUID
 * @param servers roles, loads and room
 */
record RolesView(
    List<DatanodeDescriptor> datanodes, Map<String, Integer> numbers, Servers servers) {

  /** A DataNode's own server threads that every heartbeat counts among its transfers. */
  private static final int IDLE_TRANSFERS = 1;

  /**
   * What is known of a DataNode besides.
   *
   * @param isSleepy whether it sleeps without being full
   * @param load {@code null} where its agent does not tell: then it counts as idle
   */
  record Part(ServerRole role, boolean isSleepy, ReadLoad load) {}

  static RolesView of(
      Iterable<DatanodeDescriptor> all, int capacity, Function<DatanodeDescriptor, Part> parts) {
    List<DatanodeDescriptor> datanodes = new ArrayList<>();
    all.forEach(datanodes::add);
    datanodes.sort(
        Comparator.comparing(DatanodeDescriptor::getNetworkLocation)
            .thenComparing(DatanodeDescriptor::getDatanodeUuid));
    List<NodePlace> places = new ArrayList<>(datanodes.size());
    Map<String, Integer> numbers = new HashMap<>();
    for (DatanodeDescriptor datanode : datanodes) {
      numbers.put(datanode.getDatanodeUuid(), places.size());
      places.add(new NodePlace(datanode.getXferAddr(), datanode.getNetworkLocation(), null));
    }
    Servers.Builder servers = Servers.of(ClusterTopology.of(places), capacity);
    for (int node = 0; node < datanodes.size(); node++) {
      DatanodeDescriptor datanode = datanodes.get(node);
      Part part = parts.apply(datanode);
      servers.role(node, part.role()).freeBytes(node, datanode.getRemaining());
      if (part.isSleepy()) {
        servers.sleepy(node);
      }
      if (part.load() != null) {
        servers.capacity(node, part.load().places());
      }
      if (part.role() != ServerRole.COLD) {
        servers.reads(node, part.load() == null ? 0 : part.load().reads());
        if (!datanode.isAlive() || !datanode.isInService()) {
          servers.failed(node);
        }
      }
    }
    return new RolesView(List.copyOf(datanodes), Map.copyOf(numbers), servers.build());
  }

  /** Blocks that are read from a DataNode or written to it now. */
  static int transfers(DatanodeDescriptor datanode) {
    return Math.max(0, datanode.getXceiverCount() - IDLE_TRANSFERS);
  }

  /** Whether blocks are read from a DataNode or written to it, or soon will be. */
  static boolean isBusy(DatanodeDescriptor datanode) {
    return transfers(datanode) > 0 || datanode.getBlocksScheduled() > 0;
  }

  /** Name of a DataNode, as operators see it. */
  String place(int node) {
    DatanodeDescriptor datanode = datanodes.get(node);
    return datanode.getHostName() + ':' + datanode.getXferPort();
  }

  int numberOf(DatanodeDescriptor datanode) {
    return numbers.getOrDefault(datanode.getDatanodeUuid(), ClusterTopology.NONE);
  }
}
