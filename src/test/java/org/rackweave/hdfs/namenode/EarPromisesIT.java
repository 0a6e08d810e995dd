package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rackweave.Nightly;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.OpenStripeStatus;
import org.rackweave.ear.StripeRules;
import org.rackweave.hdfs.datanode.ServedReads;

/**
 * What EAR promises, measured on a running cluster: nothing is read across racks to encode, nothing
 * is moved, storage falls, and what the code promises to survive is survived, with stock placement
 * beside it. Both codes; {@code -Drackweave.test.promises.seeds} sets how many sets of DataNodes
 * and of racks each.
 */
@Nightly
class EarPromisesIT {
  private static final long FIRST_SEED = 20261121;
  private static final int FILES = 30;
  private static final int MORE_FILES_MAX = 300;

  private static Stream<StripeRules> rules() {
    StripeRules wide = StripeRules.of(ErasureCode.named("rs-6-3"));
    StripeRules narrow = StripeRules.of(ErasureCode.named("rs-4-2"));
    return Stream.of(wide, narrow);
  }

  @ParameterizedTest
  @MethodSource("rules")
  void encodesInsideRacksMovesNothingAndSurvivesWhatItsCodePromises(StripeRules rules)
      throws Exception {
    MixedFiles files = new MixedFiles(FIRST_SEED);
    PromiseTables tables = new PromiseTables(rules);
    try (EarRig rig = EarRig.start(rules)) {
      write(rig, files);
      tables.ear(encode(rig, files));
      for (long seed = FIRST_SEED; seed < FIRST_SEED + seeds(); seed++) {
        tables.outage(Outage.ofNodes(rig, files, rules.nodeFailures(), seed));
        tables.outage(Outage.ofRacks(rig, files, rules.rackFailures(), seed));
      }
    }
    tables.stock(stock(files, rules));
    System.out.println(tables.text());
    assertTrue(tables.readsAcrossRacksToDecode() > 0, "what measures racks knows several");
  }

  private static int seeds() {
    return Integer.getInteger("rackweave.test.promises.seeds", 5);
  }

  /** Files, and as many more as it takes until no block is in a stripe that is not worth parity. */
  private static void write(EarRig rig, MixedFiles files) throws Exception {
    files.write(rig.fs(), FILES);
    while (!openStripes(rig).stream().allMatch(OpenStripeStatus::isWorthParity)) {
      assertTrue(files.count() < FILES + MORE_FILES_MAX, () -> "open: " + openStripes(rig));
      files.writeOne(rig.fs(), RackCluster.BLOCK_BYTES - files.count());
    }
    RackCluster.await(
        "three replicas of all",
        () ->
            blocks(rig, files).stream().allMatch(block -> block.getLocations().length == 3)
                && rig.storedBytes() == 3 * files.bytes());
  }

  private static List<OpenStripeStatus> openStripes(EarRig rig) {
    return rig.cluster().context().stripes().openStatus();
  }

  private static List<LocatedBlock> blocks(EarRig rig, MixedFiles files) {
    try {
      return files.blocks(rig.fs());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Encodes all of it and holds it to its promises. */
  private static PromiseTables.Ear encode(EarRig rig, MixedFiles files) throws IOException {
    Map<Long, Set<String>> placed = new HashMap<>();
    Map<Long, Long> lengths = new HashMap<>();
    for (LocatedBlock block : blocks(rig, files)) {
      placed.put(block.getBlock().getBlockId(), nodesOf(block));
      lengths.put(block.getBlock().getBlockId(), block.getBlockSize());
    }
    long sentBefore = rig.sentBytes();
    JsonNode said;
    TreeMap<String, Long> bytesByRack;
    long acrossRacks;
    try (ServedReads reads = new ServedReads()) {
      said = rig.run(EarCommand::encode, "--path", "/warehouse");
      assertEquals(0, said.get("left_blocks").asLong(), said::toString);
      RackCluster.await(
          "all reads of data are traced",
          () -> ofData(reads, lengths).size() >= lengths.size(),
          said::toString);
      bytesByRack = bytesByRack(ofData(reads, lengths), rig.racks(), lengths);
      acrossRacks = bytesAcrossRacks(ofData(reads, lengths), rig.racks(), lengths);
    }
    assertEquals(files.bytes(), bytesByRack.values().stream().mapToLong(Long::longValue).sum());
    long sent = lengths.values().stream().mapToLong(EarRig::sentFor).sum();
    long sentToVerify = rig.stripes(files).stream().mapToLong(EarPromisesIT::sentToVerify).sum();
    assertEquals(sent + sentToVerify, rig.sentBytes() - sentBefore, "by HDFS's own metrics");
    assertEquals(0, acrossRacks, "bytes read across racks, as HDFS traced them");
    assertEquals(files.bytes(), said.get("bytes_read_in_rack").asLong());
    assertEquals(0, said.get("bytes_read_across_racks").asLong());
    return standing(rig, files, placed, bytesByRack, acrossRacks);
  }

  /** Parity is read back where it is stored, and its trailer by itself. */
  private static long sentToVerify(PlacedStripe stripe) {
    long parityBytes = EarRig.bytesOfLongest(stripe.data());
    return stripe.parity().stream()
        .mapToLong(
            block ->
                EarRig.sentFor(0, parityBytes, block.getBlockSize())
                    + EarRig.sentFor(parityBytes, block.getBlockSize(), block.getBlockSize()))
        .sum();
  }

  private static List<ServedReads.Read> ofData(ServedReads reads, Map<Long, Long> lengths) {
    return reads.reads().stream().filter(read -> lengths.containsKey(read.blockId())).toList();
  }

  private static Set<String> nodesOf(LocatedBlock block) {
    return Arrays.stream(block.getLocations())
        .map(DatanodeInfo::getDatanodeUuid)
        .collect(Collectors.toSet());
  }

  private static TreeMap<String, Long> bytesByRack(
      List<ServedReads.Read> reads, Map<String, String> racks, Map<Long, Long> lengths) {
    TreeMap<String, Long> bytes = new TreeMap<>();
    for (ServedReads.Read read : reads) {
      bytes.merge(racks.get(read.datanodeUuid()), lengths.get(read.blockId()), Long::sum);
    }
    return bytes;
  }

  private static long bytesAcrossRacks(
      List<ServedReads.Read> reads, Map<String, String> racks, Map<Long, Long> lengths) {
    return reads.stream()
        .filter(read -> !racks.get(read.datanodeUuid()).equals(EarRig.rackOfReader(read)))
        .mapToLong(read -> lengths.get(read.blockId()))
        .sum();
  }

  /** Looks where everything is once surplus replicas are gone. */
  private static PromiseTables.Ear standing(
      EarRig rig,
      MixedFiles files,
      Map<Long, Set<String>> placed,
      TreeMap<String, Long> bytesByRack,
      long acrossRacks) {
    RackCluster.await(
        "one replica of each",
        () -> rig.stripes(files).stream().allMatch(stripe -> stripe.haveReplicas(1, 1)));
    List<PlacedStripe> stripes = rig.stripes(files);
    long parityBytes = stripes.stream().mapToLong(PlacedStripe::parityBytes).sum();
    RackCluster.await(
        "DataNodes have deleted the others",
        () -> rig.storedBytes() == files.bytes() + parityBytes);
    int relocated = 0;
    int crowded = 0;
    int blocks = 0;
    for (PlacedStripe stripe : stripes) {
      boolean isWithin =
          stripe.inFullestRack() <= rig.rules().rackLimit() && stripe.areNodesDistinct();
      crowded += isWithin ? 0 : 1;
      for (LocatedBlock block : stripe.data()) {
        blocks++;
        Set<String> before = placed.get(block.getBlock().getBlockId());
        relocated += before.containsAll(nodesOf(block)) ? 0 : 1;
      }
    }
    assertEquals(placed.size(), blocks, "all blocks are in stripes");
    assertEquals(0, relocated, "blocks that are where they were not written");
    assertEquals(0, crowded, "stripes with more than c blocks in a rack, or two on a node");
    JsonNode audit = rig.run(EarCommand::stripes, "--audit");
    assertEquals(stripes.size(), audit.get("sound_stripes").asInt(), audit::toString);
    return new PromiseTables.Ear(
        files.count(),
        blocks,
        stripes.size(),
        files.bytes(),
        parityBytes,
        rig.storedBytes(),
        bytesByRack,
        acrossRacks,
        crowded,
        relocated);
  }

  /** The same files where HDFS alone puts their replicas. */
  private static StockStripes stock(MixedFiles files, StripeRules rules) throws Exception {
    try (RackCluster cluster = RackCluster.start(RackCluster.stockConf(), EarRig.NODES_BY_RACK)) {
      files.writeAgain(cluster.fs());
      List<LocatedBlock> blocks = new ArrayList<>();
      RackCluster.await(
          "three replicas of all",
          () -> {
            blocks.clear();
            try {
              blocks.addAll(files.blocks(cluster.fs()));
            } catch (IOException e) {
              throw new AssertionError(e);
            }
            return blocks.stream().allMatch(block -> block.getLocations().length == 3);
          });
      StockStripes stock = StockStripes.of(blocks, cluster.fs(), rules, FIRST_SEED);
      assertEquals(files.bytes(), stock.dataBytes());
      assertTrue(stock.readAcrossRacksBytes() > 0, stock::toString);
      if (rules.code().blocks() >= EarRig.NODES_BY_RACK.length) {
        assertViolates(blocks, cluster.fs(), rules); // with racks to spare it may be lucky
      }
      return stock;
    }
  }

  /** Two dozen stripes may be lucky; the same blocks grouped otherwise a hundred times are not. */
  private static void assertViolates(
      List<LocatedBlock> blocks, DistributedFileSystem fs, StripeRules rules) throws IOException {
    List<LocatedBlock> shuffled = new ArrayList<>(blocks);
    long violations = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + 100; seed++) {
      Collections.shuffle(shuffled, new Random(seed));
      violations += StockStripes.of(shuffled, fs, rules, seed).violations();
    }
    assertTrue(violations > 0, "none in 100 groupings from seed " + FIRST_SEED);
  }
}
