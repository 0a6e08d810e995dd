package org.rackweave.hdfs.datanode;

import java.io.IOException;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** Live traffic counters of one DataNode. All of them move with every packet. */
public interface OwnTraffic {

  /** A heartbeat that is due so soon is not hastened. */
  long DUE_ANYWAY_MS = 200;

  /** Opens the counters of DataNodes, which Hadoop keeps to its own packages. */
  interface Access {
    /**
     * @param dataNode a started DataNode
     */
    OwnTraffic of(DataNode dataNode);
  }

  /** Whose traffic it is. */
  DataNode dataNode();

  /** UUID of the DataNode; null before its first registration. */
  String datanodeUuid();

  /** Namespaces that it serves, or is to serve as soon as their NameNodes answer; at least 1. */
  int namespaces();

  /** Counts what is sent from now on; to be repeated, since a reconfiguration may undo it. */
  void attach();

  /** Leaves the DataNode as it was. */
  void detach();

  /** Bytes of blocks received from clients and other DataNodes. */
  long bytesWritten();

  /** Bytes served to remote readers and copied to other DataNodes. */
  long bytesSent();

  /** Packets of blocks received. */
  long packetsReceived();

  /**
   * Acknowledgements received from the next DataNode of a write pipeline, one for every packet
   * forwarded; may start again at 0 at any time.
   */
  long downstreamAcks();

  /** Transfers that send a block now: reads and copies to other DataNodes. */
  int readers();

  /** Transfers that receive a block now. */
  int writers();

  /**
   * Begins to copy a block to other DataNodes, as HDFS does at its NameNode's command, at a pace.
   * Looks at the replica's files and returns.
   *
   * @throws IOException as HDFS's own
   */
  void transfer(
      ExtendedBlock block, DatanodeInfo[] targets, StorageType[] types, String[] ids, Pace pace)
      throws IOException;

  /**
   * Has heartbeats made at once, on HDFS's own threads: to every NameNode whose next one is not due
   * within {@value #DUE_ANYWAY_MS} ms anyway. Does not wait for them.
   *
   * @return whether there is such a NameNode
   */
  boolean heartbeatNow();
}
