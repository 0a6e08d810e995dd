package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;

/** Writes files of an embedded cluster to the DataNodes it is told. */
final class PlacedFiles {
  private static final int BUFFER_BYTES = 64 << 10;

  private final EmbeddedCluster cluster;
  private final int blockBytes;

  PlacedFiles(EmbeddedCluster cluster, int blockBytes) {
    this.cluster = cluster;
    this.blockBytes = blockBytes;
  }

  int blockBytes() {
    return blockBytes;
  }

  /**
   * Writes a file.
   *
   * @param nodes where each of its replicas is to be; HDFS takes that for a hint
   */
  void write(DFSClient fs, Path file, int bytes, List<Integer> nodes) throws IOException {
    InetSocketAddress[] favored =
        nodes.stream().map(this::addressOf).toArray(InetSocketAddress[]::new);
    short replication = (short) nodes.size();
    try (OutputStream out =
        fs.create(
            file.toString(),
            FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE),
            true,
            replication,
            blockBytes,
            null,
            BUFFER_BYTES,
            null,
            favored)) {
      out.write(new byte[bytes]);
    }
  }

  private InetSocketAddress addressOf(int node) {
    return cluster.dataNodes().stream()
        .filter(running -> cluster.addressOf(node).equals(running.getDatanodeId().getIpAddr()))
        .findFirst()
        .orElseThrow()
        .getXferAddress();
  }
}
