package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.OpenStripeStatus;
import org.rackweave.ear.StripeRecord;
import org.rackweave.erasure.JavaArithmetic;
import org.rackweave.erasure.MatrixCoder;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.hdfs.AgentConfig;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.RemovedKeys;
import org.rackweave.hdfs.datanode.ChosenRpcEngine;
import org.rackweave.hdfs.ear.EncodedStripes;
import org.rackweave.hdfs.ear.EncodingRefusal;
import org.rackweave.hdfs.ear.StripeRegistry;

/** Replicas turned into stripes by real NameNodes and DataNodes; nine racks of two DataNodes. */
class EarEncodingIT {
  private static final int[] NINE_RACKS = {2, 2, 2, 2, 2, 2, 2, 2, 2};
  private static final int NODES = 18;
  private static final int RACK_LIMIT = 1;
  private static final long SEED = 20261121;

  /** Lengths of files: whole blocks, a short last block, less than a block. */
  private static final double[] BLOCKS = {12, 7.3, 1, 0.2, 5.99, 9};

  private static final int ALL_BLOCKS = 12 + 8 + 1 + 1 + 6 + 9;

  static Configuration conf() {
    Configuration conf = RackCluster.conf();
    ChosenRpcEngine.agentOn(conf);
    conf.set(DFSConfigKeys.DFS_DATANODE_PLUGINS_KEY, AgentConfig.PLUGIN);
    conf.set(AgentKeys.SAMPLER, "datanode");
    conf.set(AgentKeys.DECODE_ADDRESS, "127.0.0.1:0");
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.EAR);
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-6-3");
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=" + RACK_LIMIT);
    conf.set(ConfigKeys.EAR_SEAL_AGE, "3s");
    conf.set(ConfigKeys.EAR_SEARCH_INTERVAL, "1s");
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 4);
    conf.set(RemovedKeys.EAR_ENCODE_AGE, "0s");
    return conf;
  }

  private static Map<Path, byte[]> write(RackCluster cluster) throws IOException {
    Map<Path, byte[]> files = new LinkedHashMap<>();
    for (int i = 0; i < BLOCKS.length; i++) {
      Path file = new Path("/warehouse/file" + i);
      long bytes = (long) (BLOCKS[i] * RackCluster.BLOCK_BYTES);
      DFSTestUtil.createFile(cluster.fs(), file, bytes, (short) 3, i);
      files.put(file, DFSTestUtil.readFileAsBytes(cluster.fs(), file));
    }
    DFSTestUtil.createFile(cluster.fs(), new Path("/warehouse/empty"), 0, (short) 3, 0);
    return files;
  }

  /**
   * Waits until all is encoded but single blocks and pairs of different lengths, which parity would
   * only make larger, and no file without such a block has surplus replicas.
   */
  private static void awaitEncoded(RackCluster cluster, Set<Path> files) {
    StripeRegistry registry = cluster.context().stripes();
    try {
      RackCluster.await(
          "everything is encoded",
          () ->
              registry.sealedWaiting() == 0
                  && registry.openStatus().stream().noneMatch(OpenStripeStatus::isWorthParity)
                  && registry.encoded().blockCount() + openBlocks(registry) == ALL_BLOCKS
                  && files.stream().allMatch(file -> isDone(cluster, file)));
    } catch (AssertionError e) {
      throw new AssertionError(
          "encoded "
              + registry.encoded().blockCount()
              + ", open "
              + registry.openStatus()
              + ", refused "
              + refusals(cluster)
              + ", waiting "
              + registry.counts().filesWaiting(),
          e);
    }
  }

  private static int openBlocks(StripeRegistry registry) {
    return registry.openStatus().stream().mapToInt(OpenStripeStatus::blocks).sum();
  }

  /** Whether a file has one replica of each block, or has a block that is in no stripe. */
  private static boolean isDone(RackCluster cluster, Path file) {
    try {
      List<LocatedBlock> blocks = DFSTestUtil.getAllBlocks(cluster.fs(), file);
      if (blocks.stream().anyMatch(block -> !isEncoded(cluster, block))) {
        return true;
      }
      return blocks.stream().allMatch(block -> block.getLocations().length == 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isEncoded(RackCluster cluster, LocatedBlock block) {
    return cluster.context().stripes().encoded().of(block.getBlock().getBlockId()).isPresent();
  }

  private static Map<EncodingRefusal, Long> refusals(RackCluster cluster) {
    Map<EncodingRefusal, Long> refusals = new HashMap<>();
    for (EncodingRefusal why : EncodingRefusal.values()) {
      refusals.put(why, cluster.context().stripes().counts().refusals(why));
    }
    return refusals;
  }

  /** Blocks of all stripes, by id: where they are and what is in them. */
  @SuppressWarnings("ArrayRecordComponent")
  private record Stored(DatanodeInfo[] nodes, byte[] bytes) {}

  private static Map<Long, Stored> stored(RackCluster cluster, Set<Path> files) throws IOException {
    Map<Long, Stored> stored = new HashMap<>();
    for (Path file : files) {
      try (FSDataInputStream in = cluster.fs().open(file)) {
        for (LocatedBlock block : DFSTestUtil.getAllBlocks(cluster.fs(), file)) {
          byte[] bytes = new byte[(int) block.getBlockSize()];
          in.readFully(block.getStartOffset(), bytes);
          stored.put(block.getBlock().getBlockId(), new Stored(block.getLocations(), bytes));
        }
      }
    }
    return stored;
  }

  /** The parity files that there are, by inode. */
  private static Map<Long, Path> parityFiles(RackCluster cluster) throws IOException {
    Map<Long, Path> found = new HashMap<>();
    var files = cluster.fs().listFiles(new Path("/.rackweave/parity"), true);
    while (files.hasNext()) {
      FileStatus file = files.next();
      found.put(
          cluster.fs().getClient().getFileInfo(file.getPath().toUri().getPath()).getFileId(),
          file.getPath());
    }
    return found;
  }

  private static void assertSound(
      EncodedStripes.Stripe stripe, Map<Long, Stored> data, Path parity, RackCluster cluster)
      throws IOException {
    StripeRecord record = stripe.record();
    List<Stored> blocks = new ArrayList<>();
    for (StripeRecord.Member member : record.members()) {
      blocks.add(data.get(member.blockId()));
      assertEquals(member.lengthBytes(), data.get(member.blockId()).bytes().length);
    }
    List<Stored> made =
        new ArrayList<>(
            stored(cluster, Set.of(parity)).entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList());
    assertEquals(3, made.size());
    blocks.addAll(made);
    Set<String> nodes = new HashSet<>();
    Map<String, Integer> inRack = new HashMap<>();
    for (Stored block : blocks) {
      if (block.nodes().length == 1) {
        DatanodeInfo node = block.nodes()[0];
        assertTrue(nodes.add(node.getDatanodeUuid()), "two blocks on one node: " + record);
        inRack.merge(node.getNetworkLocation(), 1, Integer::sum);
      }
    }
    inRack.forEach((rack, count) -> assertTrue(count <= RACK_LIMIT, rack + " has " + count));
    assertParity(record, blocks);
  }

  private static void assertParity(StripeRecord record, List<Stored> blocks) throws IOException {
    int members = record.members().size();
    int length = (int) record.parityBytes();
    ByteBuffer[] data = new ByteBuffer[6];
    for (int i = 0; i < 6; i++) {
      data[i] = ByteBuffer.wrap(i < members ? blocks.get(i).bytes() : new byte[0]);
    }
    ByteBuffer[] parity = new ByteBuffer[3];
    Arrays.setAll(parity, i -> ByteBuffer.allocate(length));
    new MatrixCoder(new ReedSolomonCode(6, 3), new JavaArithmetic()).encode(data, parity, length);
    for (int i = 0; i < 3; i++) {
      byte[] stored = blocks.get(members + i).bytes(); // with checksums behind it
      assertArrayEquals(parity[i].array(), Arrays.copyOf(stored, length), "parity " + i);
    }
  }

  private static void assertAllSound(RackCluster cluster, Map<Path, byte[]> files)
      throws IOException {
    Map<Long, Stored> data = stored(cluster, files.keySet());
    Map<Long, Path> parity = parityFiles(cluster);
    EncodedStripes encoded = cluster.context().stripes().encoded();
    Set<Long> stripes = new HashSet<>();
    for (long block : data.keySet()) {
      Optional<EncodedStripes.Stripe> stripe = encoded.of(block);
      if (stripe.isPresent() && stripes.add(stripe.get().parityFile())) {
        assertSound(stripe.get(), data, parity.get(stripe.get().parityFile()), cluster);
      }
    }
    assertEquals(
        stripes, parity.keySet(), () -> "no parity of no stripe " + parity + refusals(cluster));
    assertEquals(stripes.size(), encoded.stripeCount());
    assertEquals(0, encoded.unreadableCount());
    assertAllReadBack(cluster, files);
  }

  private static void assertAllReadBack(RackCluster cluster, Map<Path, byte[]> files)
      throws IOException {
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      assertArrayEquals(file.getValue(), DFSTestUtil.readFileAsBytes(cluster.fs(), file.getKey()));
    }
  }

  @Test
  void filesBecomeStripesAndARestartKnowsThem() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      awaitEncoded(cluster, files.keySet());
      assertAllSound(cluster, files);
      int stripes = cluster.context().stripes().encoded().stripeCount();
      int blocks = cluster.context().stripes().encoded().blockCount();
      assertTrue(blocks >= ALL_BLOCKS - NINE_RACKS.length, blocks + " blocks are encoded");
      assertStripesCountForTheirBlocks();
      cluster.mini().restartNameNode(true);
      RackCluster.await("stripes are known again", () -> knows(cluster, stripes));
      assertAllSound(cluster, files);
      assertEquals(blocks, cluster.context().stripes().encoded().blockCount());
    }
  }

  /** Encoded blocks and parity have one replica, which is not all there is of them. */
  private static void assertStripesCountForTheirBlocks() throws IOException {
    JsonNode now = ask("durability");
    assertEquals("exact", now.get("basis").asText(), now::toString);
    assertEquals(0, now.get("blocks_on_one_replica").asInt(), now::toString);
    for (String deaths : List.of("one_death", "two_deaths", "rack_death")) {
      assertEquals(0, now.get(deaths).get("worst_blocks").asInt(), now::toString);
      assertEquals(0, now.get(deaths).get("stripes").asInt(), now::toString);
    }
    int rebuilt = 0;
    for (int rack = 0; rack < NINE_RACKS.length; rack++) {
      JsonNode what = ask("whatif", "rack=/r" + rack).get("whatif");
      assertEquals(0, what.get("blocks_lost").asInt(), what::toString);
      assertEquals(0, what.get("stripes_undecodable").asInt(), what::toString);
      assertEquals(0, what.get("stripes_without_spare").asInt(), what::toString);
      rebuilt += what.get("stripe_blocks_to_rebuild").asInt();
    }
    assertTrue(rebuilt > 0, rebuilt + " blocks to rebuild, of whole files and of parity");
  }

  private static JsonNode ask(String... words) throws IOException {
    RefreshResponse response =
        RefreshRegistry.defaultRegistry().dispatch("rackweave-recovery", words).iterator().next();
    assertEquals(0, response.getReturnCode(), response.getMessage());
    return new ObjectMapper().readTree(response.getMessage());
  }

  @Test
  void whatThreeDataNodesTakeWithThemIsMadeAgain() throws Exception {
    Configuration conf = conf();
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    try (RackCluster cluster = RackCluster.start(conf, NINE_RACKS).awaitCoverage()) {
      Map<Path, byte[]> files = write(cluster);
      awaitEncoded(cluster, files.keySet());
      Random random = new Random(SEED);
      // Of three racks, so that a block not encoded keeps a replica; from behind, as they number
      // on.
      random
          .ints(0, NINE_RACKS.length)
          .distinct()
          .limit(3)
          .boxed()
          .sorted(Comparator.reverseOrder())
          .forEach(rack -> cluster.mini().stopDataNode(2 * rack + random.nextInt(2)));
      BlockManager blocks = cluster.mini().getNamesystem().getBlockManager();
      StripeRegistry registry = cluster.context().stripes();
      try {
        RackCluster.await(
            "three are gone and nothing is missing",
            () ->
                cluster.mini().getNamesystem().getNumLiveDataNodes() == NODES - 3
                    && registry.counts().blocksRepaired() > 0
                    && blocks.getMissingBlocksCount() == 0);
      } catch (AssertionError e) {
        throw new AssertionError(
            "seed "
                + SEED
                + ": missing "
                + blocks.getMissingBlocksCount()
                + ", repaired "
                + registry.counts().blocksRepaired()
                + ", failed "
                + registry.counts().repairsFailed()
                + ", decodable "
                + registry.counts().decodable()
                + ", lost "
                + registry.counts().lost(),
            e);
      }
      assertAllReadBack(cluster, files);
    }
  }

  @Test
  void encodesWhatIsOldQuietAndLargeEnoughAndNothingElse() throws Exception {
    Configuration conf = conf();
    conf.set(
        ConfiguredRules.CODES,
        "/warehouse=rs-6-3 size=256k, /warehouse/young=rs-6-3 age=1d, /warehouse/read=rs-6-3"
            + " quiet=1d");
    conf.setLong(DFSConfigKeys.DFS_NAMENODE_ACCESSTIME_PRECISION_KEY, 1);
    try (RackCluster cluster = RackCluster.start(conf, NINE_RACKS).awaitCoverage()) {
      Path large = cluster.write("/warehouse/large", 24, 3);
      Path small = cluster.write("/warehouse/small", 3, 3);
      Path young = cluster.write("/warehouse/young/a", 12, 3);
      Path read = cluster.write("/warehouse/read/a", 12, 3);
      Path forgotten = cluster.write("/warehouse/read/b", 12, 3);
      long twoDaysAgo = System.currentTimeMillis() - 2 * 24 * 3600_000L;
      cluster.fs().setTimes(read, twoDaysAgo, System.currentTimeMillis());
      cluster.fs().setTimes(forgotten, twoDaysAgo, twoDaysAgo);
      StripeRegistry registry = cluster.context().stripes();
      long searches = registry.searchCount();
      // A rack may be left with a block that no other can join. Nobody may ask for the blocks of
      // the file that is to be quiet, as that is a read.
      RackCluster.await(
          "what may be is encoded, and everything was looked for again",
          () ->
              registry.searchCount() > searches + 3
                  && registry.encoded().blockCount() >= 24 + 12 - NINE_RACKS.length);
      assertTrue(encodedBlocks(cluster, large) > 0);
      assertTrue(encodedBlocks(cluster, forgotten) > 0);
      assertEquals(0, encodedBlocks(cluster, small));
      assertEquals(0, encodedBlocks(cluster, young));
      assertEquals(0, encodedBlocks(cluster, read));
    }
  }

  private static long encodedBlocks(RackCluster cluster, Path file) {
    try {
      return DFSTestUtil.getAllBlocks(cluster.fs(), file).stream()
          .filter(block -> isEncoded(cluster, block))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean knows(RackCluster cluster, int stripes) {
    StripeRegistry registry = cluster.context() == null ? null : cluster.context().stripes();
    return registry != null
        && registry.encoded().stripeCount() == stripes
        && registry.searchCount() > 0;
  }
}
