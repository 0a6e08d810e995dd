package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.LeaveReason;
import org.rackweave.ear.OpenStripeStatus;
import org.rackweave.ear.OpenStripes;
import org.rackweave.ear.SealedStripe;
import org.rackweave.ear.StripeOutcome;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.ear.StripeRegistry;
import org.rackweave.placement.FallbackReason;

/** Stripes formed by a real NameNode while clients write; seven racks of two DataNodes. */
class EarClusterIT {
  private static final int RACK_LIMIT = 1;

  /** Blocks written until what is waited for has happened, which each makes likely. */
  private static final int ATTEMPTS = 200;

  private static RackCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.EAR);
    conf.set(
        ConfiguredRules.CODES,
        "/warehouse=rs-4-2, /warehouse/raw=none, /single=rs-2-1, /broken=rs-3-2");
    cluster = RackCluster.start(conf, 2, 2, 2, 2, 2, 2, 2).awaitCoverage();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static StripeRegistry stripes() {
    return cluster.context().stripes();
  }

  /** Replicas of every block of files by block id. */
  private static Map<Long, DatanodeInfo[]> locations(List<Path> files) throws IOException {
    Map<Long, DatanodeInfo[]> locations = new HashMap<>();
    for (Path file : files) {
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(cluster.fs(), file)) {
        locations.put(block.getBlock().getBlockId(), block.getLocations());
      }
    }
    return locations;
  }

  @Test
  void everyStripeCanBeEncodedInsideItsRack() throws Exception {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      files.add(cluster.write("/warehouse/file" + i, 20, 3));
    }
    Map<Long, DatanodeInfo[]> locations = locations(files);
    assertEquals(120, locations.size());
    int striped = 0;
    for (SealedStripe stripe = stripes().nextSealed();
        stripe != null;
        stripe = stripes().nextSealed()) {
      if (stripe.code().dataBlocks() == 4) {
        assertSound(stripe, locations);
        striped += stripe.blockIds().length;
      }
    }
    // Seven core racks keep at most four open stripes of three blocks each.
    assertTrue(striped >= 120 - 7 * 4 * 3, striped + " blocks in sealed stripes");
    assertEquals(0, cluster.context().metrics().fallbackCount(FallbackReason.ERROR));
  }

  private static void assertSound(SealedStripe stripe, Map<Long, DatanodeInfo[]> locations) {
    assertEquals(4, stripe.blockIds().length);
    assertEquals(4, new HashSet<>(stripe.keepers()).size(), "one node keeps one block");
    Map<String, Integer> keptInRack = new HashMap<>();
    for (int i = 0; i < 4; i++) {
      DatanodeInfo[] replicas = locations.get(stripe.blockIds()[i]);
      assertNotNull(replicas, stripe::toString);
      Set<String> racks = new HashSet<>();
      String keeper = null;
      for (DatanodeInfo replica : replicas) {
        racks.add(replica.getNetworkLocation());
        if (replica.getXferAddr().equals(stripe.keepers().get(i))) {
          keeper = replica.getNetworkLocation();
        }
      }
      assertEquals(2, racks.size(), "HDFS's own spread");
      assertTrue(racks.contains(stripe.coreRack()), "a replica for the encoding rack to read");
      assertNotNull(keeper, "the block is where it is to be kept");
      keptInRack.merge(keeper, 1, Integer::sum);
    }
    keptInRack.forEach((rack, kept) -> assertTrue(kept <= RACK_LIMIT, rack + " keeps " + kept));
  }

  @Test
  void filesOfNoCodeAreStocks() throws Exception {
    long joined = joined();
    long before = cluster.context().metrics().fallbackCount(FallbackReason.NO_CODE);
    cluster.write("/warehouse/raw/file", 3, 3);
    cluster.write("/elsewhere", 3, 3);
    assertTrue(cluster.context().metrics().fallbackCount(FallbackReason.NO_CODE) >= before + 6);
    assertEquals(joined, joined());
  }

  private static long joined() {
    return stripes().outcomeCount(StripeOutcome.JOINED)
        + stripes().outcomeCount(StripeOutcome.OPENED)
        + stripes().outcomeCount(StripeOutcome.OPENED_ANOTHER);
  }

  @Test
  void oneReplicaGivesNoChoiceAndIsWrittenAllTheSame() throws Exception {
    long before = stripes().outcomeCount(StripeOutcome.TOO_FEW_REPLICAS);
    Path file = cluster.write("/single/file", 2, 1);
    assertEquals(before + 2, stripes().outcomeCount(StripeOutcome.TOO_FEW_REPLICAS));
    DFSTestUtil.readFile(cluster.fs(), file);
  }

  @Test
  void aBlockAppendedToLeavesItsStripe() throws Exception {
    Path file = new Path("/warehouse/appended");
    DFSTestUtil.createFile(cluster.fs(), file, RackCluster.BLOCK_BYTES / 2, (short) 3, 5);
    long block = DFSTestUtil.getAllBlocks(cluster.fs(), file).get(0).getBlock().getBlockId();
    long left = stripes().departureCount(LeaveReason.WITHDRAWN);
    try (FSDataOutputStream out = cluster.fs().append(file)) {
      out.write(new byte[100]);
      out.hsync();
    }
    boolean wasOpen = stripes().departureCount(LeaveReason.WITHDRAWN) == left + 1;
    if (!wasOpen) {
      // It was the last of its stripe, which is sealed and is looked at again before encoding.
      List<SealedStripe> sealed = new ArrayList<>();
      for (SealedStripe next = stripes().nextSealed();
          next != null;
          next = stripes().nextSealed()) {
        sealed.add(next);
      }
      assertTrue(
          sealed.stream()
              .anyMatch(stripe -> Arrays.stream(stripe.blockIds()).anyMatch(id -> id == block)));
    }
  }

  /**
   * A DataNode dies while it is written to, and the NameNode does not know for minutes: pipelines
   * are rebuilt without it, and blocks that begin with it are abandoned.
   */
  @Test
  void whatAClientRecoversOrAbandonsLeavesNoGhost() throws Exception {
    DataNodeProperties stopped = null;
    try {
      Path file = new Path("/broken/recovered");
      LocatedBlock block;
      String gone;
      try (FSDataOutputStream out = cluster.fs().create(file)) {
        out.write(new byte[RackCluster.BLOCK_BYTES / 4]);
        out.hflush();
        block = lastBlock(file);
        gone = block.getLocations()[1].getXferAddr();
        stopped = stop(block.getLocations()[1]);
        out.write(new byte[RackCluster.BLOCK_BYTES / 4]);
        out.hflush();
      }
      // A file may be closed when the first of its replicas is reported; the others are soon after.
      RackCluster.awaitReplicas(cluster.fs(), file, 3);
      LocatedBlock recovered = lastBlock(file);
      assertTrue(recovered.getBlock().getGenerationStamp() > block.getBlock().getGenerationStamp());
      assertTrue(isNowhereOn(gone, recovered), "there was no recovery: " + recovered);
      assertIsWhereItsStripeThinks(recovered, gone);

      List<Path> written = new ArrayList<>();
      long left = stripes().departureCount(LeaveReason.WITHDRAWN);
      while (stripes().departureCount(LeaveReason.WITHDRAWN) == left) {
        assertTrue(written.size() < ATTEMPTS, "no block was abandoned");
        written.add(cluster.write("/broken/abandoned" + written.size(), 1, 3));
      }
      for (Path one : written) {
        assertTrue(isNowhereOn(gone, lastBlock(one)), "none is where nobody can write");
      }
      assertNoGhosts();
    } finally {
      if (stopped != null) {
        cluster.mini().restartDataNode(stopped);
        cluster.mini().waitActive();
        cluster.awaitCoverage();
      }
    }
  }

  private static LocatedBlock lastBlock(Path file) throws IOException {
    return cluster
        .fs()
        .getClient()
        .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
        .getLastLocatedBlock();
  }

  private static DataNodeProperties stop(DatanodeInfo node) {
    List<DataNode> all = cluster.mini().getDataNodes();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).getDatanodeUuid().equals(node.getDatanodeUuid())) {
        return cluster.mini().stopDataNode(i);
      }
    }
    throw new AssertionError("no " + node);
  }

  private static boolean isNowhereOn(String address, LocatedBlock block) {
    return Arrays.stream(block.getLocations())
        .noneMatch(node -> node.getXferAddr().equals(address));
  }

  /** Has its stripe filled, unless it has left that, and looks where it would be kept. */
  private static void assertIsWhereItsStripeThinks(LocatedBlock block, String gone)
      throws IOException {
    long id = block.getBlock().getBlockId();
    OpenStripes open = stripes().openStripes(ErasureCode.named("rs-3-2"));
    for (int i = 0; open.seatOf(id) != null; i++) {
      assertTrue(i < ATTEMPTS, "its stripe is never full");
      cluster.write("/broken/filling" + i, 1, 3);
    }
    Set<String> real = new HashSet<>();
    for (DatanodeInfo node : block.getLocations()) {
      real.add(node.getXferAddr());
    }
    for (SealedStripe stripe : stripes().waiting()) {
      int number = stripe.blockIdList().indexOf(id);
      if (number >= 0) {
        List<String> known = stripe.replicas().get(number);
        assertTrue(real.containsAll(known), known + " are to be among " + real);
        assertFalse(known.contains(gone), "it would be kept on a dead DataNode");
      }
    }
  }

  /** What open stripes have, some file has. */
  private static void assertNoGhosts() throws IOException {
    long seated = 0;
    var files = cluster.fs().listFiles(new Path("/"), true);
    while (files.hasNext()) {
      for (LocatedBlock block : DFSTestUtil.getAllBlocks(cluster.fs(), files.next().getPath())) {
        for (String code : List.of("rs-4-2", "rs-2-1", "rs-3-2")) {
          OpenStripes open = stripes().openStripes(ErasureCode.named(code));
          seated += open.seatOf(block.getBlock().getBlockId()) == null ? 0 : 1;
        }
      }
    }
    long members = 0;
    for (OpenStripeStatus open : stripes().openStatus()) {
      assertEquals(0, open.unbound(), "a seat that nobody takes: " + open);
      members += open.blocks();
    }
    assertEquals(seated, members, "blocks in open stripes that are in no file");
  }
}
