package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.rackweave.hdfs.client.DecodedBlockReader;
import org.rackweave.hdfs.degraded.DecodeRequest;

/**
 * Bridge: HDFS's stream, which turns to a DataNode that decodes when it knows of none that has a
 * replica. Positions, retries, and bytes of other blocks are HDFS's own business.
 */
final class DegradedReadStream extends DFSInputStream {
  private final DegradedReadClient client;

  DegradedReadStream(
      DegradedReadClient client, String path, boolean verifyChecksum, LocatedBlocks blocks)
      throws IOException {
    super(client, path, verifyChecksum, blocks);
    this.client = client;
  }

  /** A DataNode that decodes; so that it is not taken for the same one's replicas. */
  private static final class Decoder extends DatanodeInfo {
    Decoder(DatanodeID at) {
      super(new DatanodeInfoBuilder().setNodeID(at).build());
    }
  }

  @Override
  DNAddrPair chooseDataNode(
      LocatedBlock block, Collection<DatanodeInfo> ignored, boolean refetchIfRequired)
      throws IOException {
    DNAddrPair replica = getBestNodeDNAddrPair(block, ignored);
    if (replica != null) {
      return replica;
    }
    for (DatanodeID each : client.decoders(getSrc())) {
      Decoder decoder = new Decoder(each);
      if (!getLocalDeadNodes().containsKey(decoder)
          && (ignored == null || !ignored.contains(decoder))) {
        return new DNAddrPair(decoder, client.addressOf(each), StorageType.DEFAULT, block);
      }
    }
    return super.chooseDataNode(block, ignored, refetchIfRequired);
  }

  @Override
  protected BlockReader getBlockReader(
      LocatedBlock block,
      long offset,
      long length,
      InetSocketAddress address,
      StorageType storageType,
      DatanodeInfo datanode)
      throws IOException {
    if (datanode instanceof Decoder) {
      return DecodedBlockReader.open(
          client.newConnectedPeer(address, block.getBlockToken(), datanode),
          new DecodeRequest(block.getBlock(), block.getBlockToken(), offset, length));
    }
    return super.getBlockReader(block, offset, length, address, storageType, datanode);
  }
}
