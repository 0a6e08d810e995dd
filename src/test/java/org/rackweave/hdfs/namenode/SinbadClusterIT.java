package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import javax.management.ObjectName;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.cli.admin.HealthCommand;
import org.rackweave.cli.admin.ShadowCommand;
import org.rackweave.cli.admin.UninstallCommand;
import org.rackweave.cli.admin.WhyCommand;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.eafr.FileLookup;
import org.rackweave.placement.FallbackReason;

/** Blocks placed by a real NameNode with plugin and policy, four racks of two DataNodes. */
class SinbadClusterIT {
  private static RackCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = RackCluster.start(RackCluster.conf(), 2, 2, 2, 2).awaitCoverage();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void placesThreeReplicasInTwoRacks() throws Exception {
    long before = cluster.context().metrics().decisionCount();
    Path file = cluster.write("/two-racks", 6, 3);

    assertTrue(cluster.context().metrics().decisionCount() >= before + 6);
    for (List<String> racks : cluster.racksOf(file)) {
      assertEquals(3, racks.size());
      assertEquals(2, new HashSet<>(racks).size(), () -> "racks " + racks);
    }
    DFSTestUtil.readFile(cluster.fs(), file);
  }

  @Test
  void addsReplicasWhenTheFactorIsRaised() throws Exception {
    Path file = cluster.write("/raised", 2, 1);
    long before = cluster.context().metrics().decisionCount();

    cluster.fs().setReplication(file, (short) 3);

    DFSTestUtil.waitReplication(cluster.fs(), file, (short) 3);
    assertTrue(cluster.context().metrics().decisionCount() > before);
    for (List<String> racks : cluster.racksOf(file)) {
      assertEquals(2, new HashSet<>(racks).size(), () -> "racks " + racks);
    }
  }

  @Test
  void marksLoadAsDerivedWithoutAgents() {
    var links = cluster.context().state().links();
    assertEquals(8, links.derivedCount());
    assertEquals(0, links.measuredCount());
    assertEquals(0, cluster.context().metrics().fallbackCount(FallbackReason.ERROR));
  }

  @Test
  void neverChoosesWhatHdfsRefuses() throws Exception {
    DatanodeDescriptor decommissioning = cluster.descriptor(2);
    decommissioning.startDecommission();
    try {
      long before = cluster.context().metrics().decisionCount();
      Path file = cluster.write("/refused", 12, 3);
      assertTrue(cluster.context().metrics().decisionCount() >= before + 12);
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(cluster.fs(), file)) {
        for (DatanodeInfo location : block.getLocations()) {
          assertNotEquals(decommissioning.getDatanodeUuid(), location.getDatanodeUuid());
        }
      }
    } finally {
      decommissioning.stopDecommission();
    }
  }

  @Test
  void leavesFavouredNodesToHdfs() throws Exception {
    long before = cluster.context().metrics().fallbackCount(FallbackReason.FAVORED_NODES);
    InetSocketAddress favoured = cluster.mini().getDataNodes().get(5).getXferAddress();
    Path file = new Path("/favoured");
    try (FSDataOutputStream out =
        cluster
            .fs()
            .create(
                file,
                FsPermission.getFileDefault(),
                true,
                4096,
                (short) 2,
                RackCluster.BLOCK_BYTES,
                null,
                new InetSocketAddress[] {favoured})) {
      out.write(new byte[RackCluster.BLOCK_BYTES]);
    }
    assertTrue(
        Arrays.stream(DFSTestUtil.getAllBlocks(cluster.fs(), file).get(0).getLocations())
            .anyMatch(location -> location.getXferPort() == favoured.getPort()));
    assertTrue(cluster.context().metrics().fallbackCount(FallbackReason.FAVORED_NODES) > before);
  }

  @Test
  void decidesNothingWhenSwitchedOffAndCountsInShadow() throws Exception {
    PlacementContext context = cluster.context();
    RuntimeSwitch runtimeSwitch = runtimeSwitch();
    try {
      assertTrue(runtimeSwitch.answer(List.of("off")).json().contains("\"placement\" : \"off\""));
      long decisions = context.metrics().decisionCount();
      cluster.write("/off", 2, 3);
      assertEquals(decisions, context.metrics().decisionCount());
      assertTrue(context.metrics().fallbackCount(FallbackReason.SWITCHED_OFF) >= 2);

      runtimeSwitch.answer(List.of("shadow"));
      long shadowed = context.metrics().shadowDecisionCount();
      cluster.write("/shadow", 2, 3);
      assertEquals(shadowed + 2, context.metrics().shadowDecisionCount());
      assertEquals(decisions, context.metrics().decisionCount());
    } finally {
      runtimeSwitch.answer(List.of("active"));
    }
    assertEquals(FeatureModes.all(Mode.ACTIVE), context.modes());
  }

  private static RuntimeSwitch runtimeSwitch() {
    PlacementContext context = cluster.context();
    return new RuntimeSwitch(
        context, new ClusterMode(cluster.mini().getNameNode(), context), "test");
  }

  @Test
  void refusesAnUnknownModeByName() {
    Exception refused =
        assertThrows(IllegalArgumentException.class, () -> runtimeSwitch().answer(List.of("fast")));
    assertTrue(refused.getMessage().contains("'fast'"), refused.getMessage());
    assertEquals(FeatureModes.all(Mode.ACTIVE), cluster.context().modes());
  }

  @Test
  void showsItsMetricsOverJmx() throws Exception {
    cluster.write("/metrics", 1, 3);
    var name = new ObjectName("Hadoop:service=NameNode,name=Rackweave");
    var server = ManagementFactory.getPlatformMBeanServer();
    assertTrue(server.isRegistered(name));
    for (String attribute :
        List.of(
            "Coverage",
            "Decisions",
            "FallbackLowCoverage",
            "ReportsDroppedMalformed",
            "HostRxCv",
            "RackTxP95",
            "DecisionNanosP99",
            "OldestSampleMs")) {
      assertNotNull(server.getAttribute(name, attribute), attribute);
    }
  }

  @Test
  void tellsWhyEachBlockIsWhereItIs() throws Exception {
    Path file = cluster.write("/why", 3, 3);
    List<LocatedBlock> blocks = DFSTestUtil.getAllBlocks(cluster.fs(), file);
    for (int block = 0; block < blocks.size(); block++) {
      JsonNode decision =
          why(0, "/why", "--block", String.valueOf(block)).path("decisions").path(0);
      assertEquals("rackweave", decision.path("by").asText(), decision::toString);
      assertEquals("network", decision.path("ranking").asText());
      Set<String> chosen = new HashSet<>();
      decision
          .path("targets")
          .forEach(target -> chosen.add(target.path("place").asText().replaceFirst(".*/", "")));
      Set<String> holders = new HashSet<>();
      for (DatanodeInfo holder : blocks.get(block).getLocations()) {
        holders.add(holder.getXferAddr());
      }
      assertEquals(holders, chosen);
      assertTrue(decision.path("expected_s").asDouble() > 0, decision::toString);
      assertTrue(decision.path("stock_mean_s").asDouble() > 0, decision::toString);
    }
    assertEquals(3, why(0, "/why").path("decisions").size());
    assertEquals(1, why(0, "--last", "1").path("decisions").size());
    String holder = blocks.get(0).getLocations()[0].getXferAddr();
    assertTrue(why(0, "--node", holder, "--last", "200").path("decisions").size() >= 1);
    why(1, "/nothing-was-written-here");
    JsonNode now = why(0, "/why").path("file");
    assertEquals(3, now.path("own_factor").asInt(), now::toString);
    assertEquals("no rule gives it a code", now.path("encoding").asText());
    JsonNode node = why(0, "--node", holder).path("nodes").path(0);
    assertEquals("hot", node.path("role").asText(), node::toString);
  }

  @Test
  void tellsWhatStockChoseInShadowModeAndWhatWouldHaveBeen() throws Exception {
    RuntimeSwitch runtimeSwitch = runtimeSwitch();
    try {
      runtimeSwitch.answer(List.of("shadow"));
      cluster.write("/why-shadow", 1, 3);
      JsonNode decision = why(0, "/why-shadow").path("decisions").path(0);
      assertEquals("stock", decision.path("by").asText());
      assertEquals("shadow-mode", decision.path("reason").asText());
      assertEquals(3, decision.path("stock").size());
      assertEquals(3, decision.path("targets").size());
      assertTrue(decision.path("stock_expected_s").asDouble() > 0, decision::toString);
      JsonNode shadow = run(0, ShadowCommand::new, "report").path("placement");
      assertTrue(shadow.path("blocks").asLong() >= 1, shadow::toString);
      assertTrue(shadow.path("rackweave_block_s").asDouble() > 0, shadow::toString);
      assertTrue(shadow.path("verdict").asText().startsWith("undecided"), shadow::toString);
    } finally {
      runtimeSwitch.answer(List.of("active"));
    }
  }

  @Test
  void tellsThatNoDataNodeReports() throws Exception {
    JsonNode health = run(1, HealthCommand::health);
    assertEquals("WARN", health.path("status").asText(), health::toString);
    assertEquals("NO_AGENTS", health.path("findings").path(0).path("code").asText());
    assertEquals("RECOVERY_FALLBACK", health.path("findings").path(1).path("code").asText());
    run(1, HealthCommand::health, "mute", "RECOVERY_FALLBACK"); // this policy does none
    try {
      JsonNode muted = run(0, HealthCommand::health, "mute", "NO_AGENTS");
      assertEquals("OK", muted.path("status").asText(), muted::toString);
      assertEquals("yes", muted.path("findings").path(0).path("muted").asText());
    } finally {
      run(1, HealthCommand::health, "unmute", "NO_AGENTS");
    }
    JsonNode nodes = run(0, HealthCommand::nodes).path("nodes");
    assertEquals(8, nodes.size());
    assertEquals("derived", nodes.path(0).path("load").asText(), nodes::toString);
    assertTrue(nodes.path(0).path("silent").asText().contains("no agent"), nodes::toString);
    JsonNode events = run(0, HealthCommand::events).path("events");
    assertEquals("start", events.path(0).path("kind").asText(), events::toString);
  }

  @Test
  void looksAtWhatWorksAgainstIt() throws Exception {
    try (FSDataOutputStream running = cluster.fs().create(new Path("/system/balancer.id"))) {
      running.hflush();
      JsonNode doctor = run(1, HealthCommand::doctor);
      List<String> codes = doctor.path("findings").findValuesAsText("code");
      assertTrue(
          codes.containsAll(List.of("NO_AGENTS", "BALANCER_RUNS", "PROMETHEUS_OFF")),
          doctor::toString);
      JsonNode nameNode = doctor.path("namenodes").elements().next();
      assertEquals(8, nameNode.path("hadoop_of_datanodes").path(VersionInfo.getVersion()).asInt());
    } finally {
      cluster.fs().delete(new Path("/system"), true);
    }
    assertFalse(run(1, HealthCommand::doctor).toString().contains("BALANCER_RUNS"));
  }

  @Test
  void tellsWhatDependsOnItUntilNothingDoes() throws Exception {
    RuntimeSwitch runtimeSwitch = runtimeSwitch();
    Path file = cluster.write("/changed-factor", 1, 3);
    try {
      runtimeSwitch.answer(List.of("active"));
      cluster.fs().setXAttr(file, FileLookup.MARK, "2 2 3 1 1".getBytes(StandardCharsets.UTF_8));
      assertEquals(2, run(1, UninstallCommand::new, "--check").path("left").asInt());
      runtimeSwitch.answer(List.of("off"));
      cluster.fs().removeXAttr(file, FileLookup.MARK);
      JsonNode items = run(0, UninstallCommand::new, "--check").path("items");
      assertFalse(items.findValuesAsText("state").contains("left"), items::toString);
      List<String> all = items.findValuesAsText("what");
      assertTrue(all.contains("trusted.rackweave.mode of /"), items::toString);
      assertTrue(
          all.stream().anyMatch(what -> what.startsWith("dfs.block.replicator.classname = ")),
          items::toString);
    } finally {
      runtimeSwitch.answer(List.of("active"));
    }
  }

  /** As those of encoded files are. */
  @Test
  void snapshotsOfOneReplicaAreLeft() throws Exception {
    Path directory = new Path("/snapshots");
    Path file = cluster.write("/snapshots/encoded", 1, 3);
    cluster.write("/snapshots/other", 1, 3);
    cluster.fs().allowSnapshot(directory);
    cluster.fs().setReplication(file, (short) 1);
    cluster.fs().createSnapshot(directory, "one");
    assertEquals(0, leftOf("files with one replica in a snapshot"));
    cluster.fs().setReplication(file, (short) 3);
    assertEquals(1, leftOf("files with one replica in a snapshot"));
    cluster.fs().deleteSnapshot(directory, "one");
    assertEquals(0, leftOf("files with one replica in a snapshot"));
  }

  @Test
  void sleepersAreLeftWhenRolesAreOff() throws Exception {
    Path cold = new Path("/.rackweave/roles/cold/uuid");
    cluster.fs().mkdirs(cold);
    assertEquals(1, leftOf("DataNodes asleep"));
    cluster.fs().delete(cold, true);
    assertEquals(0, leftOf("DataNodes asleep"));
  }

  private static long leftOf(String what) throws Exception {
    for (JsonNode item : run(1, UninstallCommand::new, "--check").path("items")) {
      if (item.path("what").asText().startsWith(what)) {
        assertEquals(item.path("count").asLong() > 0, item.path("state").asText().equals("left"));
        return item.path("count").asLong();
      }
    }
    throw new AssertionError(what);
  }

  private static JsonNode why(int exitCode, String... args) throws Exception {
    return run(exitCode, WhyCommand::new, args);
  }

  private static JsonNode run(
      int exitCode, BiFunction<PrintStream, PrintStream, HdfsCommand> made, String... args)
      throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    List<String> all = new ArrayList<>(List.of("--json"));
    all.addAll(List.of(args));
    HdfsCommand command = made.apply(to, System.err);
    command.setConf(cluster.mini().getConfiguration(0));
    assertEquals(exitCode, command.run(all.toArray(String[]::new)), out::toString);
    return new ObjectMapper().readTree(out.toByteArray());
  }

  @Test
  void answersOverDfsadminRefresh() throws Exception {
    String address = cluster.mini().getNameNode().getNameNodeAddressHostPortString();
    int exit =
        ToolRunner.run(
            new DFSAdmin(cluster.mini().getConfiguration(0)),
            new String[] {"-refresh", address, "rackweave", "status"});
    assertEquals(0, exit);
  }
}
