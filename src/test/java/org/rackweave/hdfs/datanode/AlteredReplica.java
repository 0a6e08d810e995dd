package org.rackweave.hdfs.datanode;

import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.Arrays;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;

/** Replicas that hold other bytes than were written, with checksums that agree with them. */
public final class AlteredReplica {
  private AlteredReplica() {}

  /** Changes a byte of every replica of a block, as if HDFS had been given it so. */
  public static void alter(MiniDFSCluster cluster, ExtendedBlock block, int at) throws IOException {
    for (int i = 0; i < cluster.getDataNodes().size(); i++) {
      File data = cluster.getBlockFile(i, block);
      if (data != null && data.exists()) {
        File meta = cluster.getBlockMetadataFile(i, block);
        byte[] bytes = Files.readAllBytes(data.toPath());
        bytes[at] ^= 1;
        DataChecksum checksum = format(cluster, i, block);
        byte[] sums = new byte[checksum.getChecksumSize(bytes.length)];
        checksum.calculateChunkedSums(bytes, 0, bytes.length, sums, 0);
        byte[] header =
            Arrays.copyOf(Files.readAllBytes(meta.toPath()), BlockMetadataHeader.getHeaderSize());
        Files.write(data.toPath(), bytes);
        Files.write(
            meta.toPath(),
            ByteBuffer.allocate(header.length + sums.length).put(header).put(sums).array());
      }
    }
  }

  /** How a DataNode keeps the checksums of a block. */
  static DataChecksum format(MiniDFSCluster cluster, int datanode, ExtendedBlock block)
      throws IOException {
    File meta = cluster.getBlockMetadataFile(datanode, block);
    try (DataInputStream in = new DataInputStream(new FileInputStream(meta))) {
      return BlockMetadataHeader.readHeader(in).getChecksum();
    }
  }
}
