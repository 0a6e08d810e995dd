package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.cli.eafr.EafrCommand;
import org.rackweave.hdfs.Bridge;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.eafr.FileLookup;

/** Replicas of cold files that move to standby servers while a NameNode and DataNodes run. */
class EafrMoverIT {
  private static final Set<String> STANDBY = Set.of("h1", "h3", "h5");
  private static final int FACTOR = 3;

  @TempDir java.nio.file.Path directory;
  private PowerSwitch power;
  private RackCluster cluster;
  private DistributedFileSystem fs;

  @BeforeEach
  void start() throws Exception {
    power = new PowerSwitch(directory);
    Configuration conf = SleepRig.conf(power, "none");
    conf.set(ConfigKeys.EAFR_PATHS, "/data=adapt");
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY, String.join(",", STANDBY));
    cluster = RackCluster.start(SleepRig.cluster(conf)).awaitCoverage();
    fs = cluster.fs();
  }

  @AfterEach
  void stop() {
    cluster.close();
    power.close();
  }

  private JsonNode eafr(String... args) {
    return EafrRig.run(fs.getConf(), EafrCommand::eafr, args);
  }

  /** Of each block of a file the DataNodes with a replica that is to stay. */
  private List<List<DatanodeDescriptor>> holders(Path file) {
    FileLookup lookup = Bridge.to(FileLookup.Access.class).of(cluster.mini().getNameNode());
    return lookup.replicas(lookup.fileAt(file.toUri().getPath()), 100).holders();
  }

  private static long standby(List<DatanodeDescriptor> holders) {
    return holders.stream().filter(holder -> STANDBY.contains(holder.getHostName())).count();
  }

  /** Whether all blocks of files have moved; never may one be short of replicas or racks. */
  private boolean areMoved(List<Path> files, int racks) {
    boolean areMoved = true;
    for (Path file : files) {
      for (List<DatanodeDescriptor> holders : holders(file)) {
        assertTrue(holders.size() >= FACTOR, () -> file + " is on " + holders);
        Set<String> its = new HashSet<>();
        holders.forEach(holder -> its.add(holder.getNetworkLocation()));
        assertTrue(its.size() >= racks, () -> file + " is on " + holders);
        areMoved &= holders.size() == FACTOR && standby(holders) == FACTOR - 1;
      }
    }
    return areMoved;
  }

  /** Files of a block each, on the hot server of every rack. */
  private List<Path> write(String directory, int count) throws IOException {
    List<DataNode> datanodes = cluster.mini().getDataNodes();
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Path file = new Path(directory + "/file" + i);
      SleepRig.writeTo(cluster, file, datanodes.get(0), datanodes.get(2), datanodes.get(4));
      holders(file).forEach(on -> assertEquals(0, standby(on), on::toString));
      files.add(file);
    }
    return files;
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
    List<Path> cold = write("/data/cold", 8);
    List<Path> left = new ArrayList<>(write("/other", 1));
    Path kept = write("/data/kept", 1).get(0);
    fs.allowSnapshot(kept.getParent());
    fs.createSnapshot(kept.getParent(), "s");
    left.add(kept);
    long blocks = cold.size();

    JsonNode plan = planToMove(cold.size());
    assertEquals(blocks, plan.get("copies").asLong());
    eafr("pause");
    JsonNode refused = eafr("plan", "--apply", plan.get("plan").asText());
    assertEquals(cold.size(), refused.get("skipped_switched_off").asInt(), refused::toString);
    eafr("resume");

    plan = planToMove(cold.size());
    JsonNode applied = eafr("plan", "--apply", plan.get("plan").asText());
    assertEquals(cold.size(), applied.get("done").asInt(), applied::toString);
    RackCluster.await(
        "one replica of each block is on a standby server",
        () -> {
          areMoved(cold, 3);
          return eafr("status").get("moves_done").asLong() == blocks;
        });
    cluster.context().setMode(Mode.ACTIVE);
    RackCluster.await("all but one of each are there", () -> areMoved(cold, 3));

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
    left.forEach(file -> holders(file).forEach(on -> assertEquals(0, standby(on), on::toString)));
    for (Path file : Stream.concat(cold.stream(), left.stream()).toList()) {
      assertEquals(RackCluster.BLOCK_BYTES, DFSTestUtil.readFileAsBytes(fs, file).length);
      assertEquals(FACTOR, EafrRig.factor(fs, file));
    }
  }
}
