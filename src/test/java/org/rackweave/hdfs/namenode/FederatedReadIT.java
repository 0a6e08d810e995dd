package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockReader;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.client.DecodedBlockReader;
import org.rackweave.hdfs.datanode.DecodeFigures;
import org.rackweave.hdfs.degraded.DecodeRequest;
import org.rackweave.hdfs.degraded.Decoders;

/**
 * Two namespaces on the same DataNodes, whose blocks have equal ids and generation stamps; stripes
 * in the first only.
 */
class FederatedReadIT {
  private static final int FILES = 8;
  private static final int FILE_BYTES = RackCluster.BLOCK_BYTES;

  private static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.set(ConfiguredRules.CODES, "/encoded=rs-2-1");
    return conf;
  }

  private static void write(DistributedFileSystem fs, String directory, int seed)
      throws IOException {
    for (int file = 0; file < FILES; file++) {
      DFSTestUtil.createFile(
          fs, new Path(directory, "file" + file), FILE_BYTES, (short) 3, seed + file);
    }
  }

  private static LocatedBlock block(DistributedFileSystem fs, String path) throws IOException {
    return DFSTestUtil.getAllBlocks(fs, new Path(path)).get(0);
  }

  private static byte[] decoded(DistributedFileSystem fs, DatanodeID decoder, LocatedBlock block)
      throws IOException {
    DecodeRequest request =
        new DecodeRequest(block.getBlock(), block.getBlockToken(), 0, FILE_BYTES);
    try (BlockReader reader =
        DecodedBlockReader.open(
            fs.getClient()
                .newConnectedPeer(
                    NetUtils.createSocketAddr(decoder.getXferAddr()),
                    block.getBlockToken(),
                    decoder),
            request)) {
      byte[] bytes = new byte[FILE_BYTES];
      reader.readFully(bytes, 0, bytes.length);
      return bytes;
    }
  }

  @Test
  void aReaderOfOneNamespaceNeverGetsBytesOfTheOther() throws Exception {
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf())
            .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(2))
            .numDataNodes(8)
            .racks(RackCluster.racks(2, 2, 2, 2));
    try (RackCluster cluster = RackCluster.start(builder)) {
      MiniDFSCluster mini = cluster.mini();
      DistributedFileSystem first = mini.getFileSystem(0);
      DistributedFileSystem second = mini.getFileSystem(1);
      PlacementContext context = RackCluster.contextOf(mini.getNameNode(0));
      write(first, "/encoded", 100);
      write(second, "/plain", 200);
      RackCluster.await(
          "blocks of the first namespace are encoded",
          () -> context.stripes().encoded().blockCount() > 0);
      int file = 0;
      while (context
          .stripes()
          .encoded()
          .of(block(first, "/encoded/file" + file).getBlock().getBlockId())
          .isEmpty()) {
        file++;
      }
      String own = "/plain/file" + file;
      LocatedBlock encoded = block(first, "/encoded/file" + file);
      LocatedBlock plain = block(second, own);
      assertEquals(encoded.getBlock().getLocalBlock(), plain.getBlock().getLocalBlock());
      assertEquals(encoded.getBlock().getGenerationStamp(), plain.getBlock().getGenerationStamp());
      byte[] bytes = DFSTestUtil.readFileAsBytes(first, new Path("/encoded/file" + file));

      List<DatanodeID> decoders =
          Decoders.decode(second.getXAttr(new Path(own), Decoders.ATTRIBUTE));
      assertFalse(decoders.isEmpty());
      long replicasBefore = DecodeFigures.replicaRangesSent();
      long decodedBefore = DecodeFigures.rangesDecoded();
      for (DatanodeID decoder : decoders) {
        assertArrayEquals(bytes, decoded(first, decoder, encoded), "its own");
        assertThrows(IOException.class, () -> decoded(second, decoder, plain));
      }
      assertEquals(decodedBefore, DecodeFigures.rangesDecoded(), "it has replicas");
      assertEquals(decoders.size(), DecodeFigures.replicaRangesSent() - replicasBefore);
    }
  }
}
