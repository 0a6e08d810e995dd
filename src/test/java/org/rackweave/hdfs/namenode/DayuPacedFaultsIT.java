package org.rackweave.hdfs.namenode;

import static org.apache.hadoop.test.MetricsAsserts.getLongCounter;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.blockmanagement.PendingTargets;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;
import org.rackweave.hdfs.datanode.HeldCopies;
import org.rackweave.hdfs.datanode.RackweaveDataNodePlugin;

/**
 * What goes wrong while agents hold copies to rates: afterwards none is held any more, no transfer
 * is left, every replica is there with its bytes, and the stream limit is the operator's again.
 * Where one NameNode saw it all, every lost replica was copied once and nothing was deleted again.
 */
@EnabledIfSystemProperty(named = DayuPacedFaultsIT.FAULTS, matches = DayuPacedFaultsIT.ALL)
class DayuPacedFaultsIT {
  private static final int STOCK_LIMIT = DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_DEFAULT;

  /** Set to {@value #ALL} to run them, which takes some minutes. */
  static final String FAULTS = "rackweave.test.faults";

  static final String ALL = "all";

  /** A copy waits between two packets of 64 KB. */
  private static final int BLOCK_BYTES = 4 * RackCluster.BLOCK_BYTES;

  /** A copy that has a link's share for copies to itself takes nearly three seconds. */
  private static final long LINK_BYTES_PER_SEC = BLOCK_BYTES / 2;

  /** A copy takes the longest it may, sixteen seconds, and no link can do better. */
  private static final long SLOW_LINK_BYTES_PER_SEC = 16 * 1024;

  private static Configuration conf(long linkBytesPerSec) {
    Configuration conf = RecoveryRig.conf();
    ChosenRpcEngine.agentOn(conf);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, RackweaveDataNodePlugin.class.getName());
    conf.setLong(AgentKeys.LINK_BYTES_PER_SEC, linkBytesPerSec);
    conf.setLong(ConfigKeys.HOST_BYTES_PER_SEC, linkBytesPerSec);
    conf.set(AgentKeys.DECODE_ADDRESS, "0.0.0.0:0");
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    // What writing the files has loaded is forgotten soon.
    conf.set(ConfigKeys.EWMA_ALPHA, "1");
    return conf;
  }

  /** Where a NameNode begins anew, surplus is deleted and what never arrives forgotten soon. */
  private static Configuration confOfTwo(long linkBytesPerSec) {
    Configuration conf = conf(linkBytesPerSec);
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    conf.setLong(DFSConfigKeys.DFS_BLOCKREPORT_INTERVAL_MSEC_KEY, 2000);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 20);
    return conf;
  }

  private static Path write(RecoveryRig rig, int blocks) throws Exception {
    return rig.write("/a", blocks * (BLOCK_BYTES / RackCluster.BLOCK_BYTES), 3);
  }

  private static int replicas(RecoveryRig rig, String uuid) {
    return rig.descriptor(uuid).numBlocks();
  }

  private static String sender(RecoveryRig rig) {
    RackCluster.await("a copy that is held", () -> HeldCopies.now() > 0);
    RackCluster.await("somebody to send", () -> !rig.sending().isEmpty());
    return rig.sending().get(0);
  }

  private static void awaitNothingHeld(RecoveryRig rig) {
    RackCluster.await(
        "no rate named",
        () -> rig.metric("SourcesHeldToRates") == 0 && rig.metric("CopiesUnderWay") == 0);
    RackCluster.await("no copy held", () -> HeldCopies.now() == 0);
    RackCluster.await("no transfer", () -> rig.sending().isEmpty());
    RackCluster.await("the operator's limit", () -> rig.limit() == STOCK_LIMIT);
  }

  private static void awaitWholeAndUnheld(RecoveryRig rig) throws Exception {
    rig.awaitWhole();
    rig.readAll();
    awaitNothingHeld(rig);
  }

  /** Replicas that DataNodes which run have deleted. */
  private static long deleted(RecoveryRig rig) {
    long deleted = 0;
    for (DataNode dataNode : rig.mini().getDataNodes()) {
      deleted += getLongCounter("BlocksRemoved", getMetrics(dataNode.getMetrics().name()));
    }
    return deleted;
  }

  private static void assertEachOnce(RecoveryRig rig, int lost) {
    assertEquals(lost, rig.metric("CopiesArrived"), rig::toString);
    assertEquals(0, rig.metric("CopiesByStock"), rig::toString);
    assertEquals(0, deleted(rig), "nothing was there twice: " + rig);
  }

  @Test
  void sourceDiesWhileItPaces() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(conf(LINK_BYTES_PER_SEC), 3, 3, 3)) {
      write(rig, 24);
      int lost = rig.killFullest();
      String source = sender(rig);
      lost += replicas(rig, source);
      rig.kill(source);
      rig.awaitMetric("CopiesBroken", 1);
      awaitWholeAndUnheld(rig);
      assertEachOnce(rig, lost);
    }
  }

  @Test
  void destinationDiesWhileItsSourcePaces() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(conf(LINK_BYTES_PER_SEC), 3, 3, 3)) {
      Path file = write(rig, 24);
      int lost = rig.killFullest();
      sender(rig);
      List<String> targets = PendingTargets.of(rig.blocks(), rig.cluster().fs(), file);
      lost += replicas(rig, targets.get(0));
      rig.kill(targets.get(0));
      rig.awaitMetric("CopiesBroken", 1);
      awaitWholeAndUnheld(rig);
      assertEachOnce(rig, lost);
    }
  }

  @Test
  void offLetsPacedCopiesGo() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(conf(SLOW_LINK_BYTES_PER_SEC), 3, 3, 3)) {
      write(rig, 24);
      rig.killFullest();
      sender(rig);
      long began = System.nanoTime();
      rig.say("off");
      RackCluster.await("no copy held", () -> HeldCopies.now() == 0);
      assertEquals(STOCK_LIMIT, rig.limit());
      rig.awaitWhole();
      double sec = (System.nanoTime() - began) / 1e9;
      assertTrue(sec < heldSec(), () -> sec + " s, where copies held to rates take " + heldSec());
      rig.readAll();
      awaitNothingHeld(rig);
      assertEquals(0, deleted(rig), "nothing was there twice: " + rig);
    }
  }

  private static double heldSec() {
    return (double) BLOCK_BYTES / SLOW_LINK_BYTES_PER_SEC;
  }

  @Test
  void nameNodeRestartsWhileCopiesAreHeld() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(confOfTwo(LINK_BYTES_PER_SEC), 3, 3, 3)) {
      write(rig, 24);
      rig.killFullest();
      sender(rig);
      rig.mini().restartNameNode(true);
      awaitWholeAndUnheld(rig);
    }
  }

  private static MiniDFSCluster.Builder two(Configuration conf) {
    return new MiniDFSCluster.Builder(conf)
        .nnTopology(MiniDFSNNTopology.simpleHATopology())
        .numDataNodes(9)
        .racks(RackCluster.racks(3, 3, 3));
  }

  @Test
  void theOtherNameNodeTakesOverWhileCopiesAreHeld() throws Exception {
    Configuration conf = confOfTwo(LINK_BYTES_PER_SEC);
    try (RackCluster cluster = RackCluster.startHa(two(conf))) {
      FileSystem fs = HATestUtil.configureFailoverFs(cluster.mini(), conf);
      RecoveryRig rig = RecoveryRig.of(cluster, fs);
      write(rig, 24);
      String dead = cluster.mini().getDataNodes().get(0).getDatanodeUuid();
      rig.kill(dead);
      sender(rig);
      cluster.mini().transitionToStandby(0);
      awaitNothingNamed(rig);
      RackCluster.await("no copy held", () -> HeldCopies.now() == 0);
      cluster.mini().transitionToActive(1);
      rig.activeIs(1);
      rig.declareDead(dead, 0);
      awaitWholeAndUnheld(rig);
    }
  }

  private static void awaitNothingNamed(RecoveryRig rig) {
    RackCluster.await("no rate named", () -> rig.metric("SourcesHeldToRates") == 0);
    RackCluster.await("the operator's limit", () -> rig.limit() == STOCK_LIMIT);
  }

  /** It can take back no rate any more: agents give them up themselves. */
  @Test
  void aNameNodeThatDiesLeavesNoCopyHeld() throws Exception {
    Configuration conf = confOfTwo(SLOW_LINK_BYTES_PER_SEC);
    // In one process all DataNodes wait for one connection, one after the other.
    conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    try (RackCluster cluster = RackCluster.startHa(two(conf))) {
      FileSystem fs = HATestUtil.configureFailoverFs(cluster.mini(), conf);
      RecoveryRig rig = RecoveryRig.of(cluster, fs);
      write(rig, 24);
      String dead = cluster.mini().getDataNodes().get(0).getDatanodeUuid();
      rig.kill(dead);
      sender(rig);
      cluster.mini().shutdownNameNode(0);
      rig.activeIs(1);
      // What the other orders is not to be taken for what the first has left.
      rig.say("off");
      cluster.mini().transitionToActive(1);
      rig.declareDead(dead, 0);
      awaitWholeAndUnheld(rig);
      assertEquals(0, rig.metric("CopiesScheduled"), rig::toString);
    }
  }
}
