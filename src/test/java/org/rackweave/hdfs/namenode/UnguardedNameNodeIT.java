package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HealthCheckFailedException;
import org.apache.hadoop.ha.ServiceFailedException;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/** A NameNode with encoded data whose guards do not start: HDFS only warns of that. */
class UnguardedNameNodeIT {
  private static final int FILE_BYTES = 1000;
  private static final Path FILE = new Path("/file");
  private static final Path PARITY = new Path("/.rackweave/parity/rs-6-3/0/1");

  @AfterEach
  void mend() {
    HookGuard.inject(null);
  }

  private static void failGuards() {
    HookGuard.inject(
        hook -> {
          if (hook == Hook.GUARDS) {
            throw new NoClassDefFoundError("a jar of another version");
          }
        });
  }

  private static Configuration conf() {
    Configuration conf = RackCluster.conf();
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-6-3");
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY, 0);
    return conf;
  }

  private static void write(DistributedFileSystem fs, Path... files) throws Exception {
    for (Path file : files) {
      DFSTestUtil.createFile(fs, file, FILE_BYTES, (short) 1, 1);
    }
  }

  private static RackCluster startOne() throws IOException {
    return RackCluster.start(
        new MiniDFSCluster.Builder(conf()).numDataNodes(1).waitSafeMode(false));
  }

  private static void restart(RackCluster cluster) throws IOException {
    cluster.mini().restartNameNode(false);
    RackCluster.await("clients connect anew", () -> answers(cluster));
  }

  private static boolean answers(RackCluster cluster) {
    try {
      return cluster.fs().exists(FILE);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isReadable(RackCluster cluster) {
    try {
      return DFSTestUtil.readFileAsBytes(cluster.fs(), FILE).length == FILE_BYTES;
    } catch (IOException e) {
      return false;
    }
  }

  private static void awaitWritable(RackCluster cluster) throws IOException {
    cluster.mini().waitActive();
    RackCluster.await("not held", () -> !cluster.mini().getNameNode().isInSafeMode());
  }

  /** Past RPC, too: there, what HDFS does by itself. */
  private static void assertHeld(RackCluster cluster) throws Exception {
    NameNode nameNode = cluster.mini().getNameNode();
    DistributedFileSystem fs = cluster.fs();
    assertTrue(nameNode.isInSafeMode());
    assertThrows(SafeModeException.class, () -> delete(nameNode));
    for (SafeModeAction out :
        List.of(SafeModeAction.SAFEMODE_LEAVE, SafeModeAction.SAFEMODE_FORCE_EXIT)) {
      RemoteException refused =
          assertThrows(RemoteException.class, () -> fs.setSafeMode(out, false));
      assertTrue(refused.getMessage().contains("Rackweave holds this"), refused::getMessage);
    }
    assertThrows(
        RemoteException.class, () -> fs.rollingUpgrade(HdfsConstants.RollingUpgradeAction.PREPARE));
    assertTrue(nameNode.isInSafeMode());
    nameNode.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
    RackCluster.await("held again", nameNode::isInSafeMode);
    assertThrows(SafeModeException.class, () -> delete(nameNode));
  }

  private static void delete(NameNode nameNode) throws IOException {
    nameNode.getRpcServer().delete(FILE.toString(), false);
  }

  private static void assertFsckDeletesNothing(RackCluster cluster) throws Exception {
    NameNode nameNode = cluster.mini().getNameNode();
    DatanodeID holder = cluster.mini().getDataNodes().get(0).getDatanodeId();
    MiniDFSCluster.DataNodeProperties stopped = cluster.mini().stopDataNode(0);
    cluster.mini().setDataNodeDead(holder);
    String said = DegradedReadIT.fsck(cluster, "/", "-delete");
    assertTrue(said.contains("CORRUPT"), said);
    assertNotNull(nameNode.getRpcServer().getFileInfo(FILE.toString()), said);
    assertNotNull(nameNode.getRpcServer().getFileInfo(PARITY.toString()), said);
    cluster.mini().restartDataNode(stopped, true);
  }

  @Test
  void oneWithoutHaStaysInSafeModeUntilItsGuardsStart() throws Exception {
    try (RackCluster cluster = startOne()) {
      write(cluster.fs(), FILE);
      failGuards();
      restart(cluster);
      awaitWritable(cluster); // nothing is encoded
      mend();
      restart(cluster);
      awaitWritable(cluster);
      write(cluster.fs(), PARITY);

      failGuards();
      restart(cluster);
      assertHeld(cluster);
      RackCluster.await("files can be read", () -> isReadable(cluster));
      assertFsckDeletesNothing(cluster);

      mend();
      restart(cluster);
      awaitWritable(cluster);
      assertTrue(cluster.fs().delete(FILE, false));
    }
  }

  /** Whatever directories want now, what is encoded has its guards. */
  @Test
  void oneWithoutRulesGuardsWhatIsEncoded() throws Exception {
    try (RackCluster cluster = startOne()) {
      cluster.mini().getConfiguration(0).unset(ConfiguredRules.CODES);
      write(cluster.fs(), FILE, PARITY);
      restart(cluster);
      awaitWritable(cluster);
      DatanodeID holder = cluster.mini().getDataNodes().get(0).getDatanodeId();
      cluster.mini().stopDataNode(0);
      cluster.mini().setDataNodeDead(holder);
      String said = DegradedReadIT.fsck(cluster, "/", "-delete");
      assertTrue(answers(cluster), said);
    }
  }

  @Test
  void aStandbyIsNotHealthyAndDoesNotBecomeActive() throws Exception {
    Configuration conf = conf();
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf)
            .nnTopology(MiniDFSNNTopology.simpleHATopology())
            .numDataNodes(1)
            .waitSafeMode(false);
    try (RackCluster cluster = RackCluster.startHa(builder)) {
      MiniDFSCluster mini = cluster.mini();
      DistributedFileSystem fs = (DistributedFileSystem) HATestUtil.configureFailoverFs(mini, conf);
      failGuards();
      mini.restartNameNode(1, false); // there may be stripes in edits that it is to read
      mend();
      write(fs, FILE, PARITY);
      assertTrue(mini.getNameNode(1).isInSafeMode());

      assertTrue(fs.delete(FILE, false), "the active one has its guards");
      assertThrows(
          HealthCheckFailedException.class,
          () -> mini.getNameNode(1).getRpcServer().monitorHealth());
      mini.transitionToStandby(0);
      assertThrows(ServiceFailedException.class, () -> mini.transitionToActive(1));
      assertTrue(mini.getNameNode(1).isStandbyState());
      mini.transitionToActive(0);
      assertFalse(mini.getNameNode(0).isInSafeMode());
    }
  }
}
