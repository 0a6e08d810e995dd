package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.placement.FallbackReason;

/** Shapes of clusters: one rack, uneven racks, full racks, storage types, upgrade domains. */
class SinbadTopologiesIT {

  @Test
  void placesByHostLinksWhenThereIsOneRack() throws Exception {
    try (RackCluster cluster = RackCluster.start(RackCluster.conf(), 4).awaitCoverage()) {
      Path file = cluster.write("/one-rack", 5, 3);
      assertTrue(cluster.context().metrics().decisionCount() >= 5);
      assertEquals(List.of("/r0", "/r0", "/r0"), cluster.racksOf(file).get(0));
    }
  }

  @Test
  void writesAsManyReplicasAsThereAreNodesInUnevenRacks() throws Exception {
    try (RackCluster cluster = RackCluster.start(RackCluster.conf(), 1, 3).awaitCoverage()) {
      Path file = cluster.write("/uneven", 3, 4);
      assertEquals(3, cluster.context().metrics().decisionCount());
      for (List<String> racks : cluster.racksOf(file)) {
        assertEquals(4, racks.size(), () -> "racks " + racks);
      }
    }
  }

  @Test
  void spreadsOverThreeRacksInTheMannerOfThePaper() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(ConfigKeys.SPREAD, "distinct-racks");
    try (RackCluster cluster = RackCluster.start(conf, 1, 1, 1, 1).awaitCoverage()) {
      Path file = cluster.write("/distinct", 4, 3);
      assertTrue(cluster.context().metrics().decisionCount() >= 4);
      for (List<String> racks : cluster.racksOf(file)) {
        assertEquals(3, new HashSet<>(racks).size(), () -> "racks " + racks);
      }
    }
  }

  @Test
  void leavesTheWriteToHdfsWhenNoNodeHasSpace() throws Exception {
    try (RackCluster cluster = RackCluster.start(RackCluster.conf(), 2, 2).awaitCoverage()) {
      long moreThanAnyDiskBytes = 1L << 44;
      Path file = new Path("/too-large");
      IOException refused =
          assertThrows(
              IOException.class,
              () -> {
                try (var out =
                    cluster.fs().create(file, true, 4096, (short) 3, moreThanAnyDiskBytes)) {
                  out.write(1);
                }
              });
      assertTrue(refused.getMessage().contains("could only be written to 0"), refused::getMessage);
      assertTrue(cluster.context().metrics().fallbackCount(FallbackReason.NOT_ENOUGH_NODES) > 0);
      cluster.write("/small-again", 1, 3);
    }
  }

  @Test
  void followsStoragePolicies() throws Exception {
    Configuration conf = RackCluster.conf();
    StorageType[] both = {StorageType.DISK, StorageType.SSD};
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf)
            .numDataNodes(6)
            .racks(RackCluster.racks(2, 2, 2))
            .storageTypes(Stream.generate(() -> both).limit(6).toArray(StorageType[][]::new));
    try (RackCluster cluster = RackCluster.start(builder).awaitCoverage()) {
      Path ssd = new Path("/ssd");
      cluster.fs().mkdirs(ssd);
      cluster.fs().setStoragePolicy(ssd, HdfsConstants.ALLSSD_STORAGE_POLICY_NAME);
      Path one = new Path("/one-ssd");
      cluster.fs().mkdirs(one);
      cluster.fs().setStoragePolicy(one, HdfsConstants.ONESSD_STORAGE_POLICY_NAME);

      Path allSsd = cluster.write("/ssd/file", 2, 3);
      Path oneSsd = cluster.write("/one-ssd/file", 2, 3);

      assertTrue(cluster.context().metrics().decisionCount() >= 4);
      assertEquals(3L, typesOf(cluster, allSsd).get(StorageType.SSD));
      assertEquals(1L, typesOf(cluster, oneSsd).get(StorageType.SSD));
      assertEquals(2L, typesOf(cluster, oneSsd).get(StorageType.DISK));
    }
  }

  private static Map<StorageType, Long> typesOf(RackCluster cluster, Path file) throws IOException {
    LocatedBlock block = DFSTestUtil.getAllBlocks(cluster.fs(), file).get(0);
    return Stream.of(block.getStorageTypes())
        .collect(Collectors.groupingBy(type -> type, Collectors.counting()));
  }

  @Test
  void takesUpgradeDomainsForFaultDomains() throws Exception {
    try (RackCluster cluster = RackCluster.start(RackCluster.conf(), 3, 3, 3)) {
      for (int node = 0; node < 9; node++) {
        cluster.descriptor(node).setUpgradeDomain("ud" + node % 3);
      }
      cluster.context().topologyChanged();
      RackCluster.await(
          "upgrade domains known",
          () ->
              cluster.context().state() != null
                  && cluster.context().state().topology().domainCount() == 3);
      cluster.awaitCoverage();
      Path file = cluster.write("/domains", 8, 3);
      assertTrue(cluster.context().metrics().decisionCount() >= 8);
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(cluster.fs(), file)) {
        Set<String> domains =
            Stream.of(block.getLocations())
                .map(location -> domainOf(cluster, location.getDatanodeUuid()))
                .collect(Collectors.toSet());
        assertEquals(3, domains.size(), () -> "upgrade domains " + domains);
      }
    }
  }

  private static String domainOf(RackCluster cluster, String uuid) {
    return cluster
        .mini()
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanode(uuid)
        .getUpgradeDomain();
  }
}
