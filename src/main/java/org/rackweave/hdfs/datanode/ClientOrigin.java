package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.token.Token;

/** A client of HDFS, which has no keys and shows the tokens that the NameNode put with blocks. */
final class ClientOrigin implements TransferOrigin {
  private final Configuration conf;
  private final DFSClient client;

  ClientOrigin(DistributedFileSystem fs) {
    conf = fs.getConf();
    client = fs.getClient();
  }

  @Override
  public Configuration conf() {
    return conf;
  }

  @Override
  public DatanodeInfo self() {
    return null;
  }

  @Override
  public Token<BlockTokenIdentifier> token(
      LocatedBlock located, EnumSet<AccessMode> modes, StorageType[] types, String[] storageIds) {
    return located.getBlockToken();
  }

  @Override
  public void reportCorrupt(LocatedBlock located) throws IOException {
    client.getNamenode().reportBadBlocks(new LocatedBlock[] {located});
  }

  @Override
  public Peer connect(ExtendedBlock block, Token<BlockTokenIdentifier> token, DatanodeInfo other)
      throws IOException {
    String address = other.getXferAddr(client.getConf().isConnectToDnViaHostname());
    return client.newConnectedPeer(NetUtils.createSocketAddr(address), token, other);
  }
}
