package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.PendingTargets;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ConfigKeys;

/**
 * Copies that are slower than planned, and clusters in which not all is as recovery would have it.
 * HDFS itself would wait five minutes for a copy that does not come, which is longer than these
 * tests do.
 */
@Tag("newest-hadoop")
class DayuStragglersIT {
  /** A transfer can be ended between two packets of 64 KB. */
  private static final int BLOCK_BYTES = 8 * RackCluster.BLOCK_BYTES;

  private static final long LINK_BYTES_PER_SEC = 2L * BLOCK_BYTES;

  /** At this pace a block takes four minutes. */
  private static final long CRAWL_BYTES_PER_SEC = 2 * 1024;

  /** More than any limit of transfers at a time. */
  private static final int MANY_TRANSFERS = 1000;

  private static Configuration agentConf() {
    Configuration conf = RecoveryRig.agentConf(BLOCK_BYTES, LINK_BYTES_PER_SEC);
    conf.set(ConfigKeys.DAYU_TIMESLOT, "3s");
    return conf;
  }

  /** Writes whole blocks. */
  private static Path write(RecoveryRig rig, String path, int blocks, int replication)
      throws Exception {
    return rig.write(path, blocks * (BLOCK_BYTES / RackCluster.BLOCK_BYTES), replication);
  }

  @Test
  void aCopyFromASlowSourceIsEndedAndMadeFromAnother() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(agentConf(), 2, 2, 2)) {
      List<DataNode> dataNodes = rig.mini().getDataNodes();
      DataNode victim = dataNodes.get(0);
      DataNode slow = dataNodes.get(2);
      // So that the slow one has to send, however busy its links seem to be after this.
      rig.writeTo(List.of(victim, slow, dataNodes.get(4)), "/a", 16);
      // Its links are idle, and nobody knows that it cannot use them.
      slow.reconfigureProperty(
          DFSConfigKeys.DFS_DATANODE_DATA_TRANSFER_BANDWIDTHPERSEC_KEY,
          Long.toString(CRAWL_BYTES_PER_SEC));
      int lost = rig.descriptor(victim.getDatanodeUuid()).numBlocks();
      rig.kill(victim.getDatanodeUuid());

      rig.awaitMetric("StragglersReplaced", 1);
      rig.awaitWhole();

      rig.readAll();
      RackCluster.await("nothing under way", () -> rig.metric("CopiesUnderWay") == 0);
      assertEquals(lost, rig.metric("CopiesArrived"), "each once: " + rig);
      assertEquals(
          rig.metric("CopiesScheduled"),
          rig.metric("CopiesArrived") + rig.metric("CopiesCancelled"),
          rig::toString);
      assertEquals(0, rig.blocks().getCorruptReplicaBlocksCount(), "nobody is suspected");
      assertEquals(0, rig.metric("StragglersNoAnswer"), rig::toString);
      assertEquals(0, rig.metric("CopiesByStock"), rig::toString);
    }
  }

  @Nightly
  @Test
  void transfersOfOthersTakeNoPlaceFromASourcesCopies() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(agentConf(), 2, 2, 2)) {
      List<DataNode> dataNodes = rig.mini().getDataNodes();
      DataNode victim = dataNodes.get(0);
      DataNode full = dataNodes.get(2);
      rig.writeTo(List.of(victim, full, dataNodes.get(4)), "/a", 16);
      full.incrementXmitsInProcess(MANY_TRANSFERS);
      int lost = rig.descriptor(victim.getDatanodeUuid()).numBlocks();
      rig.kill(victim.getDatanodeUuid());

      rig.awaitWhole();

      rig.readAll();
      full.decrementXmitsInProgress(MANY_TRANSFERS);
      RackCluster.await("each once", () -> rig.metric("CopiesArrived") == lost, rig::toString);
      assertEquals(lost, rig.metric("CopiesScheduled"), rig::toString);
      assertEquals(0, rig.metric("CopiesByStock"), rig::toString);
      RackCluster.await(
          "copies of the source that was full",
          () -> RecordedMetrics.of(full.getMetrics().name()).get("BlocksReplicated") > 0);
    }
  }

  @Nightly
  @Test
  void agentsOnSomeDataNodesOnly() throws Exception {
    Configuration conf = agentConf();
    conf.setLong(DFSConfigKeys.DFS_DATANODE_DATA_TRANSFER_BANDWIDTHPERSEC_KEY, BLOCK_BYTES / 8);
    conf.set(ConfigKeys.DAYU_TIMESLOT, "1s");
    try (RecoveryRig rig = RecoveryRig.start(conf, 1, 1, 1)) {
      Configuration bare = new Configuration(rig.mini().getConfiguration(0));
      bare.unset(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY);
      bare.unset("rpc.engine.org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB");
      String[] racks = RackCluster.racks(1, 1, 1);
      rig.mini().startDataNodes(bare, racks.length, true, null, racks);
      rig.mini().waitActive();
      rig.cluster().awaitCoverage();
      List<DataNode> dataNodes = rig.mini().getDataNodes();
      DataNode victim = dataNodes.get(0);
      // So that both kinds have to send, wherever the planner sees more room.
      rig.writeTo(List.of(victim, dataNodes.get(1), dataNodes.get(2)), "/agents", 4);
      rig.writeTo(List.of(victim, dataNodes.get(4), dataNodes.get(5)), "/bare", 4);
      int lost = rig.descriptor(victim.getDatanodeUuid()).numBlocks();
      rig.kill(victim.getDatanodeUuid());

      rig.awaitMetric("SourcesHeldToRates", 1);
      rig.awaitMetric("StragglersNoAgent", 1);
      // A copy takes eight slots.
      AtomicReference<String> told = new AtomicReference<>("");
      RackCluster.await(
          "a straggler to be told of",
          () -> {
            told.set(rig.say("report"));
            return told.get().contains("\"ended_for\"");
          });
      JsonNode straggler = new ObjectMapper().readTree(told.get()).at("/straggler/0");
      assertEquals(BLOCK_BYTES, straggler.get("bytes").asLong(), told::get);
      rig.awaitWhole();

      rig.readAll();
      RackCluster.await("nothing under way", () -> rig.metric("CopiesUnderWay") == 0);
      assertEquals(lost, rig.metric("CopiesArrived"), rig::toString);
    }
  }

  @Nightly
  @Test
  void aDestinationFillsUp() throws Exception {
    aDestinationFillsUp(RecoveryRig.slowConf(), 40);
  }

  @Test
  @Nightly
  void aDestinationOfCopiesHeldToRatesFillsUp() throws Exception {
    aDestinationFillsUp(agentConf(), 40 * (BLOCK_BYTES / RackCluster.BLOCK_BYTES));
  }

  private static void aDestinationFillsUp(Configuration conf, int blocks) throws Exception {
    // What was on its way there fails; HDFS shall not wait for it for long.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 5);
    try (RecoveryRig rig = RecoveryRig.start(conf, 2, 2, 2)) {
      Path file = rig.write("/a", blocks, 3);
      rig.killFullest();
      List<String> targets = new ArrayList<>();
      RackCluster.await(
          "a copy under way",
          () -> {
            targets.addAll(pending(rig, file));
            return !targets.isEmpty();
          });
      String full = targets.get(0);
      fill(rig, full);
      RackCluster.await("HDFS to know", () -> rig.descriptor(full).getRemaining() == 0);
      int replicas = rig.descriptor(full).numBlocks() + onTheirWay(rig, file, full);

      RecoveryFaults.awaitWholeAndQuiet(rig);

      RecoveryFaults.assertEveryCopyHasAnEnd(rig);
      assertTrue(rig.descriptor(full).numBlocks() <= replicas, rig::toString);
      // One to the full DataNode may stand still, of which another plan would be no better.
      assertTrue(rig.metric("CopiesByStock") <= rig.metric("BlocksLeftStoodStill"), rig::toString);
    }
  }

  private static List<String> pending(RecoveryRig rig, Path file) {
    try {
      return PendingTargets.of(rig.blocks(), rig.cluster().fs(), file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int onTheirWay(RecoveryRig rig, Path file, String to) {
    return (int) pending(rig, file).stream().filter(to::equals).count();
  }

  private static void fill(RecoveryRig rig, String uuid) throws Exception {
    for (DataNode dataNode : rig.mini().getDataNodes()) {
      if (dataNode.getDatanodeUuid().equals(uuid)) {
        try (FsDatasetSpi.FsVolumeReferences volumes =
            dataNode.getFSDataset().getFsVolumeReferences()) {
          for (FsVolumeSpi volume : volumes) {
            ((FsVolumeImpl) volume).setCapacityForTesting(1);
          }
        }
      }
    }
  }

  @Test
  void stripedFilesAreStocks() throws Exception {
    try (RecoveryRig rig = RecoveryRig.start(RecoveryRig.conf(), 2, 2, 2)) {
      DistributedFileSystem fs = rig.cluster().fs();
      Path striped = new Path("/striped/file");
      fs.enableErasureCodingPolicy("XOR-2-1-1024k");
      fs.mkdirs(striped.getParent());
      fs.setErasureCodingPolicy(striped.getParent(), "XOR-2-1-1024k");
      DFSTestUtil.createFile(fs, striped, 4096, 4 << 20, 1 << 20, (short) 1, 1);
      Path contiguous = rig.write("/a", 20, 3);
      DataNode victim = holder(rig, striped);
      int lost = replicasOn(rig, contiguous, victim);
      rig.kill(victim.getDatanodeUuid());

      rig.awaitWhole();

      RackCluster.await("every part of every group", () -> isWhole(fs, striped));
      rig.readAll();
      assertEquals(lost, rig.metric("CopiesScheduled"), rig::toString);
      assertEquals(4 << 20, DFSTestUtil.readFileAsBytes(fs, striped).length);
    }
  }

  /** The DataNode that a file's first part is on. */
  private static DataNode holder(RecoveryRig rig, Path file) throws Exception {
    String uuid =
        DFSTestUtil.getAllBlocks(rig.cluster().fs(), file)
            .get(0)
            .getLocations()[0]
            .getDatanodeUuid();
    return rig.mini().getDataNodes().stream()
        .filter(dataNode -> dataNode.getDatanodeUuid().equals(uuid))
        .findFirst()
        .orElseThrow();
  }

  private static int replicasOn(RecoveryRig rig, Path file, DataNode dataNode) throws Exception {
    int replicas = 0;
    for (BlockLocation block : rig.cluster().fs().getFileBlockLocations(file, 0, Long.MAX_VALUE)) {
      String name = dataNode.getDatanodeId().getXferAddr();
      replicas += Arrays.asList(block.getNames()).contains(name) ? 1 : 0;
    }
    return replicas;
  }

  private static boolean isWhole(DistributedFileSystem fs, Path striped) {
    try {
      for (LocatedBlock group : DFSTestUtil.getAllBlocks(fs, striped)) {
        if (((LocatedStripedBlock) group).getLocations().length < 3) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
