package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.junit.jupiter.api.Test;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ear.CallStops;
import org.rackweave.hdfs.ear.EncodingCounts;

/** What DataNodes have on their disks of deleted files while a NameNode reads its stripes. */
@Nightly
class WithheldDeletionsIT {
  private static final int FILES = 6;
  private static final int WHOLE_BLOCKS = 3;

  /** What the blocks of deleted files held. */
  private final Map<ExtendedBlock, byte[]> deleted = new LinkedHashMap<>();

  private MiniDFSCluster mini;
  private int active;

  private NameNode nameNode() {
    return mini.getNameNode(active);
  }

  private EncodingCounts counts() {
    return RackCluster.contextOf(nameNode()).stripes().counts();
  }

  @Test
  void nothingOfADeletedFileGoesBeforeStripesAreReadAndAllOfItGoesAfterwards() throws Exception {
    Configuration conf = EncodedWarehouse.conf();
    conf.setInt(DFSConfigKeys.DFS_HA_TAILEDITS_PERIOD_KEY, 1);
    try (CallStops stops = CallStops.install(conf);
        RackCluster cluster =
            RackCluster.startHa(
                EncodedWarehouse.cluster(conf).nnTopology(MiniDFSNNTopology.simpleHATopology()))) {
      mini = cluster.mini();
      mini.triggerBlockReports(); // before which no surplus is taken away; the next are hours away
      FileSystem fs = HATestUtil.configureFailoverFs(mini, conf);
      EncodedWarehouse warehouse = new EncodedWarehouse(fs, this::nameNode, 20261123);
      List<Path> files = warehouse.write(FILES, WHOLE_BLOCKS);
      Path plain = RackCluster.write(fs, "/plain", 2, 3);
      warehouse.awaitSound("before the failover");

      mini.transitionToStandby(active);
      active = 1 - active;
      NameNode second = nameNode();
      long onDisk;
      try (CallStops.Stop first = stops.stopAt(WithheldDeletionsIT::readsStripes, () -> {})) {
        mini.transitionToActive(active);
        first.await("the second NameNode reads its stripes");
        for (Path file : files.subList(0, FILES / 2)) {
          remember(fs, file);
          warehouse.delete(file);
        }
        remember(fs, plain);
        fs.delete(plain, false);
        onDisk = intactOnDisks();
        assertTrue(onDisk > deleted.size(), onDisk + " of " + deleted.size() + " blocks");
        awaitOrderedTwice(onDisk);
        assertEquals(onDisk, intactOnDisks(), "after the failover");
        assertTrue(counts().deletionsWaitingMs() > 0);
        assertTrue(counts().deletionAlarm().contains("rackweave-encoding"));
        stops.kill(second);
      }
      // The thread that reads stripes at the beginning is a restarted NameNode's.
      try (CallStops.Stop again =
          stops.stopAt(call -> call.nameNode() != second && readsStripes(call), () -> {})) {
        mini.restartNameNode(active, false);
        mini.transitionToActive(active);
        again.await("the restarted NameNode reads its stripes");
        RackCluster.await("out of safe mode", () -> !nameNode().isInSafeMode());
        mini.waitActive(active);
        mini.triggerBlockReports(); // to one that is active: a standby orders nothing
        awaitOrderedTwice(onDisk);
        assertEquals(onDisk, intactOnDisks(), "after the restart");
      }
      // Without another block report.
      RackCluster.await(
          "all of them go when stripes are known and can do without",
          () -> intactOnDisks() == 0,
          () -> intactOnDisks() + " replicas, " + counts());
      assertEquals(0, counts().deletionsWaitingMs());
      assertEquals("", counts().deletionAlarm());
      warehouse.awaitSound("with the stripes known");
    }
  }

  private static boolean readsStripes(CallStops.Call call) {
    return call.begins("getListing") && call.target().equals("/.rackweave/parity");
  }

  private void awaitOrderedTwice(long replicas) {
    RackCluster.await(
        "HDFS orders each of " + replicas + " deletions again and again",
        () -> counts().deletionsPutBack() >= 2 * replicas,
        () -> counts().deletionsPutBack() + " orders, " + intactOnDisks() + " replicas");
  }

  private void remember(FileSystem fs, Path file) throws IOException {
    byte[] bytes = DFSTestUtil.readFileAsBytes(fs, file);
    for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file)) {
      int start = (int) block.getStartOffset();
      deleted.put(
          block.getBlock(), Arrays.copyOfRange(bytes, start, start + (int) block.getBlockSize()));
    }
  }

  /** Replicas of deleted blocks that DataNodes have on disk, byte by byte as they were written. */
  private long intactOnDisks() {
    return mini.getDataNodes().stream()
        .mapToLong(
            dataNode ->
                deleted.keySet().stream()
                    .filter(block -> Arrays.equals(deleted.get(block), bytes(dataNode, block)))
                    .count())
        .sum();
  }

  private static byte[] bytes(DataNode dataNode, ExtendedBlock block) {
    try (InputStream in = dataNode.getFSDataset().getBlockInputStream(block, 0)) {
      return in.readAllBytes();
    } catch (IOException e) {
      return null; // it has none
    }
  }
}
