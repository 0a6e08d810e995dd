package org.rackweave.cli.demo.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntPredicate;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.cli.demo.DemoSettings;

/**
 * The blocks that background load moves about, one replica each, in a directory of their own. A
 * move takes a block out of here and puts it back where it went, so their number never changes and
 * no block is moved twice at a time.
 */
public final class BackgroundBlocks {

  /** Short enough that a move in flight ends soon after its DataNode cools down. */
  private static final int BLOCK_BYTES = 2 << 20;

  /**
   * How many periods the blocks would last if they only flowed into hot DataNodes. A round leaves
   * many where it was hot, and the next one is hot there again and must find enough elsewhere.
   */
  private static final double SUPPLY_PERIODS = 2.8;

  private static final int WRITERS_AT_A_TIME = 4;

  private final List<Deque<LocatedBlock>> byNode = new ArrayList<>();
  private final int[] movesOut;

  private BackgroundBlocks(int nodes) {
    movesOut = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      byNode.add(new ArrayDeque<>());
    }
  }

  /** A block taken out for a move, and the DataNode it is on. */
  record Taken(LocatedBlock block, int source) {}

  /** Writes the blocks, each DataNode's by a client that sits on it, all at the same time. */
  public static BackgroundBlocks write(EmbeddedCluster cluster, DemoSettings settings)
      throws IOException {
    BackgroundBlocks blocks = new BackgroundBlocks(settings.nodes());
    List<CompletableFuture<Void>> nodes = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS_AT_A_TIME);
    try {
      for (int node = 0; node < settings.nodes(); node++) {
        int target = node;
        nodes.add(
            CompletableFuture.runAsync(
                () -> blocks.writeOn(cluster, target, blocksPerNode(settings)), threads));
      }
      nodes.forEach(CompletableFuture::join);
      return blocks;
    } catch (CompletionException e) {
      throw new IOException(
          "The blocks for background load cannot be written: " + e.getCause(), e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }

  private void writeOn(EmbeddedCluster cluster, int node, int count) {
    byte[] bytes = new byte[BLOCK_BYTES];
    new Random(node).nextBytes(bytes);
    try (DFSClient client =
        new DFSClient(cluster.uri(), cluster.clientConf(cluster.addressOf(node)))) {
      for (int i = 0; i < count; i++) {
        String path = "/background/" + node + "/" + i;
        try (OutputStream out = client.create(path, true, (short) 1, BLOCK_BYTES)) {
          out.write(bytes);
        }
        LocatedBlock block = client.getLocatedBlocks(path, 0).get(0);
        add(block, cluster.nodeAt(block.getLocations()[0].getIpAddr()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void add(LocatedBlock block, int node) {
    byNode.get(node).add(block);
  }

  private static int blocksPerNode(DemoSettings settings) {
    double periodSeconds = settings.hotPeriodMs() / 1000.0;
    double bytes =
        SUPPLY_PERIODS * periodSeconds * settings.hotNodes() * settings.backgroundBytesPerSec();
    return (int) (bytes / BLOCK_BYTES / settings.nodes()) + 1;
  }

  /**
   * Takes the oldest block of one of the DataNodes that are {@code eligible}: of the one with most
   * blocks among those that have moves to spare, so that blocks leave where they have gathered.
   */
  synchronized Taken take(IntPredicate eligible) {
    int source = -1;
    for (int node = 0; node < byNode.size(); node++) {
      if (eligible.test(node) && !byNode.get(node).isEmpty() && isBetter(node, source)) {
        source = node;
      }
    }
    if (source < 0) {
      return null;
    }
    movesOut[source]++;
    return new Taken(byNode.get(source).remove(), source);
  }

  private boolean isBetter(int node, int than) {
    if (than < 0) {
      return true;
    }
    boolean busy = movesOut[node] >= BackgroundLoad.MOVES_AT_A_TIME;
    boolean thanBusy = movesOut[than] >= BackgroundLoad.MOVES_AT_A_TIME;
    if (busy != thanBusy) {
      return thanBusy;
    }
    return byNode.get(node).size() > byNode.get(than).size();
  }

  /** Gives back what was taken, which now is on {@code node}. */
  synchronized void put(Taken taken, int node) {
    movesOut[taken.source()]--;
    byNode.get(node).add(taken.block());
  }
}
