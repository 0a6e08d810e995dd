package org.rackweave.hdfs.eafr;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.apache.hadoop.util.Time;
import org.rackweave.eafr.ReadOrder;
import org.rackweave.eafr.ReadQueues;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.model.ClusterTopology;

/**
 * Sends readers to replicas: translates HDFS's nodes into numbers, has them ordered by load, rack
 * and queue, and is told where the reader was sent. Safe for use by many threads; allocates a few
 * dozen bytes a block.
 */
public final class ReadRouting {
  private final ClusterTopology topology;
  private final ReadOrder order;
  private final ReadQueues queues;

  /** By UUID, since HDFS sorts copies of its records. */
  private final NodeNumbers numbers;

  private ReadRouting(
      ClusterTopology topology, ReadOrder order, ReadQueues queues, NodeNumbers numbers) {
    this.topology = topology;
    this.order = order;
    this.queues = queues;
    this.numbers = numbers;
  }

  /**
   * For a cluster as it is now.
   *
   * @param queues of as many servers, the same as long as the cluster is
   */
  public static ReadRouting of(ClusterView cluster, Servers servers, ReadQueues queues) {
    String[] uuids = new String[cluster.datanodes().length];
    Arrays.setAll(uuids, node -> cluster.datanodes()[node].getDatanodeUuid());
    return new ReadRouting(
        cluster.topology(), ReadOrder.byLoad(servers, queues), queues, new NodeNumbers(uuids));
  }

  /** The same with other roles and failures. */
  ReadRouting with(Servers servers) {
    return new ReadRouting(topology, ReadOrder.byLoad(servers, queues), queues, numbers);
  }

  /**
   * Orders the replicas of a block in place.
   *
   * @param reader who reads, {@code null} when nothing is known of it
   * @param nodes servers with a replica
   * @param count how many of them are to be ordered; those behind stay where they are
   * @return false when they are left as they are, because one of them is not known here
   */
  public <T extends Node> boolean arrange(Node reader, T[] nodes, int count) {
    int[] known = new int[count];
    for (int i = 0; i < count; i++) {
      known[i] =
          nodes[i] instanceof DatanodeInfo datanode
              ? numbers.of(datanode.getDatanodeUuid())
              : NodeNumbers.UNKNOWN;
      if (known[i] == NodeNumbers.UNKNOWN) {
        return false;
      }
    }
    int readerNumber = numberOf(reader);
    int readerRack =
        readerNumber != ClusterTopology.NONE
            ? topology.rackOf(readerNumber)
            : reader == null ? ClusterTopology.NONE : rackOf(reader);
    int[] arranged = known.clone();
    order.arrange(
        arranged,
        count,
        readerNumber,
        readerRack,
        Time.monotonicNow(),
        ThreadLocalRandom.current());
    for (int i = 0; i < count; i++) {
      int at = i;
      while (known[at] != arranged[i]) {
        at++;
      }
      T node = nodes[at];
      nodes[at] = nodes[i];
      nodes[i] = node;
      known[at] = known[i];
      known[i] = arranged[i];
    }
    return true;
  }

  /**
   * A reader was sent to a server. Who opens a file hears of ten blocks and reads one at a time, so
   * it is one reader more, of the first block.
   */
  void sent(String datanodeUuid) {
    int node = numbers.of(datanodeUuid);
    if (node != NodeNumbers.UNKNOWN) {
      queues.sent(node, Time.monotonicNow());
    }
  }

  private int numberOf(Node reader) {
    int number =
        reader instanceof DatanodeDescriptor datanode
            ? numbers.of(datanode.getDatanodeUuid())
            : NodeNumbers.UNKNOWN;
    return number == NodeNumbers.UNKNOWN ? ClusterTopology.NONE : number;
  }

  private int rackOf(Node reader) {
    String location = reader.getNetworkLocation();
    return location.equals(NodeBase.ROOT) ? ClusterTopology.NONE : topology.rackAt(location);
  }
}
