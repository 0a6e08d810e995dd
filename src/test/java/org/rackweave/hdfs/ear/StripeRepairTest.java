package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRecord;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.EarConfig;
import org.rackweave.hdfs.ear.BlockLookup.MissingBlocks;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.ear.BlockLookup.StoredFile;
import org.rackweave.hdfs.work.DecodeTask;
import org.rackweave.hdfs.work.SearchTask;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkQueue;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

/** Which stripes are repaired when: rs-4-3 in ten racks of two, with stripes 0, 1, and so on. */
class StripeRepairTest {
  private static final ErasureCode CODE = new ErasureCode(4, 3);
  private static final int RACKS = 10;
  private static final int NODES_PER_RACK = 2;
  private static final long BLOCK_BYTES = 1 << 20;
  private static final long BYTES_PER_SEC = 123_456;
  private static final long NOW_MS = 1_000;

  /** Longer than any test. */
  private static final long STALE_MS = 3_600_000;

  /** Ids are a stripe's number and the block's in it. */
  private static final long IDS_PER_STRIPE = 100;

  private static final long PARITY_FILE = 1_000_000;

  private final ClusterView nodes = nodes();
  private final EncodedStripes encoded = new EncodedStripes();
  private final EncodingCounts counts = new EncodingCounts();
  private final WorkQueue commands = new WorkQueue("DataNode", 60_000, 1);
  private final Map<Long, StoredBlock> blocks = new HashMap<>();
  private final Map<Long, StoredFile> files = new HashMap<>();
  private Predicate<DatanodeDescriptor> haveDisks = any -> true;

  /** Has a DataNode not have been heard of for so long that it may be dead. */
  static void silence(DatanodeDescriptor node) {
    node.setLastUpdateMonotonic(Time.monotonicNow() - STALE_MS - 1);
  }

  /** DataNodes in service, two in each of ten racks. */
  static ClusterView nodes() {
    List<NodePlace> places = new ArrayList<>();
    List<DatanodeDescriptor> descriptors = new ArrayList<>();
    for (int node = 0; node < RACKS * NODES_PER_RACK; node++) {
      String rack = "/r" + node / NODES_PER_RACK;
      DatanodeDescriptor descriptor =
          new DatanodeDescriptor(
              new DatanodeID("10.0.0." + node, "host" + node, "uuid" + node, 1, 2, 3, 4), rack);
      descriptor.setAlive(true);
      descriptor.setLastUpdateMonotonic(Time.monotonicNow());
      descriptor.setRemaining(100 * BLOCK_BYTES);
      descriptors.add(descriptor);
      places.add(new NodePlace("uuid" + node, rack, null));
    }
    ClusterTopology topology = ClusterTopology.of(places);
    DatanodeDescriptor[] byNumber = new DatanodeDescriptor[descriptors.size()];
    Map<org.apache.hadoop.net.Node, Integer> numbers = new IdentityHashMap<>();
    for (DatanodeDescriptor one : descriptors) {
      for (int number = 0; number < byNumber.length; number++) {
        if (topology.nodeName(number).equals(one.getDatanodeUuid())) {
          byNumber[number] = one;
          numbers.put(one, number);
        }
      }
    }
    return ClusterViews.of(topology, byNumber, numbers, STALE_MS);
  }

  private static EarConfig config(int concurrent) {
    Configuration conf = new Configuration(false);
    conf.set(ConfiguredRules.CODES, "/=" + CODE.name());
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=1");
    conf.setInt(ConfigKeys.EAR_REPAIR_CONCURRENT, concurrent);
    conf.setLong(ConfigKeys.EAR_ENCODE_BYTES_PER_SEC, BYTES_PER_SEC);
    return EarConfig.from(conf);
  }

  private StripeRepair repair(int concurrent) throws IOException {
    BlockLookup lookup = mock(BlockLookup.class);
    when(lookup.missing(anyInt(), anyInt()))
        .then(
            asked ->
                new MissingBlocks(
                    blocks.values().stream().filter(one -> one.replicas().isEmpty()).toList(),
                    true));
    when(lookup.blocks(anyList()))
        .then(
            asked -> {
              List<StoredBlock> found = new ArrayList<>();
              asked.<List<Long>>getArgument(0).forEach(id -> found.add(blocks.get(id)));
              return found;
            });
    when(lookup.file(anyLong())).then(asked -> files.get(asked.<Long>getArgument(0)));
    when(lookup.storageOn(any(), any(), anyLong()))
        .then(
            asked ->
                Optional.of(new BlockLookup.Storage(StorageType.DISK, "disk"))
                    .filter(disk -> haveDisks.test(asked.getArgument(0))));
    ParityFiles parityFiles = mock(ParityFiles.class);
    when(parityFiles.isParity(any()))
        .then(asked -> asked.<String>getArgument(0).startsWith("/parity"));
    when(parityFiles.recordAt(any()))
        .then(
            asked ->
                Optional.of(record(Integer.parseInt(asked.<String>getArgument(0).substring(7)))));
    WithheldReplicas withheld =
        new WithheldReplicas(
            () -> true,
            block -> blocks.get(block.getBlockId()) == null,
            lookup,
            id -> {},
            id -> {});
    StripeCommands stripeCommands = new StripeCommands(commands, "pool");
    return new StripeRepair(
        new EncodedView(
            () -> config(concurrent), lookup, encoded, withheld, () -> true, () -> nodes),
        parityFiles,
        counts,
        stripeCommands,
        new ReplicaSearch(stripeCommands, withheld));
  }

  private static StripeRecord record(int stripe) {
    List<StripeRecord.Member> members = new ArrayList<>();
    for (int block = 0; block < CODE.dataBlocks(); block++) {
      members.add(
          new StripeRecord.Member(
              stripe * IDS_PER_STRIPE + block, 1, BLOCK_BYTES, PARITY_FILE + stripe + 1000, 3));
    }
    return new StripeRecord(CODE, 1, members);
  }

  /** A stripe with a block in each of seven racks, but those that are missing. */
  private void stripe(int stripe, int... missing) {
    List<Long> parity = new ArrayList<>();
    for (int block = 0; block < CODE.blocks(); block++) {
      long id = stripe * IDS_PER_STRIPE + block;
      int node = (stripe + block) % RACKS * NODES_PER_RACK;
      blocks.put(id, stored(id, nodes.datanodes()[node]));
      if (block >= CODE.dataBlocks()) {
        parity.add(id);
      }
    }
    String path = "/parity" + stripe;
    files.put(
        PARITY_FILE + stripe,
        new StoredFile(
            PARITY_FILE + stripe,
            path,
            1,
            1,
            "",
            false,
            BLOCK_BYTES,
            0,
            0,
            0,
            ReplicaMark.NONE,
            false,
            parity));
    encoded.add(PARITY_FILE + stripe, record(stripe));
    for (int block : missing) {
      long id = stripe * IDS_PER_STRIPE + block;
      blocks.put(id, stored(id));
    }
  }

  private static StoredBlock stored(long id, DatanodeDescriptor... replicas) {
    long stripe = id / IDS_PER_STRIPE;
    long file =
        id % IDS_PER_STRIPE < CODE.dataBlocks()
            ? PARITY_FILE + stripe + 1000
            : PARITY_FILE + stripe;
    return new StoredBlock(
        id, 1, BLOCK_BYTES, file, true, 1, List.of(replicas), List.of(), List.of());
  }

  /** Orders that DataNodes are told of, by these DataNodes. */
  private Map<DatanodeDescriptor, List<WorkOrder>> ordered() throws IOException {
    Map<DatanodeDescriptor, List<WorkOrder>> ordered = new HashMap<>();
    for (DatanodeDescriptor node : nodes.datanodes()) {
      byte[] reply = commands.heard(node.getDatanodeUuid(), null, NOW_MS);
      if (reply != null) {
        ordered.put(node, WorkCodec.reply(reply).orders());
      }
    }
    return ordered;
  }

  private static int stripeOf(WorkOrder order) {
    DecodeTask task = (DecodeTask) order.task();
    return (int) (task.wanted().get(0).block().getBlock().getBlockId() / IDS_PER_STRIPE);
  }

  private List<Integer> stripesOrdered() throws IOException {
    return ordered().values().stream()
        .flatMap(List::stream)
        .map(StripeRepairTest::stripeOf)
        .sorted()
        .toList();
  }

  /** DataNodes do all that there is for them, a heartbeat's worth at a time. */
  private List<Integer> doAll() throws IOException {
    List<Integer> all = new ArrayList<>();
    for (List<Integer> done = doOrdered(); !done.isEmpty(); done = doOrdered()) {
      all.addAll(done);
    }
    return all;
  }

  /** DataNodes do what they were told, and HDFS hears of it. */
  private List<Integer> doOrdered() throws IOException {
    List<Integer> done = new ArrayList<>();
    for (Map.Entry<DatanodeDescriptor, List<WorkOrder>> one : ordered().entrySet()) {
      List<WorkReport> reports = new ArrayList<>();
      for (WorkOrder order : one.getValue()) {
        done.add(stripeOf(order));
        for (var unit : ((DecodeTask) order.task()).wanted()) {
          long id = unit.block().getBlock().getBlockId();
          String target = unit.block().getLocations()[0].getDatanodeUuid();
          for (DatanodeDescriptor node : nodes.datanodes()) {
            if (node.getDatanodeUuid().equals(target)) {
              blocks.put(id, stored(id, node));
            }
          }
        }
        reports.add(new WorkReport(order.id(), WorkReport.State.DONE, 0, ""));
      }
      commands.heard(one.getKey().getDatanodeUuid(), WorkCodec.encode(reports), NOW_MS);
    }
    return done;
  }

  @Test
  void whatIsMissingIsBegunAtTheNextLook() throws Exception {
    stripe(0, 2);
    stripe(1, 0, 5);
    stripe(2, 6); // parity
    stripe(3);
    stripe(4, 0, 1, 2, 3);
    StripeRepair repair = repair(8);
    repair.look(NOW_MS);
    assertEquals(List.of(0, 1, 2), stripesOrdered());
    assertEquals(3, counts.decodable());
    assertEquals(1, counts.lost());
    doAll();
    assertEquals(4, counts.blocksRepaired());
    repair.look(NOW_MS);
    assertEquals(List.of(), stripesOrdered());
    assertEquals(0, counts.decodable());
  }

  /** After a restart HDFS does not say who has them. */
  @Test
  void whatCanOnlyBeMadeWithDeletedBlocksIsMadeOnceTheseAreFound() throws Exception {
    stripe(0, 0, 5, 6);
    blocks.remove(1L);
    DatanodeDescriptor holder = nodes.datanodes()[3];
    StripeRepair repair = repair(8);
    repair.look(NOW_MS);
    assertEquals(1, counts.lost());
    Map<DatanodeDescriptor, List<WorkOrder>> asked = ordered();
    assertEquals(Set.of(nodes.datanodes()), asked.keySet());
    for (Map.Entry<DatanodeDescriptor, List<WorkOrder>> each : asked.entrySet()) {
      WorkOrder order = each.getValue().get(0);
      long id = ((SearchTask) order.task()).blocks().get(0).getBlock().getBlockId();
      assertEquals(1, id);
      long bytes = each.getKey() == holder ? BLOCK_BYTES : 0;
      WorkReport found = new WorkReport(order.id(), WorkReport.State.DONE, 0, "", List.of(bytes));
      commands.heard(each.getKey().getDatanodeUuid(), WorkCodec.encode(List.of(found)), NOW_MS);
    }
    repair.look(NOW_MS);
    assertEquals(0, counts.lost());
    DecodeTask task = (DecodeTask) ordered().values().iterator().next().get(0).task();
    assertTrue(
        task.sources().stream()
            .map(StripeUnit::block)
            .anyMatch(
                block ->
                    block.getBlock().getBlockId() == 1 && block.getLocations()[0].equals(holder)));
  }

  @Test
  void aDataNodeThatLacksTheStorageIsPassedOver() throws Exception {
    stripe(0, 2);
    DatanodeDescriptor only = nodes.datanodes()[RACKS * NODES_PER_RACK - 1];
    haveDisks = only::equals;
    repair(8).look(NOW_MS);
    assertEquals(Set.of(only), ordered().keySet());
    assertEquals(0, counts.repairsFailed());
  }

  @Test
  void nothingIsMadeAgainOnASilentDataNode() throws Exception {
    stripe(0, 2);
    DatanodeDescriptor only = nodes.datanodes()[RACKS * NODES_PER_RACK - 1];
    haveDisks = only::equals;
    silence(only);
    repair(8).look(NOW_MS);
    assertEquals(Map.of(), ordered());
  }

  @Test
  void aRepairForWhichNoDataNodeHasStorageIsCountedAndTriedAgain() throws Exception {
    stripe(0, 2);
    haveDisks = any -> false;
    StripeRepair repair = repair(8);
    repair.look(NOW_MS);
    assertEquals(List.of(), stripesOrdered());
    assertEquals(1, counts.repairsFailed());
    haveDisks = any -> true;
    repair.look(NOW_MS);
    assertEquals(List.of(0), stripesOrdered());
  }

  @Test
  void thoseWithTheFewestSurvivorsComeFirst() throws Exception {
    stripe(0, 2);
    stripe(1, 0, 5);
    stripe(2, 1, 4, 6);
    StripeRepair repair = repair(1);
    for (int expected : List.of(2, 1, 0)) {
      repair.look(NOW_MS);
      repair.look(NOW_MS); // there is no room for another
      assertEquals(List.of(expected), doAll());
    }
  }

  @Test
  void manyAreRepairedInTheOrderOfTheirSurvivorsAFewAtATime() throws Exception {
    long seed = 20261122;
    SplittableRandom random = new SplittableRandom(seed);
    int concurrent = 4;
    Map<Integer, Integer> missing = new HashMap<>();
    for (int stripe = 0; stripe < 40; stripe++) {
      int[] lost = random.ints(0, CODE.blocks()).distinct().limit(random.nextInt(4)).toArray();
      stripe(stripe, lost);
      missing.put(stripe, lost.length);
    }
    missing.values().removeIf(count -> count == 0);
    StripeRepair repair = repair(concurrent);
    int fewest = CODE.parityBlocks();
    while (!missing.isEmpty()) {
      repair.look(NOW_MS);
      List<Integer> begun = doAll();
      assertEquals(Math.min(concurrent, missing.size()), begun.size(), "seed " + seed);
      int most = 0;
      for (int stripe : begun) {
        most = Math.max(most, missing.get(stripe));
        assertTrue(missing.remove(stripe) <= fewest, "seed " + seed);
      }
      int left = missing.values().stream().mapToInt(Integer::intValue).max().orElse(0);
      assertTrue(left <= most, "seed " + seed + ": one with fewer survivors was left");
      fewest = most;
    }
  }

  @Test
  void aStripeThatSomebodySawDamagedIsBegunAtTheNextLookWhateverHdfsLists() throws Exception {
    stripe(0, 2);
    StoredBlock unlisted = blocks.remove(2L);
    StripeRepair repair = repair(8);
    repair.look(NOW_MS);
    assertEquals(List.of(), stripesOrdered());
    repair.suspect(new EncodedStripes.Stripe(record(0), PARITY_FILE));
    blocks.put(2L, unlisted);
    repair.look(NOW_MS);
    assertEquals(List.of(0), stripesOrdered());
  }

  @Test
  void whoeverDecodesIsToldTheLimit() throws Exception {
    stripe(0, 2);
    repair(8).look(NOW_MS);
    List<WorkOrder> orders = ordered().values().stream().flatMap(List::stream).toList();
    assertFalse(orders.isEmpty());
    assertEquals(BYTES_PER_SEC, orders.get(0).task().bytesPerSec());
  }
}
