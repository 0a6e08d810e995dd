package org.rackweave.cli.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatResponseProto;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockStoragePolicySuite;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.EafrBlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.RedundancyMonitor;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EafrConfig;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.eafr.Destinations;
import org.rackweave.hdfs.eafr.EafrService;
import org.rackweave.hdfs.namenode.HeartbeatInterceptor;
import org.rackweave.hdfs.namenode.NameNodeBridge;

/**
 * What choosing the sources of HDFS's copies costs a NameNode with EAFR: on the one thread that
 * asks for a copy's targets, in a heartbeat that nothing waits for, and in one that takes copies
 * along. "Stock" is the same NameNode whose sources stock HDFS draws.
 *
 * <p>Copies come in waves, as HDFS orders them: as many as DataNodes, two from every second one,
 * each of a block with one other replica, on a DataNode that was not drawn for any. Then all of
 * these DataNodes send a heartbeat.
 */
final class CopySourcesBench {
  /** Heartbeats that are encoded beforehand take a kilobyte each. */
  private static final int WAVE_MAX = 5_000;

  private static final long KNOWN_WITHIN_SEC = 60;

  private final Configuration conf;
  private final Stopwatch stopwatch;
  private final PrintStream out;

  CopySourcesBench(Configuration conf, Stopwatch stopwatch, PrintStream out) {
    this.conf = new Configuration(conf);
    this.conf.setClass(
        DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
        EafrBlockPlacementPolicy.class,
        BlockPlacementPolicy.class);
    this.conf.set(ConfiguredRules.HEAT, "/bench=adapt");
    this.conf.set(ConfigKeys.EAFR_CAPACITY, "30");
    this.stopwatch = stopwatch;
    this.out = out;
  }

  void run(int nodes, Consumer<BenchRow> rows) throws Exception {
    RedundancyMonitor.standIn( // others' copies keep stock's sources
        () -> {
          measure(nodes, rows);
          return null;
        });
  }

  private void measure(int nodes, Consumer<BenchRow> rows) throws Exception {
    try (SimulatedCluster cluster = SimulatedCluster.start(conf, nodes);
        Side stock = Side.of(cluster, conf, false);
        Side ours = Side.of(cluster, conf, true)) {
      Copies stocks = new Copies(stock);
      Copies taken = new Copies(ours);
      rows.accept(
          row("copy-sources-idle-heartbeat", cluster, stock.heartbeats(), ours.heartbeats()));
      rows.accept(row("copy-sources-targets", cluster, new Targets(stock), new Targets(ours)));
      rows.accept(row("copy-sources-heartbeat", cluster, stocks, taken));
      out.printf(
          "  of copies with another source than drawn: stock %.0f %%, Rackweave %.0f %%%n",
          100 * stocks.shareOfOthers(), 100 * taken.shareOfOthers());
      if (stocks.shareOfOthers() > 0 || taken.shareOfOthers() == 0) {
        throw new IllegalStateException("sources are not chosen where they should be");
      }
    }
  }

  private BenchRow row(
      String name, SimulatedCluster cluster, Stopwatch.Work stock, Stopwatch.Work ours)
      throws Exception {
    return BenchRow.of(name, cluster.size(), stopwatch.compare(stock, ours, wave(cluster)));
  }

  private static int wave(SimulatedCluster cluster) {
    return Math.min(cluster.size(), WAVE_MAX);
  }

  /** A NameNode as it is with the choice or without. */
  private record Side(
      SimulatedCluster cluster,
      EafrService eafr,
      Destinations destinations,
      BlockingService handler,
      BlockPlacementPolicy policy)
      implements AutoCloseable {

    /** Has EAFR find out what it knows of the DataNodes, which then stays as it is. */
    static Side of(SimulatedCluster cluster, Configuration conf, boolean choosesSources)
        throws Exception {
      Configuration own = new Configuration(conf);
      own.setBoolean(ConfigKeys.EAFR_SOURCES_ENABLED, choosesSources);
      RackweaveConfig config = RackweaveConfig.from(own);
      EafrConfig rules = config.eafr();
      CompletableFuture<Destinations> known = new CompletableFuture<>();
      EafrService eafr =
          new EafrService(
              cluster.nameNode(),
              NameNodeBridge.of(cluster.nameNode()),
              () -> rules,
              null,
              new EafrService.Environment(
                  cluster.context()::state,
                  cluster.context()::modes,
                  path -> false,
                  found -> {
                    if (found != null) {
                      known.complete(found);
                    }
                  },
                  routing -> {},
                  () -> false,
                  words -> {},
                  config.collector().staleAfterMs(),
                  cluster.context().events()));
      eafr.start();
      Destinations destinations = known.get(KNOWN_WITHIN_SEC, TimeUnit.SECONDS);
      eafr.close(); // nothing is to run beside what is measured
      return new Side(
          cluster,
          eafr,
          destinations,
          new HeartbeatInterceptor(cluster.datanodeProtocol(), cluster.context(), null, null, eafr),
          cluster.policy(EafrBlockPlacementPolicy.class));
    }

    Heartbeats heartbeats() {
      return new Heartbeats(cluster, handler, false, wave(cluster));
    }

    @Override
    public void close() {
      eafr.close();
    }
  }

  /** Copies that HDFS asks for at once. */
  private static final class Wave {
    private static final long BLOCK_BYTES = 128L << 20;

    private record Copy(DatanodeDescriptor drawn, DatanodeStorageInfo[] targets) {}

    private final Side side;
    private final int size;
    private final BlockStoragePolicy storagePolicy =
        BlockStoragePolicySuite.createDefaultSuite().getDefaultPolicy();
    private final List<Copy> chosen = new ArrayList<>();
    private int first;
    private long lastBlockId;

    Wave(Side side) {
      this.side = side;
      size = wave(side.cluster());
      first = side.cluster().size() - size;
    }

    int size() {
      return size;
    }

    /** The first of its DataNodes. */
    int first() {
      return first;
    }

    void next() {
      SimulatedCluster cluster = side.cluster();
      first = (first + size) % cluster.size();
      cluster.advance();
      cluster.context().setDestinations(side.destinations());
    }

    private DatanodeDescriptor node(int number) {
      return side.cluster().descriptor((first + number % size) % side.cluster().size());
    }

    /** Whether the DataNode of this number is drawn for copies. */
    static boolean isDrawn(int number) {
      return number % 2 == 0;
    }

    /** Asks for the targets of one of the copies, as HDFS does. */
    void choose(int number) throws IOException {
      int drawn = number - number % 2;
      DatanodeDescriptor source = node(drawn);
      // Behind its rack.
      DatanodeDescriptor other = node(drawn + 1 + SimulatedRacks.NODES_PER_RACK);
      List<DatanodeStorageInfo> live =
          List.of(source.getStorageInfos()[0], other.getStorageInfos()[0]);
      Set<Node> excluded = new HashSet<>(List.of(source, other));
      DatanodeStorageInfo[] targets =
          side.policy()
              .chooseTarget(
                  "/bench/file",
                  1,
                  source,
                  live,
                  false,
                  excluded,
                  BLOCK_BYTES,
                  storagePolicy,
                  null);
      if (targets.length != 1) {
        throw new IOException("no target for a copy from " + source);
      }
      chosen.add(new Copy(source, targets));
    }

    /** Has those wait for their sources whose targets are known. */
    void order() {
      for (Copy copy : chosen) {
        Block block = new Block(++lastBlockId, BLOCK_BYTES, 1);
        copy.drawn().addBlockToBeReplicated(block, copy.targets());
      }
      chosen.clear();
    }
  }

  /** Targets of copies; that these are ordered and taken by heartbeats is not measured. */
  private static final class Targets implements Stopwatch.Work {
    private final Wave wave;
    private final Heartbeats heartbeats;

    Targets(Side side) {
      wave = new Wave(side);
      heartbeats = side.heartbeats();
    }

    @Override
    public void prepare() throws Exception {
      wave.order();
      heartbeats.prepare(wave.first());
      heartbeats.run(wave.size());
      wave.next();
    }

    @Override
    public void run(int operations) throws IOException {
      for (int i = 0; i < operations; i++) {
        wave.choose(i);
      }
    }
  }

  /** Heartbeats that take copies along; how these were ordered is not measured. */
  private static final class Copies extends Heartbeats {
    private final Wave wave;
    private long taken;
    private long takenByOthers;

    Copies(Side side) {
      super(side.cluster(), side.handler(), false, wave(side.cluster()));
      wave = new Wave(side);
    }

    @Override
    public void prepare() throws Exception {
      wave.next();
      for (int i = 0; i < wave.size(); i++) {
        wave.choose(i);
      }
      wave.order();
      prepare(wave.first());
    }

    @Override
    void answered(int heartbeat, HeartbeatResponseProto answer) {
      for (int i = 0; i < answer.getCmdsCount(); i++) {
        int copies = answer.getCmds(i).getBlkCmd().getBlocksCount();
        taken += copies;
        takenByOthers += Wave.isDrawn(heartbeat) ? 0 : copies;
      }
    }

    /** Of all copies, those that others took than were drawn. */
    double shareOfOthers() {
      return taken == 0 ? 0 : (double) takenByOthers / taken;
    }
  }
}
