package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.rackweave.hdfs.namenode.EafrRig.factor;
import static org.rackweave.hdfs.namenode.EafrRig.mark;
import static org.rackweave.hdfs.namenode.EafrRig.replicas;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReadThrottlers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.Nightly;
import org.rackweave.cli.demo.DemoSettings;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;
import org.rackweave.cli.demo.cluster.LoopbackAddresses;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;

/**
 * Skewed reads of a whole HDFS whose DataNodes send no faster than slow links would, by stock HDFS
 * and with EAFR in turns, each of which is the first in every other round. How long reads take is
 * printed and not tested: machines differ. {@code -Drackweave.load.long=true} reads more, in more
 * rounds.
 */
@Tag("newest-hadoop")
class EafrLoadIT {
  private static final int RACKS = 3;
  private static final int PER_RACK = 3;
  private static final int NODES = RACKS * PER_RACK;
  private static final int BLOCK_BYTES = 256 << 10;
  private static final int SEND_BYTES_PER_SEC = 2 << 20;
  private static final int SEND_PERIOD_MS = 20;

  /** Of 24 files the first gets a quarter of that, which is what three DataNodes can send. */
  private static final double READS_PER_SEC = 36;

  private static final int FILES = 24;
  private static final boolean IS_LONG = Boolean.getBoolean("rackweave.load.long") || Nightly.IS_ON;
  private static final int READS = IS_LONG ? 400 : 200;

  /** Files that gain replicas in every round. */
  private static final int TOP = 3;

  /** More than any test waits for. */
  private static final int READS_MAX = 5_000;

  /** Files of the archive, and how many of these are read. */
  private static final int ARCHIVED = 30;

  private static final int READ_OF_ARCHIVE = 10;
  private static final int MOST_OF_ARCHIVE = 4;
  private static final int ROUNDS = IS_LONG ? 6 : 2;

  private static final int OWN = 3;
  private static final int MOST = 6;
  private static final int CAPACITY = 2;
  private static final int INTERVAL_MS = 1000;
  private static final int IN_FLIGHT_MAX = 4;
  private static final int CHANGES_MAX = 4;
  private static final int LOOK_MS = 100;

  /** Whose questions come from. */
  private static final String ADMINISTRATOR = LoopbackAddresses.ofOutsider(0);

  @TempDir static java.nio.file.Path directory;

  private static EmbeddedCluster cluster;
  private static DistributedFileSystem fs;
  private static SkewedReaders readers;
  private static PlacementContext context;

  @BeforeAll
  static void start() throws IOException {
    DemoSettings settings =
        new DemoSettings(
            RACKS, PER_RACK, 1, 64 << 20, 0.5, 1000, 0, 1000, 1, 0.5, BLOCK_BYTES, 1, 0, 250);
    ChosenRpcEngine.forget();
    cluster = EmbeddedCluster.start(settings, directory.resolve("dfs"), properties());
    for (DataNode node : cluster.dataNodes()) {
      ReadThrottlers.set(node, SEND_PERIOD_MS, SEND_BYTES_PER_SEC);
    }
    fs =
        (DistributedFileSystem)
            FileSystem.newInstance(cluster.uri(), cluster.clientConf(ADMINISTRATOR));
    readers = new SkewedReaders(cluster, NODES, READS_PER_SEC);
    context = RackCluster.contextOf(cluster.nameNode());
    RackCluster.await(
        "load of all DataNodes known",
        () -> context.state() != null && context.state().links().measuredCount() == NODES);
  }

  private static Map<String, String> properties() {
    return Map.ofEntries(
        Map.entry(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.EAFR),
        Map.entry(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, "1024"),
        Map.entry(DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, ReadOrderTopology.class.getName()),
        Map.entry(ConfiguredRules.HEAT, "/hot=adapt max=6, /archive=adapt r=2 max=4"),
        Map.entry(ConfigKeys.EAFR_INTERVAL, INTERVAL_MS + "ms"),
        Map.entry(ConfigKeys.EAFR_DECAY, "0"),
        Map.entry(
            ConfigKeys.PAPER,
            "eafr.tau-upper=0.8 eafr.tau-lower=0.4 eafr.sigma-upper=2 eafr.sigma-lower=0.5"
                + " eafr.gamma-servers=0.3"),
        Map.entry(ConfigKeys.EAFR_CAPACITY, String.valueOf(CAPACITY)),
        Map.entry(ConfigKeys.EAFR_CAPACITY_OBSERVED, "false"),
        Map.entry(ConfigKeys.EAFR_AGE_MIN, "0"),
        Map.entry(ConfigKeys.EAFR_DWELL, "3s"),
        Map.entry(ConfigKeys.EAFR_COOL_DOWN, "0"),
        Map.entry(ConfigKeys.EAFR_IN_FLIGHT_MAX, String.valueOf(IN_FLIGHT_MAX)),
        Map.entry(ConfigKeys.EAFR_CHANGES_MAX, String.valueOf(CHANGES_MAX)),
        Map.entry(ConfigKeys.EAFR_RESERVE_BYTES, "0"));
  }

  @AfterAll
  static void stop() throws IOException {
    readers.close();
    fs.close();
    cluster.close();
  }

  private static List<Path> write(String parent, int count) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int rank = 1; rank <= count; rank++) {
      Path file = new Path(parent, "rank-" + rank);
      DFSTestUtil.createFile(fs, file, BLOCK_BYTES, (short) OWN, rank);
      files.add(file);
    }
    RackCluster.await("nothing pending", () -> EafrRig.pending(cluster.nameNode()) == 0);
    return files;
  }

  private static int factors(List<Path> files) {
    return files.stream().mapToInt(file -> factor(fs, file)).sum();
  }

  /**
   * Watches the bounds while something goes on: blocks in flight, and how many files change between
   * two looks, which is what a storm of setReplication would show in.
   */
  private static final class Watch implements AutoCloseable {
    private final List<Path> files;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> looking;
    private long mostInFlight;
    private int mostOverBound = Integer.MIN_VALUE;
    private int factors;
    private long lookedAtNanos;

    Watch(List<Path> files) {
      this.files = files;
      factors = factors(files);
      lookedAtNanos = System.nanoTime();
      looking = timer.scheduleWithFixedDelay(this::look, 0, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    private synchronized void look() {
      mostInFlight = Math.max(mostInFlight, EafrRig.pending(cluster.nameNode()));
      int now = factors(files);
      long nowNanos = System.nanoTime();
      long ms = TimeUnit.NANOSECONDS.toMillis(nowNanos - lookedAtNanos);
      // One step a change; so many intervals may have ended since the last look began.
      long decisions = 1 + (ms + INTERVAL_MS - 1) / INTERVAL_MS;
      mostOverBound =
          Math.max(mostOverBound, Math.abs(now - factors) - (int) decisions * CHANGES_MAX);
      factors = now;
      lookedAtNanos = nowNanos;
    }

    void check() {
      assertTrue(!looking.isDone(), "nobody looks any more");
      look();
      synchronized (this) {
        assertTrue(mostInFlight <= IN_FLIGHT_MAX, "in flight: " + mostInFlight);
        assertTrue(mostOverBound <= 0, "changes beyond what intervals allow: " + mostOverBound);
      }
    }

    @Override
    public void close() {
      timer.shutdownNow();
    }
  }

  /** Asks for replicas last, since who asks for these looks like a reader. */
  private static void awaitMoreReplicas(List<Path> files) {
    RackCluster.await(
        "the files read most have more replicas",
        () ->
            files.stream().allMatch(file -> factor(fs, file) > OWN)
                && files.stream().allMatch(file -> replicas(fs, file) > OWN));
  }

  private static void awaitNoSurplus() {
    RackCluster.await(
        "surplus replicas gone",
        () -> cluster.nameNode().getNamesystem().getBlockManager().getExcessBlocksCount() == 0);
  }

  @Nightly
  @Test
  void hotFilesGainReplicasUnderSkewedReadsAndLoseThemWhenTheyCool() throws IOException {
    long seed = new SplittableRandom().nextLong();
    System.out.println("skewed reads, seed " + seed);
    List<Path> files = write("/hot", FILES);
    long added = status("changes_add");
    long deleted = status("changes_delete");
    List<SkewedReaders.Figures> stock = new ArrayList<>();
    List<SkewedReaders.Figures> eafr = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      if (round % 2 == 0) {
        stock.add(readByStock(files, seed + round));
        eafr.add(readWithEafr(files, seed + round));
      } else {
        eafr.add(readWithEafr(files, seed + round));
        stock.add(readByStock(files, seed + round));
      }
    }
    System.out.printf(
        "medians of %d rounds of %d reads, stock: %s%n",
        ROUNDS, READS, SkewedReaders.Figures.median(stock).describe());
    System.out.printf(
        "medians of %d rounds of %d reads, EAFR:  %s%n",
        ROUNDS, READS, SkewedReaders.Figures.median(eafr).describe());
    added = status("changes_add") - added;
    assertTrue(added >= ROUNDS * TOP, "added: " + added);
    assertEquals(added, status("changes_delete") - deleted, "what is raised is lowered");
  }

  private static long status(String figure) {
    return EafrRig.eafr(fs.getConf(), "status").path(figure).asLong();
  }

  private static SkewedReaders.Figures readByStock(List<Path> files, long seed) {
    context.setModes(FeatureModes.all(Mode.OFF));
    long ordered = context.metrics().readsOrdered();
    SkewedReaders.Reading reading = readers.read(files, seed, READS);
    assertEquals(READS, reading.count());
    assertEquals(ordered, context.metrics().readsOrdered(), "stock orders");
    assertEquals(OWN * FILES, factors(files), "stock leaves factors alone");
    return report("stock", reading);
  }

  /** Ends when nothing is left of what EAFR has changed. */
  private static SkewedReaders.Figures readWithEafr(List<Path> files, long seed) {
    context.setModes(FeatureModes.all(Mode.ACTIVE));
    SkewedReaders.Figures figures;
    try (Watch watch = new Watch(files)) {
      try (SkewedReaders.Load warmUp = readers.begin(files, ~seed, READS_MAX)) {
        awaitMoreReplicas(files.subList(0, TOP));
      }
      long ordered = context.metrics().readsOrdered();
      SkewedReaders.Reading reading = readers.read(files, seed, READS);
      assertEquals(READS, reading.count());
      assertTrue(context.metrics().readsOrdered() - ordered >= READS, "EAFR orders");
      figures = report("EAFR ", reading);
      System.out.printf(
          "factors by rank: %s%n",
          files.stream().map(file -> String.valueOf(factor(fs, file))).toList());
      for (Path file : files) {
        assertTrue(factor(fs, file) <= MOST, file + " has " + factor(fs, file));
      }
      RackCluster.await("all have cooled", () -> factors(files) == OWN * FILES);
      watch.check();
    }
    for (Path file : files) {
      assertNull(mark(fs, file));
    }
    awaitNoSurplus();
    assertEquals(OWN, replicas(fs, files.get(0)));
    return figures;
  }

  private static SkewedReaders.Figures report(String who, SkewedReaders.Reading reading) {
    SkewedReaders.Figures figures = reading.figures(CAPACITY);
    System.out.printf("%s: %s%n", who, figures.describe());
    return figures;
  }

  @Test
  void storageFallsBelowThreeWayWhereColdFilesMayShrink() throws IOException {
    long seed = new SplittableRandom().nextLong();
    System.out.println("skewed reads of an archive, seed " + seed);
    context.setModes(FeatureModes.all(Mode.OFF));
    List<Path> files = write("/archive", ARCHIVED);
    List<Path> read = files.subList(0, READ_OF_ARCHIVE);
    List<Path> cold = files.subList(READ_OF_ARCHIVE, ARCHIVED);
    List<Path> top = files.subList(0, 1);
    context.setModes(FeatureModes.all(Mode.ACTIVE));
    try (Watch watch = new Watch(files);
        SkewedReaders.Load load = readers.begin(read, seed, READS_MAX)) {
      awaitMoreReplicas(top);
      RackCluster.await(
          "cold files have two replicas, and all together fewer than three each",
          () ->
              cold.stream().allMatch(file -> factor(fs, file) == 2)
                  && factors(files) < OWN * ARCHIVED);
      watch.check();
    }
    context.setModes(FeatureModes.all(Mode.OFF));
    awaitNoSurplus();
    int stored = files.stream().mapToInt(file -> replicas(fs, file)).sum();
    assertTrue(stored < OWN * ARCHIVED, stored + " replicas of " + ARCHIVED + " files");
    assertTrue(factor(fs, top.get(0)) > OWN, "and yet the file read most has more");
    System.out.printf("archive: %d replicas of %d files%n", stored, ARCHIVED);
    fs.delete(new Path("/archive"), true);
  }
}
