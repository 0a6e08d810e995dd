package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ear.StripeRegistry;

/** Cold files in a cluster where some DataNodes have disks only. */
@Tag("newest-hadoop")
class EarStoragePolicyIT {
  private static final int FILES = 12;
  private static final StorageType[] BOTH = {StorageType.DISK, StorageType.ARCHIVE};
  private static final StorageType[] DISK_ONLY = {StorageType.DISK, StorageType.DISK};

  /** In each of six racks one DataNode has no archive; three there have. */
  private static MiniDFSCluster.Builder cluster() {
    int[] racks = {4, 4, 4, 4, 4, 4};
    StorageType[][] types = new StorageType[24][];
    for (int i = 0; i < types.length; i++) {
      types[i] = i % 4 == 0 ? DISK_ONLY : BOTH;
    }
    return new MiniDFSCluster.Builder(EncodedWarehouse.conf())
        .numDataNodes(types.length)
        .racks(RackCluster.racks(racks))
        .storagesPerDatanode(2)
        .storageTypes(types);
  }

  private static Set<StorageType> typesOf(RackCluster cluster, String directory) {
    try {
      Set<StorageType> types = EnumSet.noneOf(StorageType.class);
      RemoteIterator<LocatedFileStatus> files = cluster.fs().listFiles(new Path(directory), true);
      while (files.hasNext()) {
        Path file = files.next().getPath();
        if (file.toString().contains("/unfinished/")) {
          continue; // of the next stripe
        }
        for (LocatedBlock block : DFSTestUtil.getAllBlocks(cluster.fs(), file)) {
          types.addAll(Arrays.asList(block.getStorageTypes()));
        }
      }
      return types;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void parityAndRebuiltBlocksOfColdFilesAreArchived() throws Exception {
    try (RackCluster cluster = RackCluster.start(cluster()).awaitCoverage()) {
      cluster.fs().mkdirs(new Path(EncodedWarehouse.DIRECTORY));
      cluster.fs().setStoragePolicy(new Path(EncodedWarehouse.DIRECTORY), "COLD");
      List<Path> files = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        files.add(cluster.write(EncodedWarehouse.DIRECTORY + "/cold" + i, 1, 3));
      }
      StripeRegistry registry = cluster.context().stripes();
      // What is left over alone is in no stripe: parity would only make it larger.
      RackCluster.await(
          "some are encoded",
          () -> files.stream().anyMatch(file -> isAlone(cluster, file)),
          () -> registry.counts().toString());
      assertEquals(Set.of(StorageType.ARCHIVE), typesOf(cluster, "/.rackweave/parity"));

      Path lost = files.stream().filter(file -> isAlone(cluster, file)).findFirst().orElseThrow();
      stopHolder(cluster, DFSTestUtil.getAllBlocks(cluster.fs(), lost).get(0));
      RackCluster.await(
          "what it had is made again",
          () -> registry.counts().blocksRepaired() > 0 && isAlone(cluster, lost),
          () -> registry.counts().toString());
      assertEquals(Set.of(StorageType.ARCHIVE), typesOf(cluster, EncodedWarehouse.DIRECTORY));
      assertEquals(Set.of(StorageType.ARCHIVE), typesOf(cluster, "/.rackweave/parity"));
    }
  }

  /** Whether a file wants one replica, and has it. */
  private static boolean isAlone(RackCluster cluster, Path file) {
    try {
      return cluster.fs().getFileStatus(file).getReplication() == 1
          && DFSTestUtil.getAllBlocks(cluster.fs(), file).get(0).getLocations().length == 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stopHolder(RackCluster cluster, LocatedBlock block) {
    String uuid = block.getLocations()[0].getDatanodeUuid();
    for (int i = 0; i < cluster.mini().getDataNodes().size(); i++) {
      if (cluster.mini().getDataNodes().get(i).getDatanodeUuid().equals(uuid)) {
        cluster.mini().stopDataNode(i);
        return;
      }
    }
  }
}
