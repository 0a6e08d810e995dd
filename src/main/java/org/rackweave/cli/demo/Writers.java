package org.rackweave.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.io.IOUtils;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;
import org.rackweave.cli.demo.cluster.LoopbackAddresses;
import org.rackweave.cli.experiment.BlockWrite;

/**
 * The HDFS clients that write: writer {@code w} sits on DataNode {@code w}, those beyond the last
 * DataNode are outside the cluster. The NameNode sees where each one is.
 */
final class Writers implements Closeable {

  private final DemoSettings settings;
  private final List<DFSClient> connections = new ArrayList<>();
  private final List<DFSClient> clients = new ArrayList<>();

  /** Connects all writers; {@code sink} receives every block that is done, from many threads. */
  Writers(EmbeddedCluster cluster, DemoSettings settings, Consumer<BlockWrite> sink)
      throws IOException {
    this.settings = settings;
    for (int writer = 0; writer < settings.writers(); writer++) {
      int node = writer < settings.nodes() ? writer : -1;
      String address =
          node >= 0
              ? cluster.addressOf(node)
              : LoopbackAddresses.ofOutsider(writer - settings.nodes());
      DFSClient connection = new DFSClient(cluster.uri(), cluster.clientConf(address));
      connections.add(connection);
      clients.add(
          new DFSClient(
              null,
              BlockClock.watch(connection.getNamenode(), cluster, node, sink),
              cluster.clientConf(address),
              null));
    }
  }

  /**
   * Copies one file into HDFS.
   *
   * @return what was written, with its checksum and how long it took from create to close
   */
  WrittenFile copy(Arrival arrival, String path) throws IOException {
    FilePiece piece = arrival.piece();
    MessageDigest digest = newDigest();
    long startNs = System.nanoTime();
    try (SeekableByteChannel channel = Files.newByteChannel(piece.file()).position(piece.offset());
        InputStream in = Channels.newInputStream(channel);
        OutputStream out =
            new DigestOutputStream(
                clients
                    .get(arrival.writer())
                    .create(path, false, (short) DemoSettings.REPLICATION, settings.blockBytes()),
                digest)) {
      IOUtils.copyBytes(in, out, (long) piece.length(), false);
    }
    double seconds = (System.nanoTime() - startNs) / 1e9;
    return new WrittenFile(path, piece.length(), digest.digest(), seconds);
  }

  /** The client of a writer, whose blocks nobody times. */
  DFSClient connection(int writer) {
    return connections.get(writer);
  }

  /** What every checksum of the demo is made with. */
  static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  @Override
  public void close() throws IOException {
    for (DFSClient client : clients) {
      client.close();
    }
    for (DFSClient connection : connections) {
      connection.close();
    }
  }
}
