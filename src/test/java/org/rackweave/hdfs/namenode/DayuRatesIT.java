package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.util.Tool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.recovery.RecoveryCommand;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;
import org.rackweave.hdfs.datanode.RackweaveDataNodePlugin;

/** Copies held to the rates of the plan by their sources' agents, and what is told of them. */
@Tag("newest-hadoop")
class DayuRatesIT {
  /** Three quarters of it, 48 KB/s, are for copies: a block takes more than a second. */
  private static final long LINK_BYTES_PER_SEC = 64 * 1024;

  private static Configuration conf() {
    Configuration conf = RecoveryRig.conf();
    ChosenRpcEngine.agentOn(conf);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, RackweaveDataNodePlugin.class.getName());
    conf.setLong(AgentKeys.LINK_BYTES_PER_SEC, LINK_BYTES_PER_SEC);
    // What writing the files has loaded is forgotten soon.
    conf.set(ConfigKeys.DAYU_TIMESLOT, "3s");
    return conf;
  }

  /** A command's output. */
  private static String run(RecoveryRig rig, boolean isWhatIf, String... args) throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    // Of two replicas one is left.
    int expected = isWhatIf ? 1 : 0;
    assertEquals(
        expected, exit(rig, isWhatIf, out, err, args), () -> err.toString(StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  private static int exit(
      RecoveryRig rig,
      boolean isWhatIf,
      ByteArrayOutputStream out,
      ByteArrayOutputStream err,
      String... args)
      throws Exception {
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    RecoveryCommand command =
        isWhatIf ? RecoveryCommand.whatIf(to, errors) : RecoveryCommand.recovery(to, errors);
    ((Configured) command).setConf(rig.mini().getConfiguration(0));
    return ((Tool) command).run(args);
  }

  private static void assertNotLive(RecoveryRig rig, String node) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertEquals(1, exit(rig, true, out, err, "--node", node), out::toString);
    String said = err.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("node '" + node + "': allowed is host:port"), said);
    assertEquals("", out.toString(StandardCharsets.UTF_8));
  }

  private static JsonNode json(RecoveryRig rig, boolean isWhatIf, String... args) throws Exception {
    return new ObjectMapper().readTree(run(rig, isWhatIf, args));
  }

  @Test
  void aCopyThatOutlivesHdfssPatienceIsMadeOnce() throws Exception {
    int blockBytes = 4 << 20;
    // Three quarters are for copies: eleven seconds a block, two and a half times HDFS's patience.
    Configuration conf = RecoveryRig.agentConf(blockBytes, blockBytes / 8);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 4);
    try (RecoveryRig rig = RecoveryRig.start(conf, 1, 1, 1, 1)) {
      List<DataNode> holders = rig.mini().getDataNodes().subList(0, 2);
      rig.writeTo(List.copyOf(holders), "/a", 1);
      rig.kill(holders.get(0).getDatanodeUuid());
      rig.awaitWhole();
      RackCluster.await("nothing under way", () -> rig.metric("CopiesUnderWay") == 0);
      assertEquals(1, rig.metric("CopiesArrived"), rig::toString);
      assertEquals(1, rig.metric("CopiesScheduled"), rig::toString);
      assertEquals(0, rig.metric("CopiesGivenUp"), rig::toString);
      assertEquals(0, rig.blocks().getNumTimedOutPendingReconstructions(), "by HDFS's own count");
    }
  }

  @Test
  void copiesGoAsFastAsIdleLinksAllowAndAreToldOf() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(conf(), 2, 2, 2)) {
      rig.write("/a", 40, 2);
      String node = rig.cluster().descriptor(0).getXferAddr();
      JsonNode whatIf = json(rig, true, "--node", node, "--json");
      assertTrue(whatIf.at("/whatif/recovery_sec").asDouble() > 0, whatIf::toString);
      assertTrue(whatIf.at("/whatif/blocks").asInt() > 0, whatIf::toString);
      assertTrue(whatIf.at("/hottest_source/bytes").asDouble() > 0, whatIf::toString);
      assertTrue(run(rig, true, "--node", node).contains("recovery_sec"));
      assertNotLive(rig, "nosuchhost:9866");
      assertEquals(0, rig.metric("CopiesScheduled"), "it is only asked about");

      int lost = rig.killFullest();
      rig.awaitMetric("SourcesHeldToRates", 1);
      JsonNode report = json(rig, false, "--json");
      assertEquals("recovering", report.at("/recovery/state").asText(), report::toString);
      assertTrue(report.at("/recovery/eta_sec").asDouble() > 0, report::toString);
      assertTrue(report.get("node").size() > 1, report::toString);
      int waiting = 0;
      for (JsonNode each : report.get("backlog")) {
        assertTrue(each.get("bytes").asLong() >= RackCluster.BLOCK_BYTES, report::toString);
        waiting += each.get("blocks").asInt();
      }
      assertEquals(report.at("/recovery/blocks_waiting").asInt(), waiting, report::toString);
      for (JsonNode each : report.get("node")) {
        assertTrue(
            each.get("out_bytes_per_sec").asDouble() <= 1.01 * LINK_BYTES_PER_SEC,
            report::toString);
      }
      rig.awaitWhole();
      rig.readAll();
      RackCluster.await("nothing under way", () -> rig.metric("CopiesUnderWay") == 0);
      assertEquals(lost, rig.metric("CopiesArrived"), rig::toString);
      report = json(rig, false, "--json");
      assertEquals("idle", report.at("/recovery/state").asText());
      assertTrue(report.get("backlog").isEmpty(), report::toString);
      assertNotLive(rig, dead(rig));
    }
  }

  private static String dead(RecoveryRig rig) {
    return rig.blocks()
        .getDatanodeManager()
        .getDatanodeListForReport(DatanodeReportType.DEAD)
        .get(0)
        .getXferAddr();
  }
}
