package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.ipc.RPC;
import org.rackweave.hdfs.namenode.RpcServers;

/** Bridge: the RPC servers of a NameNode. */
public final class NameNodeRpcServers implements RpcServers {
  @Override
  public List<RPC.Server> of(NameNode nameNode) {
    NameNodeRpcServer rpc = (NameNodeRpcServer) nameNode.getRpcServer();
    List<RPC.Server> servers = new ArrayList<>(2);
    servers.add(rpc.getClientRpcServer());
    if (rpc.getServiceRpcServer() != null) {
      servers.add(rpc.getServiceRpcServer());
    }
    return servers;
  }
}
