package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rackweave.Nightly;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;
import org.rackweave.hdfs.datanode.HeartbeatRpcEngine;
import org.rackweave.hdfs.datanode.RackweaveDataNodePlugin;

/** Replicas of cold files that move to standby servers while a NameNode and DataNodes run. */
@Nightly
class EafrMoverIT {
  /** A block takes a copy almost three seconds. */
  private static final long LINK_BYTES_PER_SEC = 24 * 1024;

  @RegisterExtension final PowerSwitch power = new PowerSwitch();
  private RackCluster cluster;
  private DistributedFileSystem fs;

  private Configuration conf() {
    Configuration conf = SleepRig.conf(power, "none");
    conf.unset(HeartbeatRpcEngine.KEY); // nobody sleeps here
    conf.set(ConfiguredRules.HEAT, "/data=adapt");
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY, MovedReplicas.STANDBY);
    return conf;
  }

  private void start(Configuration conf) throws IOException {
    cluster = RackCluster.start(SleepRig.cluster(conf)).awaitCoverage();
    fs = cluster.fs();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private NameNode nameNode() {
    return cluster.mini().getNameNode();
  }

  private List<Path> write(String directory, int count) throws IOException {
    return MovedReplicas.write(cluster.mini(), fs, directory, count);
  }

  private JsonNode eafr(String... args) {
    return EafrRig.eafr(fs.getConf(), args);
  }

  /** A plan that moves so many files, with what must be said of each. */
  private JsonNode planToMove(int files) {
    List<JsonNode> plans = new ArrayList<>();
    RackCluster.await(
        files + " files are planned to move",
        () -> {
          plans.add(0, eafr("plan"));
          return plans.get(0).get("changes").size() == files;
        });
    for (JsonNode change : plans.get(0).get("changes")) {
      assertEquals("migrate", change.get("action").asText());
      assertEquals("EQ4_AND_5", change.get("equation").asText());
      assertEquals(change.get("from"), change.get("to"));
    }
    return plans.get(0);
  }

  @Test
  void coldReplicasGatherOnStandbyServersAndNoBlockIsEverShortOfAny() throws Exception {
    start(conf());
    List<Path> cold = write("/data/cold", 8);
    assertEquals("off", eafr("status").get("rates").asText());
    List<Path> left = new ArrayList<>(write("/other", 1));
    Path kept = write("/data/kept", 1).get(0);
    fs.allowSnapshot(kept.getParent());
    fs.createSnapshot(kept.getParent(), "s");
    left.add(kept);
    long blocks = cold.size();

    JsonNode plan = planToMove(cold.size());
    assertEquals(blocks, plan.get("copies").asLong());
    cluster.sayMode("heat=off");
    JsonNode refused = eafr("plan", "--apply", plan.get("plan").asText());
    assertEquals(cold.size(), refused.get("skipped_switched_off").asInt(), refused::toString);
    cluster.sayMode("heat=shadow");

    plan = planToMove(cold.size());
    JsonNode applied = eafr("plan", "--apply", plan.get("plan").asText());
    assertEquals(cold.size(), applied.get("done").asInt(), applied::toString);
    RackCluster.await(
        "one replica of each block is on a standby server",
        () -> {
          MovedReplicas.areMoved(nameNode(), cold, 3);
          return eafr("status").get("moves_done").asLong() == blocks;
        });
    cluster.sayMode("active");
    RackCluster.await(
        "all but one of each are there", () -> MovedReplicas.areMoved(nameNode(), cold, 3));

    BlockManager manager = cluster.mini().getNamesystem().getBlockManager();
    RackCluster.await(
        "what was moved is deleted where it was", () -> manager.getExcessBlocksCount() == 0);
    JsonNode status = eafr("status");
    assertEquals(2 * blocks, status.get("moves_done").asLong(), status::toString);
    assertEquals(0, status.get("moves_under_way").asLong(), status::toString);
    assertFalse(status.has("moves_kept"), status::toString);
    assertEquals(2 * blocks, status.get("changes_migrate").asLong(), status::toString);
    RecordedMetrics metrics = RecordedMetrics.of("RackweaveEafr");
    assertEquals(2 * blocks, metrics.get("MovesDone"), metrics::toString);
    left.forEach(file -> assertEquals(0, MovedReplicas.onStandby(nameNode(), file)));
    for (Path file : Stream.concat(cold.stream(), left.stream()).toList()) {
      assertEquals(RackCluster.BLOCK_BYTES, DFSTestUtil.readFileAsBytes(fs, file).length);
      assertEquals(MovedReplicas.FACTOR, EafrRig.factor(fs, file));
    }
  }

  @Test
  void movesKeepToTheRatesOfTheirDestinationsLinks() throws Exception {
    Configuration conf = conf();
    ChosenRpcEngine.agentOn(conf);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, RackweaveDataNodePlugin.class.getName());
    conf.setLong(AgentKeys.LINK_BYTES_PER_SEC, LINK_BYTES_PER_SEC);
    conf.setBoolean(ConfigKeys.EAFR_RATES_ENABLED, true);
    // One block at a time to each.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 1);
    start(conf);
    List<Path> cold = write("/data/cold", 8);
    RackCluster.await("agents are heard", () -> eafr("status").get("rates").asText().equals("on"));
    JsonNode plan = planToMove(cold.size());
    long began = System.nanoTime();
    eafr("plan", "--apply", plan.get("plan").asText());
    RackCluster.await(
        "agents keep rates", () -> eafr("status").get("sources_held_to_rates").asInt() > 0);
    RackCluster.await(
        "all are moved",
        () -> {
          MovedReplicas.areMoved(nameNode(), cold, 3);
          return eafr("status").get("moves_done").asInt() == cold.size();
        });
    double sec = (System.nanoTime() - began) / 1e9;
    // Eight blocks for three servers; each forgives a copy a tenth of a second.
    double least = 3 * (RackCluster.BLOCK_BYTES / (double) LINK_BYTES_PER_SEC - 0.1);
    assertTrue(sec > least, () -> sec + " s, at least " + least);
    JsonNode status = eafr("status");
    assertEquals(cold.size(), status.get("copies_paced").asInt(), status::toString);
    assertEquals(0, status.get("copies_unmeasured").asInt(), status::toString);
    assertEquals(0, status.get("copies_with_rates").asInt(), status::toString);
  }

  @Test
  void withoutAgentsNoCopyHasARateAndOperatorsAreToldWhy() throws Exception {
    Configuration conf = conf();
    conf.setBoolean(ConfigKeys.EAFR_RATES_ENABLED, true);
    start(conf);
    List<Path> cold = write("/data/cold", 2);
    eafr("plan", "--apply", planToMove(cold.size()).get("plan").asText());
    RackCluster.await(
        "all are moved", () -> eafr("status").get("moves_done").asInt() == cold.size());
    JsonNode status = eafr("status");
    assertEquals("no agents", status.get("rates").asText(), status::toString);
    assertEquals(0, status.get("copies_paced").asInt(), status::toString);
    assertEquals(0, status.get("copies_with_rates").asInt(), status::toString);
  }
}
