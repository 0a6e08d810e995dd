package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;
import org.rackweave.cli.demo.cluster.LoopbackAddresses;
import org.rackweave.cli.demo.cluster.ModelledNetwork;
import org.rackweave.cli.demo.cluster.NetworkClient;

/**
 * Tenants of an embedded cluster who write to single DataNodes and read from them without a pause
 * while these are hot: one writer and one reader of each, on hosts of their own whose links let
 * them take a part of the DataNode's. A tenant's files have one replica.
 */
final class HotNodeLoad implements AutoCloseable {
  /** Where their files are. */
  static final Path ROOT = new Path("/tenants");

  private static final int POLL_MS = 20;

  private final PlacedFiles files;
  private final List<DFSClient> clients = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();
  private volatile IntPredicate isHot = node -> false;
  private final CountDownLatch closed = new CountDownLatch(1);

  private interface Turn {
    void take(int number) throws IOException;
  }

  /**
   * Writes what is to be read, so the network should have no limits yet.
   *
   * @param nodes the DataNodes that are hot at times
   * @param bytesPerSec each tenant's link
   * @param firstOutsider number of the first of their hosts
   */
  HotNodeLoad(
      EmbeddedCluster cluster,
      ModelledNetwork network,
      PlacedFiles files,
      List<Integer> nodes,
      long bytesPerSec,
      int firstOutsider)
      throws IOException {
    this.files = files;
    int outsider = firstOutsider;
    for (int node : nodes) {
      DFSClient writer = client(cluster, network, outsider++, bytesPerSec);
      DFSClient reader = client(cluster, network, outsider++, bytesPerSec);
      Path read = new Path(ROOT, node + "/read");
      files.write(writer, read, files.blockBytes(), List.of(node));
      keep("writer-" + node, node, number -> replace(writer, node, number));
      keep("reader-" + node, node, number -> read(reader, read));
    }
  }

  /**
   * Begins.
   *
   * @param hot whether a DataNode is hot now
   */
  void begin(IntPredicate hot) {
    isHot = hot;
    threads.forEach(Thread::start);
  }

  private DFSClient client(
      EmbeddedCluster cluster, ModelledNetwork network, int outsider, long bytesPerSec)
      throws IOException {
    String address = LoopbackAddresses.ofOutsider(outsider);
    network.connect(address, bytesPerSec);
    DFSClient client = new NetworkClient(cluster, address);
    clients.add(client);
    return client;
  }

  private void keep(String name, int node, Turn turn) {
    Thread thread =
        new Thread(
            () -> {
              try {
                for (int number = 0; !isClosed(); ) {
                  if (isHot.test(node)) {
                    turn.take(number++);
                  } else {
                    closed.await(POLL_MS, TimeUnit.MILLISECONDS);
                  }
                }
              } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
              } catch (IOException | RuntimeException e) {
                failed(e);
              }
            },
            name);
    thread.setDaemon(true);
    threads.add(thread);
  }

  private boolean isClosed() {
    return closed.getCount() == 0;
  }

  private synchronized void failed(Throwable e) {
    failures.add(e);
  }

  private void replace(DFSClient fs, int node, int number) throws IOException {
    Path file = new Path(ROOT, node + "/" + number);
    files.write(fs, file, files.blockBytes(), List.of(node));
    fs.delete(file.toString(), false);
  }

  private void read(DFSClient fs, Path file) throws IOException {
    byte[] buffer = new byte[64 << 10];
    try (InputStream in = fs.open(file.toString())) {
      while (!isClosed() && in.read(buffer) >= 0) {
        continue;
      }
    }
  }

  /** Stops; fails when a tenant has failed. */
  @Override
  public void close() throws IOException {
    closed.countDown();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    for (DFSClient client : clients) {
      client.close();
    }
    synchronized (this) {
      if (!failures.isEmpty()) {
        throw new AssertionError("a tenant failed", failures.get(0));
      }
    }
  }
}
