package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;

/** A DataNode, which makes its block tokens itself. */
final class DataNodeOrigin implements TransferOrigin {
  private final DataNode dataNode;
  private final int connectMs;

  DataNodeOrigin(DataNode dataNode) {
    this(dataNode, dataNode.getDnConf().getSocketTimeout());
  }

  /**
   * @param connectMs how long another DataNode may take to answer to a connection, if that is less
   *     than HDFS would wait
   */
  DataNodeOrigin(DataNode dataNode, int connectMs) {
    this.dataNode = dataNode;
    int hdfsMs = dataNode.getDnConf().getSocketTimeout();
    this.connectMs = hdfsMs == 0 ? connectMs : Math.min(connectMs, hdfsMs); // 0: without limit
  }

  @Override
  public Configuration conf() {
    return dataNode.getConf();
  }

  @Override
  public DatanodeInfo self() {
    return new DatanodeInfoBuilder().setNodeID(dataNode.getDatanodeId()).build();
  }

  @Override
  public Token<BlockTokenIdentifier> token(
      LocatedBlock located, EnumSet<AccessMode> modes, StorageType[] types, String[] storageIds)
      throws IOException {
    return dataNode.getBlockAccessToken(located.getBlock(), modes, types, storageIds);
  }

  @Override
  public void reportCorrupt(LocatedBlock located) throws IOException {
    dataNode.reportRemoteBadBlock(located.getLocations()[0], located.getBlock());
  }

  @Override
  public Peer connect(ExtendedBlock block, Token<BlockTokenIdentifier> token, DatanodeInfo other)
      throws IOException {
    int timeoutMs = dataNode.getDnConf().getSocketTimeout();
    InetSocketAddress address =
        NetUtils.createSocketAddr(
            other.getXferAddr(dataNode.getDnConf().getConnectToDnViaHostname()));
    Socket socket = dataNode.newSocket();
    try {
      NetUtils.connect(socket, address, connectMs);
      socket.setTcpNoDelay(dataNode.getDnConf().getDataTransferServerTcpNoDelay());
      Peer peer =
          DFSUtilClient.peerFromSocketAndKey(
              dataNode.getSaslClient(),
              socket,
              dataNode.getDataEncryptionKeyFactoryForBlock(block),
              token,
              other,
              timeoutMs);
      peer.setWriteTimeout(dataNode.getDnConf().getSocketWriteTimeout());
      return peer;
    } catch (IOException e) {
      IOUtils.closeSocket(socket);
      throw e;
    }
  }
}
