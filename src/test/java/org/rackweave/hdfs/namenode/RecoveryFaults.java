package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.PendingTargets;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.rackweave.hdfs.datanode.HeldCopies;

/**
 * What goes wrong while lost replicas are made again. Afterwards no block is lost, no copy is made
 * twice for good, no transfer and no rate is left, and the stream limit is the operator's again.
 * HDFS itself would wait five minutes for a copy that does not come, which is longer than these
 * tests do.
 *
 * <p>There are two DataNodes in each of three racks, and it is laid down which of them have the
 * blocks: so it is known which has to send.
 */
final class RecoveryFaults {
  static final int STOCK_LIMIT = DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_DEFAULT;
  private static final int[] RACKS = {2, 2, 2};
  private static final String FILE = "/a";
  static final int BLOCKS = 4;
  private static final int OWN_LIMIT = 3;

  private final Supplier<Configuration> conf;
  private final Predicate<RecoveryRig> areAsMeant;

  /**
   * @param conf of clusters whose copies take some seconds
   * @param areAsMeant whether copies under way are those that the faults are to hit
   */
  RecoveryFaults(Supplier<Configuration> conf, Predicate<RecoveryRig> areAsMeant) {
    this.conf = conf;
    this.areAsMeant = areAsMeant;
  }

  /** A cluster in which Dayu has all that it needs to plan. */
  private RecoveryRig start(Configuration configuration) throws IOException {
    RecoveryRig rig = RecoveryRig.start(configuration, RACKS);
    awaitReady(rig);
    return rig;
  }

  static void awaitReady(RecoveryRig rig) {
    RackCluster.await(
        "recovery to be ready",
        () -> rig.metrics() != null && rig.metrics().tagged("State").equals("idle"));
  }

  /** Writes blocks to the first DataNode of every rack. */
  static void writeToFirsts(RecoveryRig rig) throws Exception {
    List<DataNode> dataNodes = rig.mini().getDataNodes();
    rig.writeTo(List.of(dataNodes.get(0), dataNodes.get(2), dataNodes.get(4)), FILE, BLOCKS);
  }

  private static String uuid(RecoveryRig rig, int dataNode) {
    return rig.mini().getDataNodes().get(dataNode).getDatanodeUuid();
  }

  /** Waits for copies under way; returns a DataNode that sends one. */
  String awaitSender(RecoveryRig rig) {
    AtomicReference<List<String>> sending = new AtomicReference<>(List.of());
    try {
      RackCluster.await(
          "copies under way",
          () -> {
            sending.set(rig.sending());
            return !sending.get().isEmpty() && areAsMeant.test(rig);
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ", " + rig, e);
    }
    return sending.get().get(0);
  }

  /** Transfers that HDFS gives a DataNode at a time unless that is raised. */
  static int operatorsLimit(RecoveryRig rig) {
    return rig.mini()
        .getConfiguration(0)
        .getInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, STOCK_LIMIT);
  }

  static void awaitWholeAndQuiet(RecoveryRig rig) throws Exception {
    rig.awaitWhole();
    rig.readAll();
    RackCluster.await("nothing under way", () -> rig.metric("CopiesUnderWay") == 0);
    RackCluster.await("no rate named", () -> rig.metric("SourcesHeldToRates") == 0);
    RackCluster.await("no copy held to a rate", () -> HeldCopies.now() == 0);
    RackCluster.await("no transfer", () -> rig.sending().isEmpty());
    RackCluster.await("the operator's limit", () -> rig.limit() == operatorsLimit(rig));
    RackCluster.await(
        "DataNodes that have nothing else", () -> replicasOnDataNodes(rig) == rig.replicas());
    // Somebody might have begun anew meanwhile.
    assertEquals(0, HeldCopies.now());
    assertEquals(List.of(), rig.sending());
    assertEquals(0, rig.metric("CopiesUnderWay"), rig::toString);
  }

  private static long replicasOnDataNodes(RecoveryRig rig) {
    long replicas = 0;
    String pool = rig.nameNode().getNamesystem().getBlockPoolId();
    for (Map<DatanodeStorage, BlockListAsLongs> report : rig.mini().getAllBlockReports(pool)) {
      for (BlockListAsLongs blocks : report.values()) {
        replicas += blocks.getNumberOfBlocks();
      }
    }
    return replicas;
  }

  /** Where one NameNode has seen it all. */
  static void assertEveryCopyHasAnEnd(RecoveryRig rig) {
    assertEquals(
        rig.metric("CopiesScheduled"),
        rig.metric("CopiesArrived")
            + rig.metric("CopiesBroken")
            + rig.metric("CopiesCancelled")
            + rig.metric("CopiesGivenUp"),
        rig::toString);
  }

  void sourceDies() throws Exception {
    try (RecoveryRig rig = start(conf.get())) {
      writeToFirsts(rig);
      List<String> sources = List.of(uuid(rig, 2), uuid(rig, 4));
      rig.kill(uuid(rig, 0));
      String sender = awaitSender(rig);
      assertTrue(sources.contains(sender), "the other one still has every block");
      rig.crash(sender);
      rig.awaitMetric("CopiesBroken", 1);
      awaitWholeAndQuiet(rig);
      assertEveryCopyHasAnEnd(rig);
    }
  }

  void destinationDies() throws Exception {
    try (RecoveryRig rig = start(conf.get())) {
      writeToFirsts(rig);
      rig.kill(uuid(rig, 0));
      awaitSender(rig);
      rig.crash(awaitReceiver(rig));
      rig.awaitMetric("CopiesBroken", 1);
      awaitWholeAndQuiet(rig);
      assertEveryCopyHasAnEnd(rig);
    }
  }

  /** Waits for a DataNode that receives one of the copies. */
  private static String awaitReceiver(RecoveryRig rig) {
    AtomicReference<String> receiver = new AtomicReference<>();
    RackCluster.await(
        "somebody to receive",
        () -> {
          receiver.set(receiver(rig));
          return receiver.get() != null;
        });
    return receiver.get();
  }

  private static String receiver(RecoveryRig rig) {
    try {
      List<String> expected = PendingTargets.of(rig.blocks(), rig.cluster().fs(), new Path(FILE));
      return rig.mini().getDataNodes().stream()
          .filter(dataNode -> dataNode.getXceiverCount() > 0)
          .map(DataNode::getDatanodeUuid)
          .filter(expected::contains)
          .findFirst()
          .orElse(null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void secondDataNodeDies() throws Exception {
    try (RecoveryRig rig = start(conf.get())) {
      writeToFirsts(rig);
      List<DataNode> dataNodes = rig.mini().getDataNodes();
      rig.writeTo(List.of(dataNodes.get(1), dataNodes.get(3), dataNodes.get(5)), "/b", BLOCKS);
      String first = uuid(rig, 0);
      String second = uuid(rig, 1);
      rig.kill(first);
      awaitSender(rig);
      rig.crash(second);
      awaitWholeAndQuiet(rig);
      assertTrue(rig.metric("CopiesScheduled") >= 2 * BLOCKS, rig::toString);
      assertEveryCopyHasAnEnd(rig);
    }
  }

  /** So every block has one DataNode that could send it, to two others. */
  void twoOfThreeReplicasAreLost() throws Exception {
    try (RecoveryRig rig = start(conf.get())) {
      writeToFirsts(rig);
      String first = uuid(rig, 0);
      String second = uuid(rig, 2);
      rig.kill(first);
      rig.crash(second);
      awaitSender(rig);
      awaitWholeAndQuiet(rig);
      assertTrue(rig.metric("CopiesScheduled") >= 2 * BLOCKS, rig::toString);
      assertEveryCopyHasAnEnd(rig);
    }
  }

  void blocksAreDeletedMeanwhile() throws Exception {
    try (RecoveryRig rig = start(conf.get())) {
      List<DataNode> dataNodes = rig.mini().getDataNodes();
      Path deleted = new Path("/deleted");
      rig.writeTo(List.of(dataNodes.get(0), dataNodes.get(2)), "/deleted", BLOCKS);
      rig.writeTo(List.of(dataNodes.get(0), dataNodes.get(4)), "/kept", BLOCKS / 2);
      String sendsDeleted = uuid(rig, 2);
      rig.kill(uuid(rig, 0));
      awaitSender(rig);
      RackCluster.await("its copies under way", () -> rig.sending().contains(sendsDeleted));
      rig.delete(deleted);
      awaitWholeAndQuiet(rig);
      assertEquals(0, rig.metric("BlocksWaiting"), rig::toString);
      assertTrue(rig.metric("CopiesGivenUp") > 0, rig::toString);
      assertEveryCopyHasAnEnd(rig);
    }
  }

  void nameNodeRestartsInMidSlot() throws Exception {
    try (RecoveryRig rig = start(ofTwoTurns())) {
      writeToFirsts(rig);
      rig.kill(uuid(rig, 0));
      awaitSender(rig);
      BlockManager old = rig.blocks();
      rig.mini().restartNameNode(true);
      assertEquals(operatorsLimit(rig), old.getMaxReplicationStreams(), "it was put back");
      awaitWholeAndQuiet(rig);
    }
  }

  /** For a NameNode that goes on where another was, or it itself before a restart. */
  private Configuration ofTwoTurns() {
    Configuration configuration = conf.get();
    // A copy ordered twice, before and after, arrives once where it had been reported already; HDFS
    // expects the other for five minutes.
    configuration.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 20);
    // Until a DataNode has reported anew, no surplus is taken away.
    configuration.setLong(DFSConfigKeys.DFS_BLOCKREPORT_INTERVAL_MSEC_KEY, 2000);
    configuration.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    return configuration;
  }

  void theOtherNameNodeGoesOnAfterAFailover() throws Exception {
    Configuration configuration = ofTwoTurns();
    configuration.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, OWN_LIMIT);
    String[] racks = RackCluster.racks(RACKS);
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(configuration)
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(racks.length)
            .racks(racks);
    try (RackCluster cluster = RackCluster.startHa(builder)) {
      FileSystem fs = HATestUtil.configureFailoverFs(cluster.mini(), configuration);
      RecoveryRig rig = RecoveryRig.of(cluster, fs);
      awaitReady(rig);
      writeToFirsts(rig);
      String dead = uuid(rig, 0);
      rig.kill(dead);
      awaitSender(rig);

      cluster.mini().transitionToStandby(0);
      RackCluster.await("the old one's limit", () -> rig.limit() == OWN_LIMIT);
      RackCluster.await("no rate of the old one", () -> rig.metric("SourcesHeldToRates") == 0);
      RackCluster.await("no copy of the old one's", () -> rig.metric("CopiesUnderWay") == 0);
      // Copies of the old one keep their rates and go on.
      cluster.mini().transitionToActive(1);
      rig.activeIs(1);
      rig.declareDead(dead, 0);

      awaitWholeAndQuiet(rig);
      // What the first had ordered may have arrived in time, and left the other nothing to do.
      awaitReady(rig);
      rig.killFullest();
      awaitSender(rig);
      awaitWholeAndQuiet(rig);
    }
  }
}
