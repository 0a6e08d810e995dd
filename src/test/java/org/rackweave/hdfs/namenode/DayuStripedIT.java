package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;

/** Striped blocks are stock's to make again, beside contiguous ones that are not. */
class DayuStripedIT {
  private static final String POLICY = "RS-3-2-1024k";
  private static final int CELLS = 3;
  private static final int INTERNAL_BLOCKS = 5;
  private static final int CONTIGUOUS = 27;

  private static boolean isWhole(DistributedFileSystem fs, Path file) {
    try {
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file)) {
        if (block.getLocations().length < INTERNAL_BLOCKS) {
          return false;
        }
      }
      return true;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theyDoNotWaitForThoseThatTheBrakeHolds() throws Exception {
    Configuration conf = RecoveryRig.conf();
    conf.set(ConfigKeys.DAYU_BRAKE_GRACE, "1h");
    conf.set(ConfigKeys.DAYU_BRAKE_SHARE, "1");
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 1 << 20);
    // Stock may choose a target in the moment before it is taken for dead.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 20);
    // Stock looks at all that waits together, contiguous blocks first.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION, 100);
    try (RecoveryRig rig = RecoveryRig.start(conf, 3, 3, 3, 3)) {
      List<String> lost = rig.nodesIn("/r1");
      // Every DataNode that is left has contiguous blocks of the same priority.
      List<String> left =
          rig.mini().getDataNodes().stream()
              .map(dataNode -> dataNode.getDatanodeUuid())
              .filter(uuid -> !lost.contains(uuid))
              .toList();
      for (int i = 0; i < left.size(); i++) {
        rig.writeTo(
            rig.dataNodes(lost.get(i % 3), left.get(i), left.get((i + 3) % left.size())),
            "/contiguous" + i,
            CONTIGUOUS / left.size());
      }
      DistributedFileSystem fs = rig.mini().getFileSystem(0);
      fs.enableErasureCodingPolicy(POLICY);
      Path directory = new Path("/striped");
      fs.mkdirs(directory);
      fs.setErasureCodingPolicy(directory, POLICY);
      List<Path> files =
          IntStream.range(0, 8).mapToObj(i -> new Path(directory, "file" + i)).toList();
      for (Path file : files) {
        DFSTestUtil.createFile(fs, file, CELLS << 20, (short) 1, 1);
      }
      rig.loseAtOnce(lost);
      rig.awaitMetric("Brakes", 1);

      RackCluster.await(
          "striped blocks to be whole",
          () -> files.stream().allMatch(file -> isWhole(fs, file)),
          rig::toString);
      assertEquals(0, rig.metric("CopiesScheduled"), "contiguous ones wait: " + rig);
    }
  }
}
