package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.ipc.RPC;

/** The RPC servers of a NameNode, which Hadoop keeps to its own package. */
public final class RpcServers {
  private RpcServers() {}

  /** The client server, and the service server where one is configured. */
  public static List<RPC.Server> of(NameNode nameNode) {
    NameNodeRpcServer rpc = (NameNodeRpcServer) nameNode.getRpcServer();
    List<RPC.Server> servers = new ArrayList<>(2);
    servers.add(rpc.getClientRpcServer());
    if (rpc.getServiceRpcServer() != null) {
      servers.add(rpc.getServiceRpcServer());
    }
    return servers;
  }
}
