package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.net.Peer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.security.token.Token;

/** From where replicas are transferred: how it reaches DataNodes, and what it shows them. */
interface TransferOrigin {

  Configuration conf();

  /** The DataNode it is, {@code null} when it is none. */
  DatanodeInfo self();

  /**
   * A token that lets it at a block; an empty one where the cluster has none.
   *
   * @param located the block, perhaps with a token that came along
   */
  Token<BlockTokenIdentifier> token(
      LocatedBlock located, EnumSet<AccessMode> modes, StorageType[] types, String[] storageIds)
      throws IOException;

  /** Tells HDFS of a replica whose bytes are not what was written, so that it is made again. */
  void reportCorrupt(LocatedBlock located) throws IOException;

  /** Connects to a DataNode for one operation on a block, secured as the cluster wants it. */
  Peer connect(ExtendedBlock block, Token<BlockTokenIdentifier> token, DatanodeInfo other)
      throws IOException;
}
