package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.rackweave.Nightly;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ear.EncodingCounts;

/** A stripe's record that a NameNode which starts cannot read, until somebody restores it. */
class EarUnreadableIT {
  private static final String RECORD = "trusted.rackweave.stripe";
  private static final byte[] OF_A_NEWER_VERSION = {99, 1, 2, 3};
  private static final int FILES = 6;
  private static final int WHOLE_BLOCKS = 3;

  private RackCluster cluster;
  private EncodedWarehouse warehouse;

  private EncodingCounts counts() {
    return RackCluster.contextOf(cluster.mini().getNameNode()).stripes().counts();
  }

  private long replicas(List<LocatedBlock> blocks) {
    return cluster.mini().getDataNodes().stream()
        .mapToLong(
            dataNode ->
                blocks.stream()
                    .filter(block -> dataNode.getFSDataset().isValidBlock(block.getBlock()))
                    .count())
        .sum();
  }

  private Path fileOf(StripeRecord.Member member) throws IOException {
    for (Path file : warehouse.files().keySet()) {
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(cluster.fs(), file)) {
        if (block.getBlock().getBlockId() == member.blockId()) {
          return file;
        }
      }
    }
    throw new AssertionError("no file has " + member);
  }

  @Nightly
  void nothingGoesThatItMayCountOnAndAllGoesOnOnceItCanBeRead() throws Exception {
    Configuration conf = EncodedWarehouse.conf();
    conf.set(ConfigKeys.EAR_CHANGE_WAIT, "2s");
    try (RackCluster started = RackCluster.start(EncodedWarehouse.cluster(conf))) {
      cluster = started;
      MiniDFSCluster mini = started.mini();
      warehouse = new EncodedWarehouse(started.fs(), mini::getNameNode, 20261126);
      warehouse.write(FILES, WHOLE_BLOCKS);
      warehouse.awaitSound("encoded");
      Map.Entry<Path, StripeRecord> stripe =
          warehouse.flaws().records().entrySet().iterator().next();
      Path parity = stripe.getKey();
      byte[] record = started.fs().getXAttr(parity, RECORD);

      started.fs().setXAttr(parity, RECORD, OF_A_NEWER_VERSION);
      mini.restartNameNode(true);
      RackCluster.await(
          "the other stripes are read", () -> warehouse.encoded().unreadableCount() == 1);

      Path deleted = fileOf(stripe.getValue().members().get(0));
      List<LocatedBlock> blocks = new ArrayList<>(DFSTestUtil.getAllBlocks(started.fs(), deleted));
      long before = replicas(blocks);
      assertTrue(before >= blocks.size(), before + " replicas");
      warehouse.delete(deleted);
      RackCluster.await(
          "HDFS orders each deletion again and again",
          () -> counts().deletionsPutBack() >= 2 * before,
          () -> counts().toString());
      assertEquals(before, replicas(blocks));
      Path other = warehouse.files().keySet().iterator().next();
      IOException refusal =
          assertThrows(IOException.class, () -> warehouse.append(other, new byte[] {1}));
      assertTrue(refusal.getMessage().contains("try again"), refusal::getMessage);
      assertArrayEquals(
          warehouse.files().get(other), DFSTestUtil.readFileAsBytes(started.fs(), other));

      started.fs().setXAttr(parity, RECORD, record);
      RackCluster.await("it can be read", () -> warehouse.encoded().unreadableCount() == 0);
      warehouse.append(other, new byte[] {1});
      warehouse.awaitSound("restored");
    }
  }
}
