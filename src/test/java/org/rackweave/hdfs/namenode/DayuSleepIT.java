package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ConfigKeys;

/**
 * Dayu while a third of the servers sleep: it copies nothing that only sleeps, does not take
 * sleepers for an outage, and makes again what a failure has cost. Takes minutes.
 */
@Nightly
class DayuSleepIT {
  private static final String[] COLD = {"h0", "h4"};

  @RegisterExtension final PowerSwitch power = new PowerSwitch();

  private Configuration conf() {
    Configuration conf = SleepRig.conf(power, String.join(",", COLD));
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.DAYU);
    conf.set(ConfigKeys.DAYU_TIMESLOT, "2s");
    conf.set(ConfigKeys.DAYU_CLAIM, "3s");
    // One of four is no outage, and three of six, with those that sleep, would be one.
    conf.set(ConfigKeys.DAYU_BRAKE_SHARE, "0.4");
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    return conf;
  }

  private static void awaitState(RecoveryRig rig, String state) {
    RackCluster.await(
        "recovery to be " + state,
        () -> rig.metrics() != null && rig.metrics().tagged("State").equals(state));
  }

  private static void assertNoCopies(RecoveryRig rig) {
    assertEquals(0, SleepRig.copies(rig.mini()));
    assertNothingIsRecovered(rig);
  }

  private static void assertNothingIsRecovered(RecoveryRig rig) {
    assertEquals(0, rig.metric("CopiesScheduled"), rig::toString);
    assertEquals(0, rig.metric("CopiesByStock"), rig::toString);
    assertEquals(0, rig.metric("Brakes"), rig::toString);
  }

  @Test
  void aRestartWakesSleepersAndNobodyCopiesMeanwhileButWhatHasOneReplica() throws Exception {
    try (RackCluster cluster = SleepRig.start(conf(), power)) {
      RecoveryRig rig = RecoveryRig.of(cluster, cluster.fs());
      SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
      SleepRig.letSleep(cluster.mini().getNameNode());
      SleepRig.awaitAsleep(cluster.mini().getNameNode(), COLD);
      awaitState(rig, "idle");
      Set<ExtendedBlock> singles = kept.blocksOf(cluster.fs(), 1);
      power.setWakes(false);
      cluster.mini().restartNameNode(0, false);
      NameNode nameNode = cluster.mini().getNameNode();
      // Nothing but the sleepers is to keep it from copying.
      SleepRig.letSleep(nameNode);
      RackCluster.await("safe mode is left", () -> !nameNode.isInSafeMode());
      RackCluster.await("what sleeps is missed", () -> EafrRig.pending(nameNode) > 0);
      awaitState(rig, "stock: servers-waking");
      SleepRig.awaitLooks(nameNode);
      SleepRig.awaitAnswer(cluster);
      RackCluster.await(
          "no block has one replica", () -> kept.blocksOf(SleepRig.fs(cluster), 1).isEmpty());
      assertEquals("stock: servers-waking", rig.metrics().tagged("State"));
      assertNothingIsRecovered(rig);

      power.setWakes(true);
      SleepRig.awaitInService(nameNode, COLD);
      RackCluster.await("nothing is missed", () -> EafrRig.pending(nameNode) == 0);
      awaitState(rig, "idle");
      assertNothingIsRecovered(rig);
      SleepRig.assertCopiesOf(singles, rig.mini());
      kept.check(cluster.fs());
    }
  }

  /** Its rack's other server sleeps: that looks like a rack that was lost. */
  @Test
  void aFailureIsRecoveredAndOneServerWokenWhereOneIsEnough() throws Exception {
    try (RackCluster cluster = SleepRig.start(conf(), power)) {
      RecoveryRig rig = RecoveryRig.of(cluster, cluster.fs());
      DataNode victim = SleepRig.datanode(cluster, "h1");
      Path unreadable = new Path("/unreadable");
      byte[] content =
          SleepRig.writeTo(
              cluster,
              unreadable,
              SleepRig.datanode(cluster, "h0"),
              SleepRig.datanode(cluster, "h4"),
              victim);
      Path half = new Path("/half");
      SleepRig.writeTo(
          cluster,
          half,
          victim,
          SleepRig.datanode(cluster, "h2"),
          SleepRig.datanode(cluster, "h3"));
      SleepRig.Kept kept = SleepRig.Kept.write(cluster.fs());
      NameNode nameNode = cluster.mini().getNameNode();
      SleepRig.letSleep(nameNode);
      SleepRig.awaitAsleep(nameNode, COLD);
      assertNoCopies(rig);
      cluster.mini().stopDataNode(cluster.mini().getDataNodes().indexOf(victim));

      RackCluster.await("one is woken", () -> power.count("wake") > 0);
      RackCluster.await(
          "the block is back", () -> EafrRig.replicas(SleepRig.fs(cluster), unreadable) > 0);
      assertArrayEquals(content, DFSTestUtil.readFileAsBytes(cluster.fs(), unreadable));
      RackCluster.await("nothing is missed", () -> EafrRig.pending(nameNode) == 0);
      RackCluster.await(
          "a lost replica is made again", () -> EafrRig.replicas(SleepRig.fs(cluster), half) == 3);
      assertEquals(1, power.count("wake"), power.orders().toString());
      assertEquals(1, power.off());
      assertTrue(rig.metric("CopiesScheduled") > 0, rig::toString);
      assertEquals(0, rig.metric("Brakes"), rig::toString);
      kept.check(cluster.fs());
    }
  }

  @Test
  void aFailoverCopiesWhatIsLostAndNotWhatSleeps() throws Exception {
    try (SleepRig.Pair pair = SleepRig.Pair.start(conf())) {
      RecoveryRig rig = RecoveryRig.of(pair.cluster(), pair.fs());
      SleepRig.Kept kept = SleepRig.Kept.write(pair.fs());
      pair.awaitAsleep(power, COLD);
      assertNoCopies(rig);

      pair.failOver();
      rig.activeIs(1);
      NameNode nameNode = pair.second();
      SleepRig.letSleep(nameNode);
      awaitState(rig, "idle");
      assertEquals(0, EafrRig.pending(nameNode));
      assertNoCopies(rig);

      int lost = SleepRig.on(nameNode, "h1").numBlocks();
      DataNode victim = SleepRig.datanode(pair.cluster(), "h1");
      pair.mini().stopDataNode(pair.mini().getDataNodes().indexOf(victim));
      rig.awaitMetric("CopiesScheduled", 1);
      RackCluster.await("nothing is missed", () -> EafrRig.pending(nameNode) == 0);
      RackCluster.await("nothing under way", () -> rig.metric("CopiesUnderWay") == 0);
      assertTrue(rig.metric("CopiesScheduled") <= lost, () -> lost + " lost, " + rig);
      assertEquals(0, rig.metric("Brakes"), rig::toString);
      kept.check(pair.fs());
    }
  }
}
