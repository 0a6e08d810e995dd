package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.rackweave.Nightly;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ear.EncodedStripes;
import org.rackweave.hdfs.ear.StripeRegistry;

/** Files whose blocks are encoded, changed and deleted by their owners. */
class EarChangesIT {
  private static final int[] NINE_RACKS = {2, 2, 2, 2, 2, 2, 2, 2, 2};
  private static final int FILES = 60;

  /** Some seconds. */
  private static final int LOOKS_PER_FILE = 100;

  private static final int PARITY = 3;

  /** Less than a block, so that an append changes it. */
  private static final int FILE_BYTES = RackCluster.BLOCK_BYTES - 1000;

  private static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.set(ConfigKeys.EAR_AUDIT_INTERVAL, "1s");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 3);
    return conf;
  }

  /** Files of one block each, so that a stripe is made of as many files. */
  private static Map<Path, byte[]> write(RackCluster cluster) throws IOException {
    return write(cluster, "file");
  }

  private static Map<Path, byte[]> write(RackCluster cluster, String name) throws IOException {
    Map<Path, byte[]> files = new LinkedHashMap<>();
    for (int i = 0; i < FILES; i++) {
      Path file = new Path("/warehouse/" + name + i);
      DFSTestUtil.createFile(cluster.fs(), file, FILE_BYTES, (short) 3, i);
      files.put(file, DFSTestUtil.readFileAsBytes(cluster.fs(), file));
    }
    return files;
  }

  private static void writeOne(RackCluster cluster, String file) {
    try {
      DFSTestUtil.createFile(cluster.fs(), new Path(file), FILE_BYTES, (short) 3, 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static LocatedBlock blockOf(RackCluster cluster, Path file) {
    try {
      return DFSTestUtil.getAllBlocks(cluster.fs(), file).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int replicas(RackCluster cluster, Path file) {
    return blockOf(cluster, file).getLocations().length;
  }

  private static EncodedStripes encoded(RackCluster cluster) {
    return cluster.context().stripes().encoded();
  }

  private static boolean isShrunk(RackCluster cluster, Path file) {
    LocatedBlock block = blockOf(cluster, file);
    return encoded(cluster).contains(block.getBlock().getBlockId())
        && block.getLocations().length == 1;
  }

  /** The files of each stripe that has given up its surplus replicas, the largest stripe first. */
  private static List<List<Path>> stripes(RackCluster cluster, Set<Path> files) {
    Map<Long, List<Path>> byParity = new HashMap<>();
    for (Path file : files) {
      encoded(cluster)
          .of(blockOf(cluster, file).getBlock().getBlockId())
          .ifPresent(
              stripe ->
                  byParity.computeIfAbsent(stripe.parityFile(), id -> new ArrayList<>()).add(file));
    }
    List<List<Path>> stripes = new ArrayList<>(byParity.values());
    stripes.sort((a, b) -> b.size() - a.size());
    return stripes;
  }

  private static List<List<Path>> encode(RackCluster cluster, Set<Path> files) {
    RackCluster.await(
        "stripes of six files and of five, shrunk",
        () -> {
          List<List<Path>> large =
              stripes(cluster, files).stream().filter(stripe -> stripe.size() >= 5).toList();
          return large.size() >= 2
              && large.stream().flatMap(List::stream).allMatch(file -> isShrunk(cluster, file));
        });
    return stripes(cluster, files);
  }

  private static void assertReadsBack(RackCluster cluster, Path file, byte[] bytes)
      throws IOException {
    assertArrayEquals(bytes, DFSTestUtil.readFileAsBytes(cluster.fs(), file), file.toString());
  }

  @Nightly
  @Test
  void deletingMoreThanTheCodeBearsHarmsNoOtherFile() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      List<Path> stripe = encode(cluster, files.keySet()).get(0);
      StripeRegistry registry = cluster.context().stripes();
      List<Path> deleted = stripe.subList(0, PARITY + 1);
      List<Path> survivors = stripe.subList(PARITY + 1, stripe.size());
      long survivor = blockOf(cluster, survivors.get(0)).getBlock().getBlockId();
      long parity = encoded(cluster).of(survivor).orElseThrow().parityFile();
      String holder = blockOf(cluster, survivors.get(0)).getLocations()[0].getDatanodeUuid();
      // Owners who are over their quota get their replicas back all the same.
      cluster.fs().setQuota(new Path("/warehouse"), HdfsConstants.QUOTA_DONT_SET, 1024);
      for (Path file : deleted) {
        cluster.fs().delete(file, false);
      }
      stop(cluster, holder);
      try {
        RackCluster.await(
            "the survivor on a stopped DataNode has replicas again, in no stripe",
            () ->
                replicas(cluster, survivors.get(0)) >= 3
                    && !encoded(cluster).contains(survivor)
                    && registry.counts().replicasWithheld() == 0);
      } catch (AssertionError e) {
        throw new AssertionError(
            "replicas "
                + replicas(cluster, survivors.get(0))
                + ", encoded "
                + encoded(cluster).of(survivor)
                + ", "
                + registry.counts(),
            e);
      }
      for (Path file : survivors) {
        assertReadsBack(cluster, file, files.get(file));
      }
      assertTrue(registry.counts().blocksRepaired() > 0, "it was decoded from deleted blocks");

      cluster
          .fs()
          .setQuota(
              new Path("/warehouse"), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
      write(cluster, "more");
      int[] looks = {0};
      RackCluster.await(
          "survivors are striped anew, with others",
          () -> {
            // Where replicas lie is luck: there are to be others whose replicas go with theirs.
            if (looks[0]++ % LOOKS_PER_FILE == 0) {
              writeOne(cluster, "/warehouse/other" + looks[0]);
            }
            return survivors.stream().allMatch(file -> isShrunk(cluster, file));
          },
          () ->
              survivors.stream().map(file -> file + " " + replicas(cluster, file)).toList()
                  + ", "
                  + registry.counts());
      for (Path file : survivors) {
        long block = blockOf(cluster, file).getBlock().getBlockId();
        assertNotEquals(parity, encoded(cluster).of(block).orElseThrow().parityFile());
        assertReadsBack(cluster, file, files.get(file));
      }
    }
  }

  private static void stop(RackCluster cluster, String uuid) {
    for (int i = 0; i < cluster.mini().getDataNodes().size(); i++) {
      if (cluster.mini().getDataNodes().get(i).getDatanodeUuid().equals(uuid)) {
        cluster.mini().stopDataNode(i);
        return;
      }
    }
  }

  @Test
  void aBlockHasItsReplicasBackBeforeItIsChanged() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      List<List<Path>> stripes = encode(cluster, files.keySet());
      Path appended = stripes.get(0).get(0);
      Path truncated = stripes.get(1).get(0);
      Path kept = stripes.get(0).get(1);
      Path target = stripes.get(0).get(2);
      Path source = stripes.get(1).get(1);

      try (OutputStream out = cluster.fs().append(appended)) {
        LocatedBlock open =
            cluster.fs().getClient().getLocatedBlocks(appended.toString(), 0).getLastLocatedBlock();
        assertTrue(open.getLocations().length >= 3, "appended to one replica: " + open);
        out.write(new byte[5000]);
      }
      assertReadsBack(cluster, appended, Arrays.copyOf(files.get(appended), FILE_BYTES + 5000));

      boolean isDone = cluster.fs().truncate(truncated, 1000);
      assertTrue(isDone || cluster.fs().getFileStatus(truncated).getReplication() == 3);
      RackCluster.await("truncated", () -> isClosed(cluster, truncated));
      assertReadsBack(cluster, truncated, Arrays.copyOf(files.get(truncated), 1000));
      assertTrue(replicas(cluster, truncated) >= 3);

      cluster.fs().setReplication(kept, (short) 2);

      byte[] both = Arrays.copyOf(files.get(target), 2 * FILE_BYTES);
      System.arraycopy(files.get(source), 0, both, FILE_BYTES, FILE_BYTES);
      cluster.fs().concat(target, new Path[] {source});
      assertReadsBack(cluster, target, both);
      assertEquals(3, cluster.fs().getFileStatus(target).getReplication());

      awaitWalks(cluster, 3);
      assertEquals(2, cluster.fs().getFileStatus(kept).getReplication());
      assertReadsBack(cluster, kept, files.get(kept));
      for (List<Path> stripe : stripes) {
        for (Path file : stripe) {
          if (!Set.of(appended, truncated, target, source).contains(file)) {
            assertReadsBack(cluster, file, files.get(file));
          }
        }
      }
    }
  }

  /** Marks and restored factors need more rights than the owner has whose call asks for them. */
  @Test
  void ownersChangeTheirFilesWithNoMoreRightsThanTheyHave() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      List<List<Path>> stripes = encode(cluster, files.keySet());
      Path kept = stripes.get(0).get(0);
      Path appended = stripes.get(1).get(0);
      cluster.fs().setOwner(kept, "bob", "users");
      cluster.fs().setOwner(appended, "carol", "users");

      assertTrue(as("bob", cluster).setReplication(kept, (short) 2));
      try (OutputStream out = as("carol", cluster).append(appended)) {
        out.write(new byte[5000]);
      }

      awaitWalks(cluster, 3);
      assertEquals(2, cluster.fs().getFileStatus(kept).getReplication());
      assertEquals(3, cluster.fs().getFileStatus(appended).getReplication());
      assertReadsBack(cluster, appended, Arrays.copyOf(files.get(appended), FILE_BYTES + 5000));
    }
  }

  @Test
  void aFileThatASnapshotHoldsIsShrunkWhenTheSnapshotIsGone() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      Path warehouse = new Path("/warehouse");
      Map<Path, byte[]> files = write(cluster);
      cluster.fs().allowSnapshot(warehouse);
      cluster.fs().createSnapshot(warehouse, "monday");
      StripeRegistry registry = cluster.context().stripes();
      RackCluster.await(
          "files that a snapshot holds",
          () -> registry.counts().filesWaiting().toString().contains("HELD_BY_SNAPSHOT"));
      List<Path> held = files.keySet().stream().filter(file -> isHeld(cluster, file)).toList();
      assertTrue(held.size() > 0, registry.counts()::toString);
      awaitWalks(cluster, 3);
      for (Path file : held) {
        assertTrue(isHeld(cluster, file), "a snapshot's replicas are not taken: " + file);
      }

      cluster.fs().deleteSnapshot(warehouse, "monday");
      RackCluster.await(
          "they are shrunk", () -> held.stream().allMatch(file -> isShrunk(cluster, file)));
      for (Path file : held) {
        assertReadsBack(cluster, file, files.get(file));
      }
    }
  }

  private static boolean isHeld(RackCluster cluster, Path file) {
    try {
      LocatedBlock block = blockOf(cluster, file);
      return encoded(cluster).contains(block.getBlock().getBlockId())
          && cluster.fs().getFileStatus(file).getReplication() == 3
          && block.getLocations().length == 3;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FileSystem as(String user, RackCluster cluster) throws Exception {
    UserGroupInformation one =
        UserGroupInformation.createUserForTesting(user, new String[] {"users"});
    return DFSTestUtil.getFileSystemAs(one, cluster.fs().getConf());
  }

  private static boolean isClosed(RackCluster cluster, Path file) {
    try {
      return cluster.fs().isFileClosed(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitWalks(RackCluster cluster, int more) {
    StripeRegistry registry = cluster.context().stripes();
    long before = registry.counts().walks();
    RackCluster.await("stripes looked at again", () -> registry.counts().walks() >= before + more);
  }

  /**
   * The members that are deleted with nobody looking: between restarts, and by no client's call.
   */
  @Test
  void whatIsWithheldIsWithheldAfterARestart() throws Exception {
    Configuration conf = conf();
    // Nothing is replicated, so that the stripe stays as it is.
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 0);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 0);
    try (RackCluster cluster = RackCluster.start(conf, NINE_RACKS).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      List<Path> stripe = encode(cluster, files.keySet()).get(0);
      List<Path> deleted = stripe.subList(0, PARITY + 1);
      Set<Long> ids = new HashSet<>();
      for (Path file : deleted) {
        ids.add(blockOf(cluster, file).getBlock().getBlockId());
      }
      long survivor = blockOf(cluster, stripe.get(PARITY + 1)).getBlock().getBlockId();
      for (Path file : deleted) {
        cluster.mini().getNameNodeRpc().delete(file.toString(), false);
      }
      cluster.mini().restartNameNode(true);
      RackCluster.await(
          "its deleted members are known and withheld again",
          () ->
              cluster.context() != null
                  && encoded(cluster).of(survivor).stream()
                      .flatMap(found -> found.record().members().stream())
                      .filter(member -> ids.contains(member.blockId()))
                      .noneMatch(StripeRecord.Member::hasLeft)
                  && ids.stream().allMatch(encoded(cluster)::contains)
                  && cluster.context().stripes().counts().givingUp() == 1);
      for (long id : ids) {
        assertTrue(isOnDisk(cluster, id), "block " + id + " is gone");
      }
    }
  }

  private static boolean isOnDisk(RackCluster cluster, long blockId) throws IOException {
    String pool = cluster.mini().getNamesystem().getBlockPoolId();
    for (DataNode dataNode : cluster.mini().getDataNodes()) {
      try {
        if (dataNode.getFSDataset().getStoredBlock(pool, blockId) != null) {
          return true;
        }
      } catch (ReplicaNotFoundException e) {
        continue; // not there
      }
    }
    return false;
  }
}
