package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;

/** A NameNode that ceases to be active while replicas move. */
class EafrMoverFailoverIT {
  /** Racks that HDFS keeps when it deletes what is too many, and nobody says which is. */
  private static final int HDFS_RACKS = 2;

  @RegisterExtension final PowerSwitch power = new PowerSwitch();

  private Configuration conf() {
    Configuration conf = SleepRig.conf(power, "none");
    conf.set(ConfiguredRules.HEAT, "/data=adapt");
    conf.set(ConfigKeys.EAFR_ROLES_STANDBY, MovedReplicas.STANDBY);
    RackCluster.copySlowly(conf);
    return conf;
  }

  @Nightly
  @Test
  void aHalfDoneMoveLeavesAReplicaTooManyThatHdfsDeletes() throws Exception {
    try (SleepRig.Pair pair = SleepRig.Pair.start(conf())) {
      List<Path> files = MovedReplicas.write(pair.mini(), pair.fs(), "/data", 6);
      SleepRig.letSleep(pair.first());
      RackCluster.await("copies are under way", () -> EafrRig.pending(pair.first()) > 0);
      pair.catchUp();
      pair.failOver();

      NameNode second = pair.second();
      awaitNothingTooMany(pair, files);
      SleepRig.letSleep(second);
      RackCluster.await(
          "the NameNode that took over moves the rest",
          () -> MovedReplicas.areMoved(second, files, HDFS_RACKS));
      for (Path file : files) {
        assertEquals(RackCluster.BLOCK_BYTES, DFSTestUtil.readFileAsBytes(pair.fs(), file).length);
      }
    }
  }

  /** Waits until what was copied has come, and what is too many is gone. */
  private static void awaitNothingTooMany(SleepRig.Pair pair, List<Path> files) {
    MiniDFSCluster mini = pair.mini();
    BlockManager blocks = pair.second().getNamesystem().getBlockManager();
    try {
      RackCluster.await(
          "what was copied has come, and what is too many is gone",
          () ->
              MovedReplicas.areSettled(pair.second(), files, HDFS_RACKS)
                  && sent(mini) == 0
                  && blocks.getPostponedMisreplicatedBlocksCount() == 0
                  && blocks.getExcessBlocksCount() == 0);
    } catch (AssertionError e) {
      throw new AssertionError(
          String.format(
              "%s; %d transfers, %d postponed, %d excess, %d to delete, %d pending, replicas on %s",
              e.getMessage(),
              sent(mini),
              blocks.getPostponedMisreplicatedBlocksCount(),
              blocks.getExcessBlocksCount(),
              blocks.getPendingDeletionBlocksCount(),
              blocks.getPendingReconstructionBlocksCount(),
              MovedReplicas.describe(pair.second(), files)),
          e);
    }
  }

  private static int sent(MiniDFSCluster mini) {
    return mini.getDataNodes().stream().mapToInt(DataNode::getXmitsInProgress).sum();
  }
}
