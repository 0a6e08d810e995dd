package org.rackweave.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.Random;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.rackweave.cli.experiment.Seeded;

/** Writes files of random bytes, the same for the same seed. */
final class GeneratedFiles {
  private static final int BUFFER_BYTES = 64 << 10;

  private final long seed;
  private final int blockBytes;

  GeneratedFiles(long seed, int blockBytes) {
    this.seed = seed;
    this.blockBytes = blockBytes;
  }

  /**
   * Writes a file.
   *
   * @param favored DataNodes that are asked to take its replicas, {@code null} for whom HDFS
   *     chooses
   */
  WrittenFile write(DFSClient client, String path, int blocks, InetSocketAddress[] favored)
      throws IOException {
    byte[] content = new byte[blocks * blockBytes];
    Random random = Seeded.random(seed ^ path.hashCode());
    random.nextBytes(content);
    long startNs = System.nanoTime();
    try (OutputStream out =
        client.create(
            path,
            FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE),
            true,
            (short) DemoSettings.REPLICATION,
            blockBytes,
            null,
            BUFFER_BYTES,
            null,
            favored)) {
      out.write(content);
    }
    double seconds = (System.nanoTime() - startNs) / 1e9;
    return new WrittenFile(path, content.length, Writers.newDigest().digest(content), seconds);
  }

  /** Copies a file to where another policy holds, and deletes it. */
  WrittenFile move(DFSClient client, WrittenFile file, String to) throws IOException {
    long startNs = System.nanoTime();
    try (InputStream in = client.open(file.path());
        OutputStream out = client.create(to, false, (short) DemoSettings.REPLICATION, blockBytes)) {
      in.transferTo(out);
    }
    client.delete(file.path(), false);
    double seconds = (System.nanoTime() - startNs) / 1e9;
    return new WrittenFile(to, file.bytes(), file.sha256(), seconds);
  }
}
