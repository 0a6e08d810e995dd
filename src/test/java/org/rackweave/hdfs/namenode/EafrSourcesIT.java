package org.rackweave.hdfs.namenode;

import static org.apache.hadoop.test.MetricsAsserts.getLongCounter;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;

/** From where lost replicas are copied when stock HDFS has them copied. */
class EafrSourcesIT {
  private static final int BLOCKS = 24;

  /** So long that a DataNode has sent much of a block before its reader takes it. */
  private static final int BLOCK_BYTES = 1024 * 1024;

  /** More than the busy DataNode is left with once the idle one has sent every block. */
  private static final int READERS = 2 * BLOCKS;

  private static Configuration conf() {
    Configuration conf = EafrRig.conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.EAFR);
    conf.set(ConfiguredRules.HEAT, "/other=adapt max=5");
    conf.setBoolean(ConfigKeys.EAFR_SOURCES_ENABLED, true);
    conf.setInt(ConfigKeys.EAFR_CAPACITY, 100);
    conf.setInt(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_BYTES);
    // All blocks are ordered at once, and no source has as many as it may.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION, 100);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 100);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 200);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    return conf;
  }

  /** Blocks on the first DataNode of each rack, and the last of these is lost. */
  private static final class Lost implements AutoCloseable {
    private final RecoveryRig rig;
    private final DistributedFileSystem fs;
    private final DataNode busy;
    private final DataNode idle;
    private final DataNode dies;
    private final List<FSDataInputStream> readers = new ArrayList<>();

    Lost(Configuration conf) throws Exception {
      rig = RecoveryRig.start(conf, 2, 2, 2);
      fs = rig.cluster().fs();
      List<DataNode> dataNodes = rig.mini().getDataNodes();
      busy = dataNodes.get(0);
      idle = dataNodes.get(2);
      dies = dataNodes.get(4);
      rig.writeTo(List.of(busy, idle, dies), "/data/lost", BLOCKS);
    }

    /** Has many clients read from a DataNode, none of which gets to the end of its block. */
    void keepBusy() throws Exception {
      rig.writeTo(List.of(busy), "/data/read", 1);
      for (int i = 0; i < READERS; i++) {
        FSDataInputStream in = fs.open(new Path("/data/read"));
        readers.add(in);
        assertTrue(in.read() >= 0);
      }
      RackCluster.await(
          "a difference in remaining capacity", () -> remaining(idle) - remaining(busy) > BLOCKS);
    }

    private int remaining(DataNode dataNode) {
      PlacementContext context = rig.cluster().context();
      if (context.destinations() == null) {
        return 0;
      }
      Servers servers = context.destinations().servers();
      return servers.remainingCapacity(
          context.state().numberOf(rig.descriptor(dataNode.getDatanodeUuid())));
    }

    /** Has the replicas of a DataNode made again. */
    void recover() throws IOException {
      rig.kill(dies.getDatanodeUuid());
      rig.awaitWhole();
      rig.readAll();
      // A source counts a copy when its target has said that it has it.
      RackCluster.await("all are counted", () -> sent(busy) + sent(idle) >= BLOCKS);
      assertEquals(BLOCKS, sent(busy) + sent(idle), "each is copied once");
    }

    static long sent(DataNode dataNode) {
      return getLongCounter("BlocksReplicated", getMetrics(dataNode.getMetrics().name()));
    }

    JsonNode status() {
      return EafrRig.eafr(fs.getConf(), "status");
    }

    /** Waits until it is known who chooses. */
    void awaitState(String state) {
      RackCluster.await("sources " + state, () -> status().get("sources").asText().equals(state));
    }

    long redirected() {
      return figure("sources_redirected");
    }

    /** One that is zero is not there. */
    long figure(String name) {
      return status().path(name).asLong(0);
    }

    @Override
    public void close() throws IOException {
      for (FSDataInputStream in : readers) {
        in.close();
      }
      rig.close();
    }
  }

  @Test
  void theDataNodeWithMostRemainingCapacitySendsEveryBlock() throws Exception {
    try (Lost lost = new Lost(conf())) {
      lost.awaitState("on");
      lost.keepBusy();
      lost.recover();
      assertEquals(BLOCKS, Lost.sent(lost.idle), () -> lost.status().toString());
      // Stock draws the idle one for all of them once in sixteen million times.
      assertTrue(lost.redirected() > 0, () -> lost.status().toString());
      assertEquals(
          BLOCKS,
          lost.redirected() + lost.figure("sources_drawn_is_best"),
          () -> lost.status().toString());
    }
  }

  /** From a source that is known to have the block, however many replicas were lost meanwhile. */
  @Test
  void aRaisedFactorGetsItsReplicasAlsoWhenOneIsLost() throws Exception {
    try (Lost lost = new Lost(conf())) {
      lost.awaitState("on");
      lost.rig.kill(lost.dies.getDatanodeUuid());
      lost.rig.setReplication("/data/lost", 4);
      lost.rig.awaitReplicas("/data/lost", 4);
      lost.rig.readAll();
      assertTrue(
          lost.redirected() + lost.figure("sources_drawn_is_best") > 0,
          () -> lost.status().toString());
    }
  }

  @Test
  void stockDrawsWhereItIsNotEnabled() throws Exception {
    Configuration conf = conf();
    conf.unset(ConfigKeys.EAFR_SOURCES_ENABLED);
    assertDrawn(conf, "off");
  }

  @Test
  void stockDrawsWithAnotherPolicy() throws Exception {
    Configuration conf = conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.SINBAD);
    assertDrawn(conf, "other policy");
  }

  @Test
  void dayuChoosesWhereItIsOn() throws Exception {
    Configuration conf = conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.RACKWEAVE);
    conf.set(ConfigKeys.DAYU_TIMESLOT, "2s");
    conf.set(ConfigKeys.DAYU_BRAKE_GRACE, "0");
    assertDrawn(conf, "left to dayu");
  }

  private static void assertDrawn(Configuration conf, String state) throws Exception {
    try (Lost lost = new Lost(conf)) {
      lost.awaitState(state);
      lost.recover();
      assertEquals(0, lost.redirected());
    }
  }
}
