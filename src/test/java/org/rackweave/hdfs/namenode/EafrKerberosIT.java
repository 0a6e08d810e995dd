package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rackweave.cli.eafr.EafrCommand;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;
import org.rackweave.hdfs.datanode.RackweaveDataNodePlugin;

/**
 * Replicas that follow readers, and servers that sleep, where everybody has to prove who he is and
 * DataNodes encrypt what they send.
 */
class EafrKerberosIT {
  private static final int COLD_FILES = 4;
  private static final String SLEEPER = "h4";
  private static final String AWAKE = "h2";
  private static final String OTHER = "h0";

  private static final List<String> CHANGES =
      List.of("plan --apply", "plan --apply 1", "restore", "sleep h0", "wake all");

  @RegisterExtension static final KerberosRealm realm = new KerberosRealm("anna");
  @RegisterExtension final PowerSwitch power = new PowerSwitch();

  private Configuration conf(String cold) {
    Configuration conf = SleepRig.conf(power, cold);
    realm.secure(conf);
    return conf;
  }

  private static JsonNode eafr(Configuration site, String... args) {
    return EafrRig.eafr(site, args);
  }

  /** What a user is told whose command fails. */
  private static String refusal(UserGroupInformation user, Configuration site, String... args)
      throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);
    PrivilegedExceptionAction<Integer> run =
        () -> ToolRunner.run(new Configuration(site), EafrCommand.eafr(to, to), args);
    assertEquals(1, user.doAs(run), () -> said.toString(StandardCharsets.UTF_8));
    return said.toString(StandardCharsets.UTF_8);
  }

  @Test
  void factorsFollowReadersAndColdReplicasMoveToStandbyServers() throws Exception {
    Configuration conf = conf("none");
    ChosenRpcEngine.agentOn(conf);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, RackweaveDataNodePlugin.class.getName());
    conf.set(ConfiguredRules.HEAT, "/data=adapt max=5");
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY, MovedReplicas.STANDBY);
    conf.setBoolean(ConfigKeys.EAFR_RATES_ENABLED, true);
    conf.setBoolean(ConfigKeys.EAFR_SOURCES_ENABLED, true);
    conf.set(AgentKeys.DECODE_ADDRESS, "none");
    conf.setLong(AgentKeys.LINK_BYTES_PER_SEC, 10_000_000);
    try (RackCluster cluster = RackCluster.start(SleepRig.cluster(conf)).awaitCoverage()) {
      NameNode nameNode = cluster.mini().getNameNode();
      Configuration site = cluster.fs().getConf();
      Path home = KerberosRealm.home(cluster.fs(), "/data/anna", "anna");
      try (DistributedFileSystem annas = KerberosRealm.as(realm.login("anna"), site)) {
        List<Path> cold = MovedReplicas.write(cluster.mini(), annas, home + "/cold", COLD_FILES);
        Path hot = RackCluster.write(annas, home + "/hot", 2, 3);
        byte[] bytes = DFSTestUtil.readFileAsBytes(annas, hot);

        JsonNode plan = awaitPlan(annas, site, hot);
        JsonNode applied = eafr(site, "plan", "--apply", plan.get("plan").asText());
        assertEquals(COLD_FILES + 1, applied.get("done").asInt(), applied::toString);
        int factor = EafrRig.factor(annas, hot);
        assertTrue(factor > 3, applied::toString);
        RackCluster.await(
            "a replica of each cold block has moved",
            () -> {
              MovedReplicas.areSettled(nameNode, cold, 3);
              return eafr(site, "status").get("moves_done").asInt() == COLD_FILES;
            });
        RackCluster.await(
            "the hot file has its replicas", () -> EafrRig.replicas(annas, hot) == factor);
        cold.forEach(file -> assertEquals(1, MovedReplicas.onStandby(nameNode, file)));

        assertArrayEquals(bytes, DFSTestUtil.readFileAsBytes(annas, hot));
        for (Path file : cold) {
          assertEquals(RackCluster.BLOCK_BYTES, DFSTestUtil.readFileAsBytes(annas, file).length);
        }
        JsonNode status = eafr(site, "status");
        assertEquals("on", status.get("rates").asText(), status::toString);
        assertTrue(status.get("copies_paced").asInt() >= COLD_FILES, status::toString);
        assertFalse(status.has("skipped_failed"), status::toString);
      }
    }
  }

  /** A plan that gives a file replicas, after its owner has read it, and moves the cold ones. */
  private static JsonNode awaitPlan(DistributedFileSystem annas, Configuration site, Path hot) {
    List<JsonNode> plans = new ArrayList<>();
    RackCluster.await(
        "the hot file is planned to grow, and " + COLD_FILES + " to move",
        () -> {
          EafrRig.read(annas, hot, hot);
          plans.add(0, eafr(site, "plan"));
          List<String> actions = new ArrayList<>();
          plans.get(0).get("changes").forEach(one -> actions.add(one.get("action").asText()));
          return actions.remove("add")
              && actions.size() == COLD_FILES
              && actions.stream().allMatch("migrate"::equals);
        });
    // Counts start anew with every interval.
    RackCluster.await(
        "its reads are listed, and DataNodes tell of them",
        () -> {
          EafrRig.read(annas, hot);
          JsonNode files = EafrRig.run(site, EafrCommand::hot, "--top", "1").get("files");
          return files.path(0).path("path").asText().equals(hot.toString())
              && eafr(site, "status").get("servers_reporting_reads").asInt() > 0;
        });
    return plans.get(0);
  }

  @Test
  void serversSleepAndWakeForAFailureAndForSuperusersOnly() throws Exception {
    Configuration conf = conf(SLEEPER);
    try (RackCluster cluster = SleepRig.start(conf, power)) {
      NameNode nameNode = cluster.mini().getNameNode();
      Configuration site = cluster.fs().getConf();
      UserGroupInformation anna = realm.login("anna");
      Path home = KerberosRealm.home(cluster.fs(), "/data/anna", "anna");
      try (DistributedFileSystem annas = KerberosRealm.as(anna, site)) {
        DataNode awake = SleepRig.datanode(cluster, AWAKE);
        Path file = new Path(home, "file");
        byte[] bytes = SleepRig.writeTo(annas, file, SleepRig.datanode(cluster, SLEEPER), awake);
        SleepRig.letSleep(nameNode);
        SleepRig.awaitAsleep(nameNode, SLEEPER);
        assertEquals(1, power.off());

        for (String command : CHANGES) {
          String why = refusal(anna, site, command.split(" "));
          assertTrue(
              why.startsWith("bin/rackweave eafr ")
                  && why.contains("Access denied for user anna. Superuser privilege is required"),
              why);
        }
        assertEquals("active", eafr(site, "status").get("state").asText());
        eafr(site, "sleep", OTHER);
        SleepRig.awaitAsleep(nameNode, SLEEPER, OTHER);
        assertEquals(0, power.count("wake"), "anna has woken nobody");
        assertEquals(List.of("sleep", "sleep"), power.words());
        eafr(site, "wake", OTHER);
        SleepRig.awaitInService(nameNode, OTHER);

        cluster.mini().stopDataNode(awake.getDatanodeUuid());
        cluster.mini().setDataNodeDead(awake.getDatanodeId());
        SleepRig.awaitInService(nameNode, SLEEPER);
        assertArrayEquals(bytes, DFSTestUtil.readFileAsBytes(annas, file));
        RackCluster.await("it is whole again", () -> EafrRig.replicas(annas, file) == 2);
      }
    }
  }
}
