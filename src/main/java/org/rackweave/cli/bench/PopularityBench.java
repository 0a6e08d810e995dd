package org.rackweave.cli.bench;

import static org.rackweave.cli.bench.BenchTable.column;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetBlockLocationsRequestProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.Time;
import org.rackweave.eafr.Popularity;
import org.rackweave.eafr.ThresholdRule;
import org.rackweave.hdfs.eafr.FileLookup;
import org.rackweave.hdfs.eafr.ReadCounting;
import org.rackweave.hdfs.eafr.ReadInterceptor;
import org.rackweave.hdfs.namenode.NameNodeBridge;

/**
 * One getBlockLocations of a file of three blocks on a real NameNode: bytes in, decoded, handled,
 * answer encoded. Stock against the same with the interceptor that counts reads in front, while a
 * million files are tracked.
 *
 * <p>Another thread counts the reads while calls go on, as in a NameNode, and what that costs the
 * calls is measured with them. A NameNode counts every 250 ms; here it is every 17 to 25, since one
 * thread does what many handlers do there, and fills one buffer out of many. Only the reads of our
 * own portions are counted, and only beside them. A second ratio has the work of counting added.
 */
final class PopularityBench {
  static final int FILES = 1_000_000;
  private static final int STORED = 2000;
  private static final int BLOCKS = 3;
  private static final int REPLICAS = 3;

  /** Calls between two counts; the reads of two portions fit into the buffer of one thread. */
  private static final int PORTION = 1250;

  private static final double DECAY = 0.5;
  private static final long INTERVAL_MS = 60_000;
  private static final long SEED = 2017;

  /**
   * What it costs to count who reads what.
   *
   * @param nodes DataNodes of the cluster
   * @param files files tracked
   * @param stockNs CPU time of one getBlockLocations on stock HDFS, nanoseconds
   * @param oursNs the same with the interceptor in front
   * @param ratio ours / stock
   * @param countingRatio the same with the work added that another thread has with the counting
   * @param bytesPerFile memory for each tracked file
   */
  record Row(
      int nodes,
      int files,
      double stockNs,
      double oursNs,
      double ratio,
      double countingRatio,
      double bytesPerFile) {
    static final BenchTable<Row> TABLE =
        new BenchTable<>(
            List.of(
                column("nodes", "%7d", "nodes", "%d", Row::nodes),
                column("files", "%9d", "files", "%d", Row::files),
                column("stock ns", "%10.0f", "stock_ns", "%.1f", Row::stockNs),
                column("ours ns", "%10.0f", "ours_ns", "%.1f", Row::oursNs),
                column("ratio", "%7.3f", "ratio", "%.4f", Row::ratio),
                column("with counting", "%14.3f", "counting_ratio", "%.4f", Row::countingRatio),
                column("B/file", "%8.1f", "bytes_per_file", "%.2f", Row::bytesPerFile)));
  }

  private final Configuration conf;
  private final Stopwatch stopwatch;

  PopularityBench(Configuration conf, Stopwatch stopwatch) {
    this.conf = conf;
    this.stopwatch = stopwatch;
  }

  void run(int nodes, Consumer<Row> rows) throws Exception {
    try (SimulatedCluster cluster = SimulatedCluster.start(conf, nodes)) {
      StoredFiles files = StoredFiles.write(cluster, STORED, BLOCKS, REPLICAS);
      BlockingService hdfs =
          ClientNamenodeProtocol.newReflectiveBlockingService(
              new ClientNamenodeProtocolServerSideTranslatorPB(cluster.nameNode().getRpcServer()));
      FileLookup lookup = NameNodeBridge.of(cluster.nameNode()).files();
      long before = Stopwatch.allocatedBytes();
      ReadCounting counting =
          new ReadCounting(
              lookup,
              FILES,
              () -> new ReadCounting.Terms(ThresholdRule.RELATIVE, DECAY, INTERVAL_MS, 0));
      counting.begin();
      track(counting.popularity());
      double bytesPerFile = (double) (Stopwatch.allocatedBytes() - before) / FILES;
      ReadInterceptor interceptor = new ReadInterceptor(hdfs, counting, path -> {});
      ExecutorService counter = Executors.newSingleThreadExecutor();
      Stopwatch.Comparison call;
      Stopwatch.Comparison counted;
      try {
        Clients clients = new Clients(files.paths(), counting, counter);
        Lookups stock = new Lookups(hdfs, clients, Count.NOTHING);
        call = compare(stock, new Lookups(interceptor, clients, Count.BY_ANOTHER));
        counted = compare(stock, new Lookups(interceptor, clients, Count.BY_ITSELF));
      } finally {
        counter.shutdown();
      }
      if (counting.dropped() > 0 || counting.counted() == 0) {
        throw new IllegalStateException(
            counting.counted() + " reads counted, " + counting.dropped() + " dropped");
      }
      rows.accept(
          new Row(
              nodes,
              FILES,
              call.stock().nanos(),
              call.ours().nanos(),
              call.ratio(),
              counted.ratio(),
              bytesPerFile));
    }
  }

  /** As many files as are to be told apart have been read. */
  private static void track(Popularity popularity) {
    SplittableRandom random = new SplittableRandom(SEED);
    long first = 1L << 40; // no inode of a real file
    for (long file = first; file < first + FILES; file++) {
      popularity.record(file, file, random.nextInt(), 1 + random.nextInt(20));
    }
  }

  private Stopwatch.Comparison compare(Lookups stock, Lookups ours) throws Exception {
    Stopwatch.Comparison compared = stopwatch.compare(stock, ours, PORTION);
    ours.countTheRest();
    return compared;
  }

  /**
   * What clients ask for and who counts it.
   *
   * @param counter who counts in a NameNode: its work in the memory of millions of counters would
   *     empty a handler's caches if that did it
   */
  private record Clients(List<String> paths, ReadCounting counting, ExecutorService counter) {}

  /** Who counts the reads of a piece of work. */
  private enum Count {
    NOTHING,
    BY_ANOTHER,
    BY_ITSELF
  }

  /** Clients that open one file after the other, as their requests come off the wire. */
  private static final class Lookups implements Stopwatch.Work {
    private static final MethodDescriptor METHOD =
        ClientNamenodeProtocol.getDescriptor().findMethodByName("getBlockLocations");

    private final BlockingService service;
    private final ReadCounting counting;
    private final ExecutorService counter;
    private final List<byte[]> wire = new ArrayList<>();
    private final Count count;
    private final Message prototype;
    private int next;

    /** What the other thread was given last. */
    private Future<?> before = CompletableFuture.completedFuture(null);

    Lookups(BlockingService service, Clients clients, Count count) {
      this.service = service;
      counting = clients.counting();
      counter = clients.counter();
      this.count = count;
      prototype = service.getRequestPrototype(METHOD);
      for (String path : clients.paths()) {
        wire.add(
            GetBlockLocationsRequestProto.newBuilder()
                .setSrc(path)
                .setOffset(0)
                .setLength(Long.MAX_VALUE)
                .build()
                .toByteArray());
      }
    }

    /** The other thread is given something to do in either case: both are run the same way. */
    @Override
    public void prepare() {
      try {
        before.get();
        before = counter.submit(this::countByAnother);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      }
    }

    /** None are left to those who come next, and nobody counts while they do. */
    void countTheRest() throws Exception {
      before.get();
      counter.submit(() -> counting.count(Time.monotonicNow())).get();
    }

    private void countByAnother() {
      if (count == Count.BY_ANOTHER) {
        counting.count(Time.monotonicNow());
      }
    }

    @Override
    public void run(int operations) throws Exception {
      for (int i = 0; i < operations; i++) {
        next = (next + 1) % wire.size();
        Message request = prototype.getParserForType().parseFrom(wire.get(next));
        byte[] answer = service.callBlockingMethod(METHOD, null, request).toByteArray();
        if (answer.length == 0) {
          throw new IllegalStateException("a file without blocks");
        }
      }
      if (count == Count.BY_ITSELF) {
        counting.count(Time.monotonicNow());
      }
    }
  }
}
