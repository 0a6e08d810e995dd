package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.Nightly;

/** Replicas that HDFS chose to keep, where a crash made the choice of the stripes be forgotten. */
class EarVerifierIT {
  private static final int FILES = 8;
  private static final int WHOLE_BLOCKS = 3;
  private static final String SNAPSHOT = "kept";
  private static final long SEED = 20261122;

  @TempDir private java.nio.file.Path directory;

  /**
   * Files have given their surplus up and no DataNode has been told. The NameNode that starts knows
   * the factor only, and HDFS chooses, which knows nothing of stripes.
   */
  @Nightly
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

  /**
   * The last file of a stripe still has three replicas, and the others' single ones have come to
   * lie in all racks of those: it cannot be shrunk before one of its replicas has moved.
   */
  @Nightly
  @Test
  void aFileWhoseRacksOthersHaveTakenIsShrunkAllTheSame() throws Exception {
    Configuration conf = EncodedWarehouse.conf();
    Path held = new Path(EncodedWarehouse.DIRECTORY);
    try (RackCluster cluster = RackCluster.start(EncodedWarehouse.cluster(conf)).awaitCoverage()) {
      EncodedWarehouse warehouse =
          new EncodedWarehouse(cluster.fs(), () -> cluster.mini().getNameNode(), SEED);
      Path kept = warehouse.write(1, WHOLE_BLOCKS).get(0);
      cluster.fs().allowSnapshot(held);
      cluster.fs().createSnapshot(held, SNAPSHOT); // encoded, and not shrunk
      List<Path> others = warehouse.write(FILES, WHOLE_BLOCKS);
      RackCluster.await(
          "others have moved into the racks of a file with three replicas",
          () ->
              others.stream().anyMatch(file -> hasFactorOne(cluster, file))
                  && takeRacks(cluster, warehouse, kept));
      cluster.fs().deleteSnapshot(held, SNAPSHOT);
      cluster.mini().restartNameNode(0);
      warehouse.awaitSound("after others have taken the racks");
    }
  }

  /**
   * Moves single replicas of a stripe into those racks of a block of it that have none.
   *
   * @return whether there is such a stripe
   */
  private static boolean takeRacks(RackCluster cluster, EncodedWarehouse warehouse, Path file) {
    try {
      List<LocatedBlock> blocks = new ArrayList<>();
      for (Path path : warehouse.files().keySet()) {
        blocks.addAll(DFSTestUtil.getAllBlocks(cluster.fs(), path));
      }
      Set<ExtendedBlock> ofFile = new HashSet<>();
      DFSTestUtil.getAllBlocks(cluster.fs(), file).forEach(block -> ofFile.add(block.getBlock()));
      for (PlacedStripe stripe : PlacedStripe.of(blocks, warehouse.encoded(), cluster.fs())) {
        Optional<LocatedBlock> wide =
            stripe.blocks().filter(block -> ofFile.contains(block.getBlock())).findFirst();
        if (wide.isPresent() && takeRacks(stripe, wide.get())) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean takeRacks(PlacedStripe stripe, LocatedBlock wide) throws IOException {
    Map<String, DatanodeInfo> wanted = new HashMap<>();
    for (DatanodeInfo node : wide.getLocations()) {
      wanted.put(node.getNetworkLocation(), node);
    }
    List<LocatedBlock> free = new ArrayList<>();
    for (LocatedBlock block : stripe.blocks().toList()) {
      boolean isSingle = block.getLocations().length == 1;
      if (isSingle && wanted.remove(block.getLocations()[0].getNetworkLocation()) == null) {
        free.add(block);
      }
    }
    if (free.size() < wanted.size()) {
      return false;
    }
    boolean hasMoved = true;
    for (DatanodeInfo target : wanted.values()) {
      LocatedBlock block = free.remove(0);
      DatanodeInfo source = block.getLocations()[0];
      hasMoved &=
          DFSTestUtil.replaceBlock(
              block.getBlock(), source, source, target, StorageType.DEFAULT, Status.SUCCESS);
    }
    return hasMoved;
  }

  private static boolean hasFactorOne(RackCluster cluster, Path file) {
    try {
      return cluster.fs().getFileStatus(file).getReplication() == 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
