package org.rackweave.cli.demo.cluster;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;

/**
 * An HDFS client on a host of a {@link ModelledNetwork}. HDFS's own reads blocks from sockets'
 * channels only, which the network's sockets lack. Connections are its own and serve one read each.
 */
public final class NetworkClient extends DFSClient {

  /**
   * @param address of its host
   */
  public NetworkClient(EmbeddedCluster cluster, String address) throws IOException {
    super(cluster.uri(), conf(cluster, address));
  }

  private static Configuration conf(EmbeddedCluster cluster, String address) {
    Configuration conf = cluster.clientConf(address);
    conf.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, address);
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_CAPACITY_KEY, 0);
    return conf;
  }

  @Override
  public Peer newConnectedPeer(
      InetSocketAddress address, Token<BlockTokenIdentifier> token, DatanodeID datanode)
      throws IOException {
    Peer peer = super.newConnectedPeer(address, token, datanode);
    ReadableByteChannel in = Channels.newChannel(peer.getInputStream());
    return (Peer)
        Proxy.newProxyInstance(
            Peer.class.getClassLoader(),
            new Class<?>[] {Peer.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getInputStreamChannel")) {
                return in;
              }
              try {
                return method.invoke(peer, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
