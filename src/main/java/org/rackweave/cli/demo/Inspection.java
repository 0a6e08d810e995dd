package org.rackweave.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Collection;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;

/**
 * Looks at what a round left in HDFS: reads every byte back and notes where every replica is.
 *
 * @param verifiedBytes bytes read back whose checksum was right
 * @param placedBytes bytes of replicas, by DataNode
 */
record Inspection(long verifiedBytes, long[] placedBytes) {

  /**
   * Reads {@code files} through {@code client}.
   *
   * @throws IOException if a file is not what was written, naming it
   */
  static Inspection of(
      DFSClient client, EmbeddedCluster cluster, int nodes, Collection<WrittenFile> files)
      throws IOException {
    long verified = 0;
    long[] placed = new long[nodes];
    for (WrittenFile file : files) {
      verified += verify(client, file);
      for (LocatedBlock block :
          client.getLocatedBlocks(file.path(), 0, file.bytes()).getLocatedBlocks()) {
        for (DatanodeInfo location : block.getLocations()) {
          placed[cluster.nodeAt(location.getIpAddr())] += block.getBlockSize();
        }
      }
    }
    return new Inspection(verified, placed);
  }

  private static long verify(DFSClient client, WrittenFile file) throws IOException {
    try (InputStream in = client.open(file.path())) {
      return verify(in, file);
    }
  }

  /**
   * Reads a file to its end.
   *
   * @return its bytes
   * @throws IOException if it is not what was written, naming it
   */
  static long verify(InputStream in, WrittenFile file) throws IOException {
    MessageDigest digest = Writers.newDigest();
    long bytes = new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
    if (bytes != file.bytes() || !MessageDigest.isEqual(digest.digest(), file.sha256())) {
      throw new IOException(file.path() + " does not read back as it was written");
    }
    return file.bytes();
  }
}
