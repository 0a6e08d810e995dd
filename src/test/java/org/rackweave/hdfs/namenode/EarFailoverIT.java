package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ear.CallStops;

/**
 * Failovers at instants of our choice, in order and after a NameNode's death. The thread that was
 * stopped goes on once the other NameNode is active, and must not change anything. At night every
 * instant is tried.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EarFailoverIT {
  private static final int FILES = 6;
  private static final int WHOLE_BLOCKS = 3;

  private final long seed = Long.getLong("rackweave.test.crash.seed", System.nanoTime());
  private final ExecutorService clients = Executors.newSingleThreadExecutor();
  private CallStops stops;
  private RackCluster cluster;
  private DistributedFileSystem fs;
  private EncodedWarehouse warehouse;
  private int active;

  static Stream<Arguments> failovers() {
    if (!Nightly.IS_ON) {
      return Stream.of(Arguments.of(Instant.PARITY_VERIFIED, true));
    }
    List<Arguments> failovers = new ArrayList<>();
    for (Instant instant : Instant.values()) {
      failovers.add(Arguments.of(instant, false));
      failovers.add(Arguments.of(instant, true));
    }
    return failovers.stream();
  }

  @BeforeAll
  void start() throws Exception {
    System.out.println("failovers, seed " + seed);
    Configuration conf = EncodedWarehouse.conf();
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    // Until a DataNode has reported anew, no surplus is taken away after a failover.
    conf.setLong(DFSConfigKeys.DFS_BLOCKREPORT_INTERVAL_MSEC_KEY, 2000);
    stops = CallStops.install(conf);
    cluster =
        RackCluster.startHa(
            EncodedWarehouse.cluster(conf).nnTopology(MiniDFSNNTopology.simpleHATopology()));
    fs = (DistributedFileSystem) HATestUtil.configureFailoverFs(cluster.mini(), conf);
    warehouse = new EncodedWarehouse(fs, this::activeNameNode, seed);
  }

  @AfterAll
  void stop() {
    clients.shutdownNow();
    stops.close();
    cluster.close();
  }

  @BeforeEach
  void deleteEverything() throws Exception {
    for (Path file : List.copyOf(warehouse.files().keySet())) {
      warehouse.delete(file);
    }
  }

  private NameNode activeNameNode() {
    return cluster.mini().getNameNode(active);
  }

  private void fail(boolean isDead) throws Exception {
    MiniDFSCluster mini = cluster.mini();
    int before = active;
    if (isDead) {
      stops.kill(mini.getNameNode(before));
      mini.shutdownNameNode(before);
    } else {
      mini.transitionToStandby(before);
    }
    active = 1 - before;
    mini.transitionToActive(active);
  }

  @ParameterizedTest(name = "at {0}, the old one dead: {1}")
  @MethodSource("failovers")
  void theOtherNameNodeGoesOn(Instant instant, boolean isDead) throws Exception {
    int before = active;
    if (!instant.isOfEncoding()) {
      warehouse.write(FILES, WHOLE_BLOCKS);
      warehouse.awaitSound("before " + instant);
    }
    CountDownLatch isWritten = new CountDownLatch(1);
    try (CallStops.Stop stop =
        stops.stopAt(instant.where, () -> CallStops.awaitUninterrupted(isWritten))) {
      if (instant.isOfEncoding()) {
        warehouse.write(FILES, WHOLE_BLOCKS);
      } else {
        warehouse.deleteSome(instant.isOfGivingUp());
      }
      isWritten.countDown();
      stop.await(instant.toString());
      fail(isDead);
    }
    warehouse.awaitSound("failed over at " + instant);
    if (isDead) {
      cluster.mini().restartNameNode(before, false);
    }
  }

  /** There and back before the first has noticed that it was not active for a moment. */
  @Nightly
  @Test
  void aNameNodeThatIsActiveAgainKnowsWhatTheOtherDid() throws Exception {
    warehouse.write(FILES, WHOLE_BLOCKS);
    warehouse.awaitSound("encoded by the first");
    // Looking for missing blocks is done by the thread that would notice, every few seconds.
    try (CallStops.Stop stop = stops.stopAt(call -> call.begins("missing"), () -> {})) {
      stop.await("the first is held up");
      fail(false);
      warehouse.delete(warehouse.files().keySet().iterator().next());
      warehouse.write(FILES, WHOLE_BLOCKS);
      warehouse.awaitSound("encoded by the second");
      fail(false);
    }
    warehouse.awaitSound("the first is active again");
  }

  /**
   * Files have given their surplus up and no DataNode has been told: the other NameNode knows the
   * factor only, and HDFS chooses, which knows nothing of stripes.
   */
  @Nightly
  @Test
  void aWrongChoiceOfReplicasIsMendedAfterAFailover() throws Exception {
    int before = active;
    Path directory = new Path(EncodedWarehouse.DIRECTORY);
    List<Path> files = warehouse.write(FILES, WHOLE_BLOCKS);
    // Keeps files from giving up what they have until all is ready.
    fs.allowSnapshot(directory);
    fs.createSnapshot(directory, "held");
    RackCluster.await(
        "files that a snapshot holds",
        () ->
            RackCluster.contextOf(activeNameNode())
                .stripes()
                .counts()
                .filesWaiting()
                .toString()
                .contains("HELD_BY_SNAPSHOT"));
    try (CallStops.Stop stop =
        stops.stopAt(
            Instant.REPLICAS_NOT_SHED.where, () -> NameDirectory.muffle(cluster.mini(), true))) {
      fs.deleteSnapshot(directory, "held");
      stop.await("a file is about to give up replicas, and no DataNode is told of anything");
    }
    try {
      RackCluster.await(
          "a file has factor 1 and three replicas",
          () -> files.stream().anyMatch(warehouse::isShrunkInNameOnly));
      fail(true);
    } finally {
      NameDirectory.muffle(cluster.mini(), false);
    }
    warehouse.awaitSound("after HDFS chose");
    fs.disallowSnapshot(directory);
    cluster.mini().restartNameNode(before, false);
  }

  /** The client that appends while the NameNode fails notices nothing. */
  @Test
  @Nightly
  void anAppendThatWaitsForReplicasOutlivesTheFailover() throws Exception {
    warehouse.write(FILES, WHOLE_BLOCKS);
    warehouse.awaitSound("encoded");
    Path file = shrunkFile();
    Future<?> append;
    try (CallStops.Stop stop = stops.stopAt(Instant.FACTOR_RAISED.where, () -> {})) {
      append =
          clients.submit(
              () -> {
                warehouse.append(file, new byte[1000]);
                return null;
              });
      stop.await("the factor is raised");
      fail(false);
    }
    append.get();
    warehouse.awaitSound("appended over a failover");
    // At once, when the NameNode may not have read its stripes.
    Path other = shrunkFile();
    fail(false);
    warehouse.append(other, new byte[1000]);
    warehouse.awaitSound("appended after a failover");
  }

  private Path shrunkFile() throws IOException {
    for (Path file : warehouse.files().keySet()) {
      if (activeNameNode().getRpcServer().getFileInfo(file.toUri().getPath()).getReplication()
          == 1) {
        return file;
      }
    }
    throw new AssertionError("no file has given up replicas");
  }

  /** Records are attributes, and last through a checkpoint of the standby and a restart of both. */
  @Test
  @Nightly
  void aCheckpointKeepsTheStripes() throws Exception {
    warehouse.write(FILES, WHOLE_BLOCKS);
    warehouse.awaitSound("encoded");
    int stripes = warehouse.encoded().stripeCount();
    assertTrue(stripes > 0);
    MiniDFSCluster mini = cluster.mini();
    HATestUtil.waitForStandbyToCatchUp(mini.getNameNode(active), mini.getNameNode(1 - active));
    activeNameNode().getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
    activeNameNode().getRpcServer().saveNamespace(0, 0);
    mini.restartNameNode(active, false);
    mini.transitionToActive(active);
    mini.waitActive(active);
    warehouse.awaitSound("after a checkpoint and a restart");
    assertTrue(warehouse.encoded().stripeCount() >= stripes, "stripes are lost");
  }
}
