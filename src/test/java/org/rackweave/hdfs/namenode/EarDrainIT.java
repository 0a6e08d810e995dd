package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRules;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.ear.BlockLookup;
import org.rackweave.hdfs.ear.EncodingCounts;

/** DataNodes with the one replica of encoded blocks are taken out of service, alive. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EarDrainIT {
  private static final StripeRules RULES = StripeRules.of(ErasureCode.named("rs-6-3"));
  private static final int FILES = 12;
  private static final int BLOCKS = 6;
  private static EarRig rig;
  private static BlockLookup lookup;
  private static List<Path> files;

  /** In a stripe of which no file keeps its replicas, as one does that is encoded in part. */
  private static long blockId;

  @BeforeAll
  static void startAndEncode() throws Exception {
    rig =
        EarRig.start(
            RULES,
            Map.of(
                DFSConfigKeys.DFS_NAMENODE_MAINTENANCE_REPLICATION_MIN_KEY, "0",
                DFSConfigKeys.DFS_NAMENODE_DECOMMISSION_INTERVAL_KEY, "5s"));
    lookup = NameNodeBridge.of(rig.cluster().mini().getNameNode()).blocks();
    files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      files.add(rig.cluster().write("/warehouse/file" + i, BLOCKS, 3));
    }
    String said = DegradedReadIT.fsck(rig.cluster(), "/", "-delete");
    assertTrue(said.contains("HEALTHY"), said);
    rig.run(EarCommand::encode, "--path", "/warehouse");
    files.removeIf(file -> !isShrunk(file));
    assertFalse(files.isEmpty());
    RackCluster.await(
        "encoded blocks have one replica",
        () -> files.stream().allMatch(file -> replicas(file) == BLOCKS));
    blockId =
        files.stream()
            .flatMap(file -> blocks(file).stream())
            .map(block -> block.getBlock().getBlockId())
            .filter(EarDrainIT::isInStripeOfOneReplicaEach)
            .findFirst()
            .orElseThrow();
  }

  private static boolean isInStripeOfOneReplicaEach(long block) {
    try {
      return stripeOf(block).stream().allMatch(one -> stored(one).expectedReplicas() == 1);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static boolean isShrunk(Path file) {
    try {
      return rig.fs().getFileStatus(file).getReplication() == 1;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<LocatedBlock> blocks(Path file) {
    try {
      return DFSTestUtil.getAllBlocks(rig.fs(), file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static int replicas(Path file) {
    return blocks(file).stream().mapToInt(block -> block.getLocations().length).sum();
  }

  private static EncodingCounts counts() {
    return rig.cluster().context().stripes().counts();
  }

  private static BlockLookup.StoredBlock stored(long blockId) {
    return lookup.blocks(List.of(blockId)).get(0);
  }

  /** As an operator's host rules would have it. */
  private static void administer(Consumer<DatanodeAdminManager> what) {
    var namesystem = rig.cluster().mini().getNamesystem();
    namesystem.writeLock();
    try {
      what.accept(namesystem.getBlockManager().getDatanodeManager().getDatanodeAdminManager());
    } finally {
      namesystem.writeUnlock(LockHolder.NAME);
    }
  }

  /** Until all stripes have been looked at, and whatever misses blocks has been repaired twice. */
  private static void awaitLooks() {
    long walks = counts().walks();
    RackCluster.await("all stripes were looked at", () -> counts().walks() >= walks + 7);
  }

  private static void assertNothingIsMissing() {
    JsonNode audit = rig.run(EarCommand::stripes, "--audit");
    assertEquals(0, audit.path("stripes_with_block_missing").asInt(), audit::toString);
    JsonNode stripes = rig.run(EarCommand::stripes);
    assertEquals(0, stripes.path("stripes_missing_blocks_decodable").asInt(), stripes::toString);
  }

  /** Before any block is missing: a DataNode may fail while fsck walks. */
  @Test
  @Order(0)
  void fsckLooksAndDeletesNothing() throws Exception {
    assertTrue(DegradedReadIT.fsck(rig.cluster(), "/").contains("HEALTHY"));
    for (String destruction : List.of("-delete", "-move")) {
      String said = DegradedReadIT.fsck(rig.cluster(), "/", destruction);
      assertTrue(said.contains("Refused by Rackweave: "), said);
      assertTrue(said.contains(" stripes are encoded"), said);
    }
  }

  @Test
  @Order(1)
  void whatADataNodeHasThatIsDecommissionedIsCopiedAndNotDecoded() throws Exception {
    DatanodeDescriptor drained = stored(blockId).replicas().get(0);
    administer(admin -> admin.startDecommission(drained));
    assertEquals(List.of(drained), stored(blockId).leaving());
    assertNothingIsMissing();
    RackCluster.await("it is drained", drained::isDecommissioned);
    assertEquals(0, counts().blocksRepaired(), "HDFS has copied them");
    for (Path file : files) {
      for (LocatedBlock block : blocks(file)) {
        assertEquals(1, stored(block.getBlock().getBlockId()).replicas().size());
      }
    }
    awaitLooks();
    assertEquals(0, counts().blocksRepaired());
  }

  /** With three DataNodes lost beside it, its block is needed to make theirs. */
  @Test
  @Order(2)
  void whatADataNodeHasThatIsInMaintenanceIsNotDecodedAndHelpsToDecodeOthers() throws Exception {
    DatanodeDescriptor inMaintenance = stored(blockId).replicas().get(0);
    administer(admin -> admin.startMaintenance(inMaintenance, Long.MAX_VALUE));
    RackCluster.await("it is in maintenance", inMaintenance::isInMaintenance);
    awaitLooks();
    assertNothingIsMissing();
    assertEquals(0, counts().blocksRepaired());
    assertEquals(0, stored(blockId).replicas().size());

    // HDFS knows no stripes: what it copied from the drained DataNode may be beside another of
    // them.
    List<Long> elsewhere = stripeOf(blockId);
    elsewhere.removeIf(one -> stored(one).leaving().contains(inMaintenance));
    List<Long> lost = elsewhere.subList(0, RULES.nodeFailures());
    for (long one : lost) {
      lose(stored(one).replicas().get(0));
    }
    RackCluster.await(
        "the others are made again",
        () -> lost.stream().allMatch(one -> stored(one).replicas().size() == 1),
        () -> "lost " + lost + ", " + whereabouts());
    RackCluster.await("that was decoding", () -> counts().blocksRepaired() >= RULES.nodeFailures());
    assertTrue(stored(blockId).leaving().contains(inMaintenance));
    assertEquals(0, stored(blockId).replicas().size());
  }

  private static String whereabouts() {
    try {
      return stripeOf(blockId).stream()
              .map(one -> one + " on " + stored(one).replicas() + " and " + stored(one).leaving())
              .toList()
          + ", repaired "
          + counts().blocksRepaired()
          + ", "
          + rig.run(EarCommand::stripes, "--audit");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Long> stripeOf(long blockId) throws IOException {
    var stripe = rig.cluster().context().stripes().encoded().of(blockId).orElseThrow();
    List<Long> ids = new ArrayList<>();
    stripe.record().members().forEach(member -> ids.add(member.blockId()));
    ids.addAll(lookup.file(stripe.parityFile()).blockIds());
    return ids;
  }

  private static void lose(DatanodeDescriptor datanode) throws IOException {
    int index = -1;
    List<DataNode> all = rig.cluster().mini().getDataNodes();
    for (int i = 0; i < all.size(); i++) {
      index = all.get(i).getDatanodeUuid().equals(datanode.getDatanodeUuid()) ? i : index;
    }
    rig.cluster().mini().stopDataNode(index);
    rig.cluster().mini().setDataNodeDead(datanode);
  }
}
