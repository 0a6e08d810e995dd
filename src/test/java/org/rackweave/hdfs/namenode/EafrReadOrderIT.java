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
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.FeatureModes;
import org.rackweave.hdfs.Mode;

/** Readers of a whole HDFS that are sent to replicas by their queues. */
class EafrReadOrderIT {
  private static final String INSIDE = "10.1.0.1";
  private static final String OUTSIDE = "10.2.0.1";
  private static final int READS = 20;

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

      cluster.context().setModes(FeatureModes.all(Mode.OFF));
      long ordered = metrics.readsOrdered();
      EafrRig.read(fs, file);
      assertEquals(ordered, metrics.readsOrdered());
      assertTrue(cluster.context().readRouting() != null);
    }
  }

  /** HDFS takes the address that a proxy's call names for its reader's. */
  @Test
  void readersOnDataNodesReadTheirOwnReplicaAndThoseOutsideReadAll() throws IOException {
    Configuration conf = EafrRig.conf();
    conf.set(DFSConfigKeys.DFS_NET_TOPOLOGY_IMPL_KEY, ReadOrderTopology.class.getName());
    conf.set(
        DFSConfigKeys.DFS_NAMENODE_IP_PROXY_USERS,
        UserGroupInformation.getCurrentUser().getShortUserName());
    try (RackCluster cluster = RackCluster.start(conf, EafrRig.RACKS).awaitCoverage()) {
      Path file = cluster.write("/fixed/file", 1, 3);
      PlacementMetrics metrics = cluster.context().metrics();
      Set<String> first = new HashSet<>();
      RackCluster.await(
          "a reader outside is sent to every replica",
          () -> {
            first.add(firstFor(cluster, OUTSIDE, file));
            return metrics.readsOrdered() > 0 && first.size() == 3;
          });
      String own = first.iterator().next();
      moveTo(cluster, own, INSIDE);
      long ordered = metrics.readsOrdered();
      for (int i = 0; i < READS; i++) {
        assertEquals(own, firstFor(cluster, INSIDE, file));
      }
      assertTrue(metrics.readsOrdered() >= ordered + READS, "stock has sent them");
    } finally {
      CallerContext.setCurrent(null);
    }
  }

  private static String firstFor(RackCluster cluster, String reader, Path file) {
    DistributedFileSystem fs = SleepRig.fs(cluster);
    CallerContext.setCurrent(
        new CallerContext.Builder("", fs.getConf())
            .append(CallerContext.CLIENT_IP_STR, reader)
            .build());
    LocatedBlock block = locate(fs, file);
    assertEquals(3, block.getLocations().length);
    return block.getLocations()[0].getDatanodeUuid();
  }

  /** All DataNodes of the test have one address; this one has its own as far as HDFS knows. */
  private static void moveTo(RackCluster cluster, String uuid, String address) throws IOException {
    DataNode datanode =
        cluster.mini().getDataNodes().stream()
            .filter(one -> one.getDatanodeUuid().equals(uuid))
            .findFirst()
            .orElseThrow();
    DataNodeTestUtils.setHeartbeatsDisabledForTests(datanode, true);
    NameNode nameNode = cluster.mini().getNameNode();
    DatanodeRegistration now =
        datanode.getDNRegistrationForBP(nameNode.getNamesystem().getBlockPoolId());
    nameNode
        .getRpcServer()
        .registerDatanode(
            new DatanodeRegistration(
                new DatanodeID(
                    address,
                    now.getHostName(),
                    uuid,
                    now.getXferPort(),
                    now.getInfoPort(),
                    now.getInfoSecurePort(),
                    now.getIpcPort()),
                now.getStorageInfo(),
                now.getExportedKeys(),
                now.getSoftwareVersion()));
  }

  private static boolean stopOne(RackCluster cluster, LocatedBlock block) {
    return cluster.mini().stopDataNode(block.getLocations()[0].getXferAddr()) != null;
  }
}
