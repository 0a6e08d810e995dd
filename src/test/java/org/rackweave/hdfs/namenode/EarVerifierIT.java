package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas that HDFS chose to keep, where a crash made the choice of the stripes be forgotten. */
class EarVerifierIT {
  private static final int FILES = 8;
  private static final int WHOLE_BLOCKS = 3;
  private static final long SEED = 20261122;

  @TempDir private java.nio.file.Path directory;

  /**
   * Files have given their surplus up and no DataNode has been told. The NameNode that starts knows
   * the factor only, and HDFS chooses, which knows nothing of stripes.
   */
  @Test
  void aWrongChoiceOfReplicasIsMendedAfterACrash() throws Exception {
    Configuration conf = EncodedWarehouse.conf();
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_STARTUP_DELAY_BLOCK_DELETION_SEC_KEY, 3600);
    try (RackCluster cluster = RackCluster.start(EncodedWarehouse.cluster(conf)).awaitCoverage()) {
      EncodedWarehouse warehouse =
          new EncodedWarehouse(cluster.fs(), () -> cluster.mini().getNameNode(), SEED);
      warehouse.write(FILES, WHOLE_BLOCKS);
      RackCluster.await(
          "files have factor 1",
          () ->
              warehouse.files().keySet().stream()
                      .filter(file -> hasFactorOne(cluster, file))
                      .count()
                  > FILES / 3);
      NameDirectory.muffle(cluster.mini(), true);
      NameDirectory disk = new NameDirectory(cluster.mini(), directory.resolve("name"));
      disk.keep();
      cluster
          .mini()
          .getConfiguration(0)
          .setLong(DFSConfigKeys.DFS_NAMENODE_STARTUP_DELAY_BLOCK_DELETION_SEC_KEY, 0);
      disk.restart();
      warehouse.awaitSound("after HDFS chose");
    }
  }

  private static boolean hasFactorOne(RackCluster cluster, Path file) {
    try {
      return cluster.fs().getFileStatus(file).getReplication() == 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
