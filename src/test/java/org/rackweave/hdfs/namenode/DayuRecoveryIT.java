package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.RemovedKeys;
import org.rackweave.history.Event;

/** Who makes lost replicas again, and when. */
class DayuRecoveryIT {
  private static final int STOCK_LIMIT = DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_DEFAULT;

  @Test
  void makesEveryReplicaOfADeadDataNodeAgain() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(RecoveryRig.conf(), 3, 3, 3)) {
      rig.write("/a", 20, 3);
      rig.write("/b", 20, 2);
      int lost = rig.killFullest();

      rig.awaitWhole();

      rig.readAll();
      RackCluster.await("nothing under way", () -> rig.metric("CopiesUnderWay") == 0);
      assertEquals(lost, rig.metric("CopiesScheduled"), rig::toString);
      assertEquals(lost, rig.metric("CopiesArrived"), rig::toString);
      assertEquals(0, rig.metric("CopiesByStock"), rig::toString);
      RackCluster.await("the operator's limit", () -> rig.limit() == STOCK_LIMIT);
      assertEquals("idle", rig.metrics().tagged("State"));
      List<Event> events = rig.cluster().context().events().latest(500, 500, event -> true);
      List<String> recovery =
          events.stream()
              .filter(event -> event.kind() == Event.Kind.RECOVERY)
              .map(event -> event.text().replaceFirst(":.*", ""))
              .toList();
      assertTrue(
          recovery.containsAll(List.of("recovery begins", "recovery is over")), recovery::toString);
      assertTrue(events.stream().anyMatch(event -> event.kind() == Event.Kind.COPY));
    }
  }

  @Test
  void beginsWhenADataNodeIsDeadAndNotWhenHdfsLooksNext() throws Exception {
    Configuration conf = RecoveryRig.conf();
    // It looks once when it starts, and five minutes later, when this test is long over.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 300_000);
    try (RecoveryRig rig = RecoveryRig.start(conf, 2, 2, 2)) {
      rig.write("/a", 10, 2);
      String uuid = rig.mini().getDataNodes().get(0).getDatanodeUuid();
      int lost = rig.descriptor(uuid).numBlocks();
      rig.stop(uuid);
      long elevenMinutes = 660_000;
      rig.declareDead(uuid, Time.monotonicNow() - elevenMinutes);
      rig.awaitWhole();
      RackCluster.await("nothing under way", () -> rig.metric("CopiesUnderWay") == 0);
      assertEquals(lost, rig.metric("CopiesArrived"), rig::toString);
    }
  }

  @Test
  void isStockWithStocksPolicy() throws Exception {
    Configuration conf = RecoveryRig.conf();
    conf.unset(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY);
    assertStock(conf);
  }

  @Test
  void isStockWithAPolicyThatHasOtherFeaturesOnly() throws Exception {
    Configuration conf = RecoveryRig.conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.SINBAD);
    assertStock(conf);
  }

  /** A configuration of an earlier version, in which any policy of Rackweave's would do. */
  @Test
  void isDayusWithSuchAPolicyWhereAnEarlierKeySaysSo() throws Exception {
    Configuration conf = RecoveryRig.conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.SINBAD);
    conf.setBoolean(RemovedKeys.DAYU_ENABLED, true);
    try (RecoveryRig rig = RecoveryRig.start(conf, 2, 2)) {
      rig.write("/a", 4, 2);
      rig.killFullest();
      rig.awaitWhole();
      assertTrue(rig.metric("CopiesScheduled") > 0, rig::toString);
    }
  }

  private static void assertStock(Configuration conf) throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(conf, 2, 2)) {
      rig.write("/a", 4, 2);
      rig.awaitMetric("StockOtherPolicy", 1);
      rig.killFullest();
      rig.awaitWhole();
      assertEquals(0, rig.metric("CopiesScheduled"));
    }
  }

  @Test
  void goesOffAndOnAtTheOperatorsWord() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(RecoveryRig.conf(), 2, 2, 2)) {
      rig.write("/a", 10, 2);
      rig.recover(Mode.OFF);
      rig.killFullest();
      rig.awaitWhole();
      assertEquals(Map.of(), backlog(rig.say("report")), "nothing waits any more");
      assertEquals(0, rig.metric("CopiesScheduled"), rig::toString);
      assertEquals("stock: switched-off", rig.metrics().tagged("State"));
      assertTrue(rig.say("status").contains("stock: switched-off"));

      rig.recover(Mode.ACTIVE);
      RackCluster.await("it to be on", () -> rig.metrics().tagged("State").equals("idle"));
      int lost = rig.killFullest();
      rig.awaitWhole();
      assertEquals(lost, rig.metric("CopiesScheduled"), rig::toString);

      // The mode of everything is off as well.
      rig.cluster().context().setModes(FeatureModes.all(Mode.OFF));
      RackCluster.await(
          "it to be off", () -> rig.metrics().tagged("State").equals("stock: switched-off"));
    }
  }

  @Test
  void refusesAWordItDoesNotKnow() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(RecoveryRig.conf(), 1, 1)) {
      RefreshResponse response =
          RefreshRegistry.defaultRegistry()
              .dispatch("rackweave-recovery", new String[] {"faster"})
              .iterator()
              .next();
      assertEquals(2, response.getReturnCode());
      assertEquals(
          "'faster': allowed is one of go, wait, status, report, durability, whatif KIND=VALUE,"
              + " goal, calendar; recovery is switched on and off by -refresh HOST:PORT rackweave"
              + " recovery=MODE",
          response.getMessage());
      rig.awaitWhole();
    }
  }

  @Test
  @SuppressWarnings("removal") // what hangs a thread for good
  void stockGoesOnWhenTheThreadHangs() throws Exception {
    Configuration conf = RecoveryRig.slowConf();
    // What stock then waits for that will not come, it shall not wait for long.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 5);
    try (RecoveryRig rig = RecoveryRig.start(conf, 2, 2, 2)) {
      rig.write("/a", 30, 3);
      rig.killFullest();
      rig.awaitMetric("CopiesUnderWay", 1);
      Thread hung = suspendWhenAtRest("rackweave-recovery");
      try {
        rig.awaitMetric("StockHung", 1);
        RackCluster.await("the operator's limit", () -> rig.limit() == STOCK_LIMIT);
        long scheduled = rig.metric("CopiesScheduled");
        rig.killFullest();
        rig.awaitWhole();
        assertEquals(scheduled, rig.metric("CopiesScheduled"), rig::toString);
      } finally {
        hung.resume();
      }
      RackCluster.await("it to go on", () -> rig.metrics().tagged("State").equals("idle"));
    }
  }

  @SuppressWarnings("removal")
  private static Thread suspendWhenAtRest(String name) {
    Thread thread =
        Thread.getAllStackTraces().keySet().stream()
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow();
    RackCluster.await(
        name + " at rest",
        () -> {
          thread.suspend();
          // Not while it has a lock of HDFS's.
          boolean isAtRest =
              List.of(thread.getStackTrace()).stream()
                  .noneMatch(frame -> frame.getClassName().startsWith("org.rackweave"));
          if (!isAtRest) {
            thread.resume();
          }
          return isAtRest;
        });
    return thread;
  }

  private static Configuration brakingForARackOnly() {
    Configuration conf = RecoveryRig.conf();
    conf.set(ConfigKeys.DAYU_BRAKE_GRACE, "1h");
    conf.set(ConfigKeys.DAYU_BRAKE_SHARE, "1");
    return conf;
  }

  @Test
  void waitsWhenARackIsLostUntilTheOperatorSaysGo() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(brakingForARackOnly(), 3, 3, 3)) {
      List<String> lost = rig.nodesIn("/r1");
      rig.writeTo(
          rig.dataNodes(lost.get(0), rig.nodesIn("/r2").get(0), rig.nodesIn("/r2").get(1)),
          "/a",
          12);
      rig.loseAtOnce(lost);

      rig.awaitMetric("Brakes", 1);
      long heldBack = rig.metric("StockHeldBack");
      rig.awaitMetric("StockHeldBack", heldBack + 20);
      assertEquals(0, rig.metric("CopiesScheduled"), rig::toString);
      assertEquals(12, rig.metric("BlocksWaiting"), rig::toString);
      assertTrue(rig.metric("BrakeWaitSeconds") > 3000, rig::toString);
      assertTrue(rig.say("status").contains("rack /r1 was lost at once"), rig.say("status"));
      assertEquals(rig.waitingByPriority(), backlog(rig.say("report")), "nothing is planned yet");

      rig.say("go");
      rig.awaitWhole();
      assertTrue(rig.metric("CopiesScheduled") > 0, rig::toString);
    }
  }

  @Test
  void theBrakeHoldsOnlyWhatTheOutageExplains() throws Exception {
    Configuration conf = brakingForARackOnly();
    // Dayu is the first to see who is dead.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 300_000);
    conf.set(DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY, "1s");
    try (RecoveryRig rig = RecoveryRig.start(conf, 3, 3, 3)) {
      List<String> lost = rig.nodesIn("/r1");
      List<String> second = rig.nodesIn("/r2");
      List<String> third = rig.nodesIn("/r0");
      rig.writeTo(rig.dataNodes(lost.get(0), second.get(0), third.get(0)), "/held", 3);
      rig.writeTo(rig.dataNodes(lost.get(0), lost.get(1), second.get(0)), "/urgent", 3);
      rig.writeTo(rig.dataNodes(second.get(0), third.get(0)), "/raised", 3);
      rig.writeTo(rig.dataNodes(second.get(0), third.get(1)), "/drained", 3);
      rig.loseAtOnce(lost, Time.monotonicNow() - 611_000);
      rig.awaitMetric("Brakes", 1);

      rig.awaitReplicas("/urgent", 2);
      rig.setReplication("/raised", 3);
      rig.awaitReplicas("/raised", 3);
      assertEquals(List.of(2, 2, 2), rig.replicasOf("/urgent"), "waits like others now");
      rig.drain(third.get(1));
      RackCluster.await(
          "a drained DataNode", () -> rig.descriptor(third.get(1)).isDecommissioned());
      assertEquals(List.of(2, 2, 2), rig.replicasOf("/held"), "waits");
      assertEquals("waiting", rig.metrics().tagged("State"));
      assertEquals(0, rig.metric("CopiesByStock"), rig::toString);
    }
  }

  @Test
  void aNameNodeThatTakesOverHoldsOnlyWhatTheOutageExplains() throws Exception {
    Configuration conf = brakingForARackOnly();
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 300_000);
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    String[] racks = RackCluster.racks(3, 3, 3);
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(racks.length)
            .racks(racks)
            .nnTopology(MiniDFSNNTopology.simpleHATopology());
    RackCluster cluster = RackCluster.startHa(builder);
    try (RecoveryRig rig =
        RecoveryRig.of(cluster, HATestUtil.configureFailoverFs(cluster.mini(), conf))) {
      List<String> lost = rig.nodesIn("/r1");
      String second = rig.nodesIn("/r2").get(0);
      String third = rig.nodesIn("/r0").get(0);
      rig.writeTo(rig.dataNodes(lost.get(0), second, third), "/held", 40);
      rig.writeTo(rig.dataNodes(second, third), "/raised", 3);
      HATestUtil.waitForStandbyToCatchUp(
          cluster.mini().getNameNode(0), cluster.mini().getNameNode(1));
      lost.forEach(rig::stop);
      long heardMs = Time.monotonicNow() - 611_000;
      for (int nameNode : new int[] {0, 1}) {
        rig.activeIs(nameNode);
        lost.forEach(uuid -> rig.declareDead(uuid, heardMs));
      }
      cluster.mini().transitionToStandby(0);
      cluster.mini().transitionToActive(1);
      rig.awaitMetric("Brakes", 1);

      rig.setReplication("/raised", 3);
      rig.awaitReplicas("/raised", 3);
      // Stock has had a moment for some before it was Dayu's turn.
      assertTrue(rig.replicasOf("/held").contains(2), "waits");
      assertEquals("waiting", rig.metrics().tagged("State"));
    }
  }

  /** What a report says of blocks that wait, by priority. */
  private static Map<Long, Long> backlog(String report) throws IOException {
    Map<Long, Long> blocks = new TreeMap<>();
    for (JsonNode line : new ObjectMapper().readTree(report).path("backlog")) {
      blocks.put(line.path("priority").asLong(), line.path("blocks").asLong());
    }
    return blocks;
  }

  @Test
  void aGoIsForWhatWasLostWhenItWasSaid() throws Exception {
    Configuration conf = brakingForARackOnly();
    conf.set(ConfigKeys.DAYU_BRAKE_WINDOW, "0s");
    String byOperator = "3 DataNodes were lost at once, the operator said go";
    try (RecoveryRig rig = RecoveryRig.start(conf, 3, 3, 3, 3)) {
      rig.write("/a", 12, 3);
      assertFalse(rig.say("go").contains("the operator said go"), "nothing is lost");
      rig.loseAtOnce(rig.nodesIn("/r1"));
      rig.awaitMetric("Brakes", 1);

      assertTrue(rig.say("go").contains(byOperator), rig.say("status"));
      rig.awaitWhole();
      RackCluster.await("it to be over", () -> rig.metrics().tagged("State").equals("idle"));
      assertTrue(rig.say("status").contains(byOperator), rig.say("status"));
      assertTrue(rig.say("report").contains(byOperator), rig.say("report"));

      rig.loseAtOnce(rig.nodesIn("/r2"));
      rig.awaitMetric("Brakes", 2);
      assertTrue(rig.say("status").contains("rack /r2 was lost at once"), rig.say("status"));
      rig.say("go");
      rig.awaitWhole();
    }
  }

  @Test
  void waitsWhenTooManyAreLostAndGoesOnByItself() throws Exception {
    Configuration conf = RecoveryRig.conf();
    conf.set(ConfigKeys.DAYU_BRAKE_GRACE, "8s");
    try (RecoveryRig rig = RecoveryRig.start(conf, 2, 2, 2)) {
      // Three of six are more than a tenth, and no rack.
      List<String> lost =
          List.of(rig.nodesIn("/r1").get(0), rig.nodesIn("/r2").get(0), rig.nodesIn("/r0").get(0));
      rig.writeTo(
          rig.dataNodes(lost.get(0), rig.nodesIn("/r2").get(1), rig.nodesIn("/r0").get(1)),
          "/a",
          12);
      rig.loseAtOnce(lost);
      rig.awaitMetric("Brakes", 1);
      assertEquals(0, rig.metric("CopiesScheduled"), rig::toString);
      rig.awaitWhole();
      assertTrue(rig.metric("CopiesScheduled") > 0, rig::toString);
    }
  }

  @Test
  void recoversTwoDataNodesOfASmallClusterAtOnce() throws Exception {
    Configuration conf = RecoveryRig.conf();
    conf.set(ConfigKeys.DAYU_BRAKE_GRACE, "1h");
    try (RecoveryRig rig = RecoveryRig.start(conf, 2, 2, 2)) {
      rig.write("/a", 12, 3);
      rig.loseAtOnce(rig.nodesIn("/r1"));
      rig.awaitWhole();
      assertTrue(rig.metric("CopiesScheduled") > 0, rig::toString);
      assertEquals(0, rig.metric("Brakes"), rig::toString);
    }
  }

  @Test
  void neverTouchesTheOperatorsLimit() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(RecoveryRig.slowConf(), 2, 2, 2)) {
      rig.write("/a", 30, 2);
      rig.killFullest();
      RackCluster.await(
          "a source with more transfers than that",
          () -> {
            assertEquals(STOCK_LIMIT, rig.limit());
            return rig.mini().getDataNodes().stream()
                .anyMatch(dataNode -> dataNode.getXmitsInProgress() > STOCK_LIMIT);
          });
      rig.awaitWhole();
      assertEquals(STOCK_LIMIT, rig.limit());
    }
  }

  @Test
  void handsOverWhatItCannotPlace() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(RecoveryRig.conf(), 1, 1, 1)) {
      rig.write("/a", 6, 3);
      DataNodeProperties stopped = rig.kill(rig.mini().getDataNodes().get(0).getDatanodeUuid());
      rig.awaitMetric("BlocksLeftNoDestination", 1);
      assertEquals(0, rig.metric("CopiesScheduled"), rig::toString);
      rig.mini().restartDataNode(stopped);
      rig.awaitWhole();
    }
  }

  /** A drained DataNode is stock's last resort as a source, and no source of Dayu's. */
  @Test
  void stockMakesWhatIsHandedOver() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(RecoveryRig.conf(), 1, 1, 1, 1)) {
      List<DataNode> dataNodes = rig.mini().getDataNodes();
      DataNode drained = dataNodes.get(0);
      rig.writeTo(List.of(drained, dataNodes.get(1)), "/a", 1);
      rig.drain(drained.getDatanodeUuid());
      RackCluster.await(
          "it is drained", () -> rig.descriptor(drained.getDatanodeUuid()).isDecommissioned());
      List<String> lost = holders(rig, "/a");
      assertTrue(lost.remove(drained.getDatanodeUuid()));
      assertEquals(2, lost.size());
      long scheduled = rig.metric("CopiesScheduled");
      rig.loseAtOnce(lost);
      rig.awaitMetric("CopiesByStock", 1);
      RackCluster.await("the one that is left has it", () -> holders(rig, "/a").size() == 2);
      assertEquals(scheduled, rig.metric("CopiesScheduled"), rig::toString);
    }
  }

  private static List<String> holders(RecoveryRig rig, String file) {
    List<String> uuids = new ArrayList<>();
    try {
      for (DatanodeInfo holder :
          DFSTestUtil.getAllBlocks(rig.cluster().fs(), new Path(file)).get(0).getLocations()) {
        uuids.add(holder.getDatanodeUuid());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return uuids;
  }
}
