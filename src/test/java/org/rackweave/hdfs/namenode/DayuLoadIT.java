package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.ReconfigurationException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.Nightly;
import org.rackweave.cli.demo.DemoSettings;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;
import org.rackweave.cli.demo.cluster.LoopbackAddresses;
import org.rackweave.cli.demo.cluster.ModelledNetwork;
import org.rackweave.cli.demo.cluster.NetworkClient;
import org.rackweave.cli.experiment.OpenLoad;
import org.rackweave.cli.testbed.compare.RecoverySettings;
import org.rackweave.cli.testbed.compare.RecoveryShow;
import org.rackweave.cli.testbed.compare.RecoveryShow.Reading;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.Feature;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;

/**
 * A DataNode of a whole HDFS dies, whose DataNodes have links that are slow and partly taken by
 * others, now of these racks and now of those: what stock HDFS by default and with more streams,
 * and Dayu, in turns, make of the same loss. All there is goes over the modelled links: pipelines,
 * reads and copies. HDFS's own times are a third of what they are by default, heartbeats and rounds
 * of its monitor 1 s and slots 5 s.
 *
 * <p>How long that takes and what it costs others is printed; tested is that everything is whole
 * again under all of them, that nothing of others' fails, that it was Dayu who recovered, within
 * what links had idle, and that it takes not much longer than stock does. {@code
 * -Drackweave.load.long=true} loses twice as much, compares with more streams yet, and does so
 * three times, or {@code -Drackweave.load.seeds} times; {@code
 * -Drackweave.load.contenders=stock,dayu} compares these only, and {@code
 * -Drackweave.load.set=key=value,...} changes settings.
 */
@Tag("newest-hadoop")
class DayuLoadIT {
  private static final int RACKS = 6;
  private static final int PER_RACK = 2;
  private static final int NODES = RACKS * PER_RACK;
  private static final long LINK_BYTES_PER_SEC = 2 << 20;
  private static final int BLOCK_BYTES = 512 << 10;

  /** What a tenant of a hot DataNode takes of each direction of its link. */
  private static final double TENANTS_SHARE = 0.5;

  private static final int OPERATION_BYTES = 256 << 10;
  private static final double WRITES_PER_NODE_AND_SEC = 0.5;
  private static final double READS_PER_SEC = 6;
  private static final int READ_FILES = 36;

  /** Turns are counted when they are taken, a little before they pass. */
  private static final double FULL = 1.25;

  /** What a DataNode hands on of writes: two hops each. */
  private static final double PIPELINES_BYTES_PER_SEC =
      2 * WRITES_PER_NODE_AND_SEC * OPERATION_BYTES;

  /** Of stock's time by default, which Dayu should need less than; machines are noisy. */
  private static final double SLOWER_MAX = 1.5;

  /** What foreground that comes and goes makes of what was idle. */
  private static final double EXCESS_MAX = 0.15;

  private static final short REPLICATION = 3;
  private static final boolean IS_LONG = Boolean.getBoolean("rackweave.load.long") || Nightly.IS_ON;
  private static final int SEEDS = Integer.getInteger("rackweave.load.seeds", IS_LONG ? 3 : 1);

  private static final String STOCK = "stock";
  private static final String DAYU = "dayu";
  private static final List<String> CONTENDERS =
      List.of(
          System.getProperty(
                  "rackweave.load.contenders",
                  IS_LONG ? "stock,stock-raised,stock-high,dayu" : "stock,stock-raised,dayu")
              .split(","));

  private static final RecoverySettings SETTINGS =
      IS_LONG
          ? new RecoverySettings(
              2, 6_000, 224, BLOCK_BYTES, 3_000, 12_000, WRITES_PER_NODE_AND_SEC, OPERATION_BYTES)
          : new RecoverySettings(
              2, 4_000, 112, BLOCK_BYTES, 2_000, 6_000, WRITES_PER_NODE_AND_SEC, OPERATION_BYTES);

  private static final Path FILLED = new Path("/filled");
  private static final Path READ = new Path("/read");
  private static final Path WRITTEN = new Path("/written");

  @TempDir static java.nio.file.Path directory;

  private static final ModelledNetwork NETWORK = new ModelledNetwork();
  private static EmbeddedCluster cluster;
  private static PlacedFiles files;
  private static DistributedFileSystem fs;
  private static DFSClient client;

  @BeforeAll
  static void start() throws IOException {
    DemoSettings settings =
        new DemoSettings(
            RACKS,
            PER_RACK,
            2,
            LINK_BYTES_PER_SEC,
            0.5,
            1000,
            0,
            1000,
            1,
            0.5,
            BLOCK_BYTES,
            1,
            0,
            1000);
    ChosenRpcEngine.forget();
    cluster = EmbeddedCluster.start(settings, directory.resolve("dfs"), properties());
    files = new PlacedFiles(cluster, BLOCK_BYTES);
    IntStream.range(0, NODES)
        .forEach(node -> NETWORK.connect(cluster.addressOf(node), LINK_BYTES_PER_SEC));
    fs =
        (DistributedFileSystem)
            FileSystem.newInstance(
                cluster.uri(), cluster.clientConf(LoopbackAddresses.ofOutsider(0)));
    client = new NetworkClient(cluster, LoopbackAddresses.ofOutsider(0));
    awaitAllMeasured();
  }

  private static Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>(NETWORK.properties());
    properties.put(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, "1024");
    properties.put(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, "500");
    properties.put(ConfigKeys.SNAPSHOT_INTERVAL, "100ms");
    properties.put(ConfigKeys.DAYU_TIMESLOT, "5s");
    properties.put(ConfigKeys.DAYU_BRAKE_GRACE, "0");
    for (String setting : System.getProperty("rackweave.load.set", "").split(",")) {
      int equals = setting.indexOf('=');
      if (equals > 0) {
        properties.put(setting.substring(0, equals), setting.substring(equals + 1));
      }
    }
    return properties;
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    fs.close();
    cluster.close();
    NETWORK.close();
  }

  private static void awaitAllMeasured() {
    PlacementContext context = RackCluster.contextOf(cluster.nameNode());
    RackCluster.await(
        "load of all DataNodes known",
        () -> context.state() != null && context.state().links().measuredCount() == NODES);
  }

  private static BlockManager blocks() {
    return cluster.nameNode().getNamesystem().getBlockManager();
  }

  private static DatanodeDescriptor descriptor(int node) {
    return blocks().getDatanodeManager().getDatanodeByHost(cluster.addressOf(node));
  }

  private static void recover(Mode mode) {
    PlacementContext context = RackCluster.contextOf(cluster.nameNode());
    context.setModes(context.modes().with(Feature.RECOVERY.label() + "=" + mode));
  }

  private static String say(String word) {
    RefreshResponse response =
        RefreshRegistry.defaultRegistry()
            .dispatch("rackweave-recovery", new String[] {word})
            .iterator()
            .next();
    assertEquals(0, response.getReturnCode(), response.getMessage());
    return response.getMessage();
  }

  /** Has lost replicas made again by one of those who are compared. */
  private static void use(String contender) throws ReconfigurationException {
    boolean isDayu = contender.equals(DAYU);
    cluster.placeBy(isDayu ? PolicyAdvice.DAYU : null);
    recover(isDayu ? Mode.ACTIVE : Mode.OFF);
    Map<String, String> streams = RecoveryShow.settingsOf(contender);
    for (String key :
        List.of(
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY,
            DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION)) {
      cluster.nameNode().reconfigureProperty(key, streams.get(key));
    }
  }

  @Nightly
  @Test
  void lostReplicasAreMadeAgainOverIdleLinks() throws Exception {
    long first = Long.getLong("rackweave.load.seed", new SplittableRandom().nextLong());
    RecoveryShow show = new RecoveryShow(SETTINGS, RACKS, PER_RACK, LINK_BYTES_PER_SEC, CONTENDERS);
    SplittableRandom seeds = new SplittableRandom(first);
    System.out.println("recoveries under load, first seed " + first);
    for (int i = 0; i < SEEDS; i++) {
      RecoveryShow.Plan plan = show.plan(seeds.nextLong());
      List<String> turns = new ArrayList<>(CONTENDERS);
      if (i % 2 == 1) {
        Collections.reverse(turns);
      }
      for (String contender : turns) {
        recover(show, contender, plan);
      }
    }
    System.out.println(show.text());
    if (CONTENDERS.containsAll(List.of(STOCK, DAYU))) {
      assertTrue(
          show.rebuildSeconds(DAYU) <= SLOWER_MAX * show.rebuildSeconds(STOCK),
          "Dayu takes much longer than stock by default");
    }
  }

  /** Fills a DataNode, has others load the cluster, stops the DataNode and watches. */
  private static void recover(RecoveryShow show, String contender, RecoveryShow.Plan plan)
      throws Exception {
    NETWORK.limit(false);
    cluster.placeBy(null);
    recover(Mode.OFF);
    fill(plan);
    List<Path> read = writeWhatIsRead(plan);
    List<Integer> hotAtTimes =
        IntStream.range(0, NODES).filter(node -> node != plan.victim()).boxed().toList();
    long bytesPerSec = (long) (TENANTS_SHARE * LINK_BYTES_PER_SEC);
    try (HotNodeLoad tenants =
        new HotNodeLoad(cluster, NETWORK, files, hotAtTimes, bytesPerSec, 1)) {
      use(contender);
      int limit = blocks().getMaxReplicationStreams();
      NETWORK.limit(true);
      try (OpenLoad load = new OpenLoad();
          RecoveryRecord watched =
              new RecoveryRecord(cluster, NETWORK, NODES, load::nowMs, () -> say("report"))) {
        tenants.begin(node -> plan.schedule().hotAt(load.nowMs()).contains(node / PER_RACK));
        measure(show, contender, plan, load, watched, read);
        check(contender, plan, watched, limit);
      }
    }
    NETWORK.limit(false);
    awaitAllWhole();
    restore(plan.victim());
  }

  private static void measure(
      RecoveryShow show,
      String contender,
      RecoveryShow.Plan plan,
      OpenLoad load,
      RecoveryRecord watched,
      List<Path> read)
      throws IOException {
    RecoveryShow.OtherPrograms others = new RecoveryShow.OtherPrograms();
    List<Integer> writesAtMs = plan.writesAtMs();
    OpenLoad.Stream writes = load.begin(writesAtMs, new Write());
    SplittableRandom random = new SplittableRandom(plan.seed());
    int lastMs = writesAtMs.get(writesAtMs.size() - 1);
    List<Integer> readsAtMs = OpenLoad.poisson(random, READS_PER_SEC, 0, lastMs);
    int[] which = random.ints(readsAtMs.size(), 0, read.size()).toArray();
    OpenLoad.Stream reads = load.begin(readsAtMs, number -> read(read.get(which[number])));
    int killAtMs = SETTINGS.settleMs() + SETTINGS.beforeMs();
    RackCluster.await("the DataNode's time", () -> load.nowMs() >= killAtMs);
    List<Reading> idle = watched.readings(SETTINGS.settleMs(), Long.MAX_VALUE);
    watched.mark();
    long killedMs = load.nowMs();
    kill(plan.victim());
    long deathMs = load.nowMs();
    RackCluster.await("every block with its replicas", () -> missing() == 0);
    long wholeMs = load.nowMs();
    load.end(writes, reads);
    long copied = (long) plan.replicas().size() * BLOCK_BYTES;
    long carried = watched.betweenDataNodesBytes(killedMs, load.nowMs());
    assertTrue(carried >= copied, () -> "of " + copied + " bytes " + carried + " on links");
    double fullest = watched.fullestBytesPerSec(killedMs, wholeMs);
    assertTrue(fullest <= FULL * LINK_BYTES_PER_SEC, () -> fullest + " bytes/s on a link");
    if (contender.equals(DAYU)) {
      double excess = watched.excess(deathMs, wholeMs, PIPELINES_BYTES_PER_SEC);
      System.out.printf(Locale.ROOT, "dayu, beyond what was idle: %.3f%n", excess);
      assertTrue(excess <= EXCESS_MAX, "copies beyond what was idle: " + excess);
    }
    show.add(
        contender,
        plan,
        (wholeMs - deathMs) / 1e3,
        show.idealSeconds(plan, idle, deathMs),
        latencies(writes, deathMs, wholeMs),
        latencies(reads, deathMs, wholeMs),
        others);
    System.out.printf(
        Locale.ROOT,
        "%s, DataNode %d: %d blocks in %.1f s%n%s",
        contender,
        plan.victim(),
        plan.replicas().size(),
        (wholeMs - deathMs) / 1e3,
        watched.describe(
            deathMs,
            wholeMs,
            LINK_BYTES_PER_SEC,
            (node, atMs) -> plan.schedule().hotAt(atMs).contains(node / PER_RACK),
            plan.victim()));
  }

  private static RecoveryShow.Latencies latencies(
      OpenLoad.Stream operations, long deathMs, long wholeMs) {
    return new RecoveryShow.Latencies(
        operations.seconds(SETTINGS.settleMs(), deathMs), operations.seconds(deathMs, wholeMs));
  }

  private static final class Write implements OpenLoad.Operation {
    private static Path file(int number) {
      return new Path(WRITTEN, String.valueOf(number));
    }

    @Override
    public void run(int number) throws IOException {
      try (OutputStream out = fs.create(file(number), REPLICATION)) {
        out.write(new byte[OPERATION_BYTES]);
      }
    }

    /** What is lost shall be what the plan says. */
    @Override
    public void tidy(int number) throws IOException {
      fs.delete(file(number), false);
    }
  }

  private static void read(Path file) throws IOException {
    byte[] buffer = new byte[64 << 10];
    int left = OPERATION_BYTES;
    try (InputStream in = client.open(file.toString())) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        left -= read;
      }
    }
    assertEquals(0, left, "bytes that lack");
  }

  /** Puts the blocks that will be lost where the plan wants their replicas. */
  private static void fill(RecoveryShow.Plan plan) throws IOException {
    for (int i = 0; i < plan.replicas().size(); i++) {
      write(new Path(FILLED, String.valueOf(i)), BLOCK_BYTES, plan.replicas().get(i));
    }
    RackCluster.await("all that will be lost", () -> missing() == 0);
  }

  /** What is read is not lost. */
  private static List<Path> writeWhatIsRead(RecoveryShow.Plan plan) throws IOException {
    SplittableRandom random = new SplittableRandom(~plan.seed());
    List<Path> all = new ArrayList<>();
    for (int i = 0; i < READ_FILES; i++) {
      int[] nodes =
          random
              .ints(0, NODES)
              .filter(node -> node != plan.victim())
              .distinct()
              .limit(REPLICATION)
              .toArray();
      Path file = new Path(READ, String.valueOf(i));
      write(file, OPERATION_BYTES, Arrays.stream(nodes).boxed().toList());
      all.add(file);
    }
    return all;
  }

  /** HDFS takes who is busy at the moment for no target, whatever it is asked for. */
  private static void write(Path file, int bytes, List<Integer> nodes) {
    RackCluster.await(
        file + " on " + nodes,
        () -> {
          try {
            files.write(client, file, bytes, nodes);
            LocatedBlock block = client.getLocatedBlocks(file.toString(), 0).get(0);
            return Arrays.stream(block.getLocations())
                .map(location -> cluster.nodeAt(location.getIpAddr()))
                .collect(Collectors.toSet())
                .equals(Set.copyOf(nodes));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  /** Replicas that the blocks that were lost lack. */
  private static int missing() {
    int missing = 0;
    try {
      RemoteIterator<LocatedFileStatus> all = fs.listLocatedStatus(FILLED);
      while (all.hasNext()) {
        missing += REPLICATION - all.next().getBlockLocations()[0].getHosts().length;
      }
      return missing;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops a DataNode and has the NameNode miss it at once. */
  private static void kill(int node) {
    DatanodeDescriptor datanode = descriptor(node);
    cluster.stop(node);
    datanode.setLastUpdateMonotonic(0);
    RackCluster.await("DataNode " + node + " dead", () -> !datanode.isAlive());
  }

  /** Whoever recovered, it was no other, and nothing is left of how. */
  private static void check(
      String contender, RecoveryShow.Plan plan, RecoveryRecord watched, int limit) {
    long scheduled = watched.since("CopiesScheduled");
    if (contender.equals(DAYU)) {
      int lost = plan.replicas().size();
      RackCluster.await("nothing under way", () -> watched.now("CopiesUnderWay") == 0);
      assertTrue(watched.since("CopiesArrived") >= lost, watched::toString);
      assertTrue(scheduled >= lost, watched::toString);
      assertEquals(0, watched.since("CopiesByStock"), watched::toString);
      assertTrue(Set.of("idle", "recovering").containsAll(watched.states()), watched::toString);
      assertTrue(watched.most("SourcesHeldToRates") > 0, watched::toString);
      RackCluster.await("the operator's limit", () -> blocks().getMaxReplicationStreams() == limit);
    } else {
      assertEquals(0, scheduled, watched::toString);
      assertEquals(limit, blocks().getMaxReplicationStreams());
    }
  }

  private static void awaitAllWhole() {
    RackCluster.await(
        "every block of everybody with its replicas",
        () -> {
          BlockManagerTestUtil.updateState(blocks());
          return blocks().getPendingReconstructionBlocksCount() == 0
              && blocks().getLowRedundancyBlocksCount() == 0
              && blocks().getMissingBlocksCount() == 0;
        });
  }

  /** Empties the cluster and starts the DataNode again. */
  private static void restore(int victim) throws IOException {
    for (Path each : List.of(FILLED, READ, WRITTEN, HotNodeLoad.ROOT)) {
      fs.delete(each, true);
    }
    cluster.restart(victim);
    awaitAllMeasured();
    RackCluster.await(
        "an empty cluster",
        () ->
            IntStream.range(0, NODES)
                .allMatch(node -> descriptor(node).isAlive() && descriptor(node).numBlocks() == 0));
  }
}
