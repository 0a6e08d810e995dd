package org.rackweave.hdfs.namenode;

import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RPC;

/** The RPC servers of a NameNode, which Hadoop keeps to its own package. */
public interface RpcServers {
  /** The client server, and the service server where one is configured. */
  List<RPC.Server> of(NameNode nameNode);
}
