package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.Mode;

/** Readers of a whole HDFS that are sent to replicas by their queues. */
class EafrReadOrderIT {
  private static LocatedBlock locate(DistributedFileSystem fs, Path file) {
    try {
      return fs.getClient().getLocatedBlocks(file.toString(), 0).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void readersAreSentToEveryReplicaAndByStockWhenSwitchedOff() throws IOException {
    Configuration conf = EafrRig.conf();
    conf.set(DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, ReadOrderTopology.class.getName());
    try (RackCluster cluster = RackCluster.start(conf, EafrRig.RACKS).awaitCoverage()) {
      DistributedFileSystem fs = cluster.fs();
      Path file = cluster.write("/fixed/file", 1, 3);
      PlacementMetrics metrics = cluster.context().metrics();
      Set<String> first = new HashSet<>();
      RackCluster.await(
          "every replica is named first",
          () -> {
            LocatedBlock block = locate(fs, file);
            assertEquals(3, block.getLocations().length);
            first.add(block.getLocations()[0].getDatanodeUuid());
            return metrics.readsOrdered() > 0 && first.size() == 3;
          });
      RackCluster.await("a DataNode dies", () -> stopOne(cluster, locate(fs, file)));
      EafrRig.read(fs, file);

      cluster.context().setMode(Mode.OFF);
      long ordered = metrics.readsOrdered();
      EafrRig.read(fs, file);
      assertEquals(ordered, metrics.readsOrdered());
      assertTrue(cluster.context().readRouting() != null);
    }
  }

  private static boolean stopOne(RackCluster cluster, LocatedBlock block) {
    return cluster.mini().stopDataNode(block.getLocations()[0].getXferAddr()) != null;
  }
}
