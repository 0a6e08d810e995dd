package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManagerTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.hdfs.durability.Survey;
import org.rackweave.history.EventLog;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.rackweave.telemetry.NetworkSettings;

/** Three DataNodes in racks of their own, of which the first has all blocks. */
class RecoverySlotsTest {
  private static final long SLOT_MS = 15_000;
  private static final long HEARTBEAT_MS = 3_000;
  private static final long T0 = 1_000_000;
  private static final long BLOCK_BYTES = 1000;

  /** Three quarters of it, ten blocks in a slot, are for recovery. */
  private static final double LINK_BYTES_PER_SEC = 10 * BLOCK_BYTES / 15.0 / 0.75;

  private static final int IN_A_SLOT = 10;

  /** Six are done in three heartbeats, and one more waits. */
  private static final int ORDERED = 7;

  private final DatanodeDescriptor[] nodes = new DatanodeDescriptor[3];
  private final FakeQueue queue = new FakeQueue();
  private final RecoveryCounts counts = new RecoveryCounts();
  private final CopyLimits limits = new CopyLimits(() -> 2, 3, () -> 64);
  private final StocksShare share = new StocksShare(queue, counts, HEARTBEAT_MS);
  private final RunningCopies running = new RunningCopies(queue, counts, limits, share, 30_000);
  private Predicate<WaitingBlock> held = block -> false;
  private double portion = 1;
  private RecoveryCluster cluster;

  @BeforeEach
  void bringUp() {
    List<NodePlace> places = new ArrayList<>();
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = DFSTestUtil.getDatanodeDescriptor("10.0.0." + (i + 1), "/r" + i);
      nodes[i].setAlive(true);
      BlockManagerTestUtil.updateStorage(
          nodes[i], new DatanodeStorage("s" + i, DatanodeStorage.State.NORMAL, StorageType.DISK));
      nodes[i].getStorageInfo("s" + i).setUtilizationForTesting(1 << 30, 0, 1 << 30, 0);
      places.add(new NodePlace(nodes[i].getXferAddr(), "/r" + i, null));
    }
    ClusterTopology topology = ClusterTopology.of(places);
    LinkSnapshot.Builder links =
        new LinkSnapshot.Builder(topology, new NetworkSettings(0, 1, 1e9, HEARTBEAT_MS, 1), 0);
    Map<Node, Integer> numbers = new IdentityHashMap<>();
    for (int i = 0; i < nodes.length; i++) {
      links.host(i, LinkSource.MEASURED, LINK_BYTES_PER_SEC, 0, 0, 1, 0).storage(i, 0.5);
      numbers.put(nodes[i], i);
    }
    cluster =
        new RecoveryCluster(
            ClusterViews.of(links.build(), nodes, numbers), Mode.ACTIVE, false, false, 0, false);
  }

  private static DayuConfig config(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return DayuConfig.from(conf).withDelays(2 * HEARTBEAT_MS, HEARTBEAT_MS);
  }

  private RecoverySlots slots(String... keysAndValues) {
    RecoverySlots.Turn turn =
        new RecoverySlots.Turn() {
          @Override
          public void renew() {}

          @Override
          public boolean isOn() {
            return true;
          }

          @Override
          public double share() {
            return portion;
          }
        };
    DayuConfig config = config(keysAndValues);
    return new RecoverySlots(
        () -> config,
        queue,
        () -> cluster,
        new RecoverySlots.Copying(limits, running, share, counts, new EventLog(() -> 0, () -> 0)),
        turn);
  }

  /** Plans; copies begin at that moment, whatever the machine's clock says. */
  private void plan(RecoverySlots slots, long nowMs) {
    Set<Long> old = new HashSet<>();
    running.all().forEach(copy -> old.add(copy.copy().blockId()));
    slots.plan(1, nowMs, held);
    running.replace(
        running.all().stream()
            .map(
                copy ->
                    old.contains(copy.copy().blockId())
                        ? copy
                        : RunningCopy.begun(copy.copy(), nowMs))
            .toList());
  }

  @Test
  void plansWithEveryHeartbeatWhileCopiesAreUnderWay() {
    RecoverySlots slots = slots();
    queue.enqueue(1, 1);
    assertTrue(slots.isDue(T0));
    plan(slots, T0);
    assertEquals(1, running.all().size());
    assertFalse(slots.isDue(T0 + HEARTBEAT_MS - 1));
    assertTrue(slots.isDue(T0 + HEARTBEAT_MS));
    plan(slots, T0 + HEARTBEAT_MS);
    running.replace(List.of());
    plan(slots, T0 + 2 * HEARTBEAT_MS);
    assertFalse(slots.isDue(T0 + SLOT_MS), "nothing is there to do");
    queue.enqueue(1, 2);
    assertTrue(slots.isDue(T0 + SLOT_MS), "there is");
  }

  private void says(int node, String storage, long freeBytes) {
    BlockManagerTestUtil.updateStorage(
        nodes[node], new DatanodeStorage(storage, DatanodeStorage.State.NORMAL, StorageType.DISK));
    nodes[node].getStorageInfo(storage).setUtilizationForTesting(1 << 30, 0, freeBytes, 0);
  }

  @Test
  void roomThatNobodyCanHaveHoldsUpNoPlan() {
    RecoverySlots slots = slots();
    says(0, "less than none", -1);
    for (int node = 0; node < nodes.length; node++) {
      says(node, "all there is", Long.MAX_VALUE);
    }
    queue.enqueue(1, 1);
    plan(slots, T0);
    assertEquals(1, running.all().size());
  }

  @Test
  void aSourceSendsABlockToOneDataNodeAtATime() {
    RecoverySlots slots = slots();
    queue.enqueue(1, 1);
    plan(slots, T0);
    assertEquals(1, running.all().size());
    queue.enqueue(1, 1); // HDFS wants another of it
    queue.enqueue(2, 1);
    plan(slots, T0 + HEARTBEAT_MS);
    assertEquals(
        List.of(1L, 2L), running.all().stream().map(copy -> copy.copy().blockId()).toList());
    assertEquals(1, queue.waiting.size());
    assertEquals(1, slots.lastPlan().deferred());
    running.replace(List.of());
    plan(slots, T0 + 2 * HEARTBEAT_MS);
    assertEquals(1, running.all().size());
    assertEquals(0, queue.waiting.size());
  }

  @Test
  void aLinkThatHasBecomeFreeIsNotIdleUntilTheSlotEnds() {
    RecoverySlots slots = slots();
    for (int block = 1; block <= 30; block++) {
      queue.enqueue(block, 1);
    }
    plan(slots, T0);
    assertEquals(ORDERED, running.all().size());
    assertEquals(30 - ORDERED, queue.waiting.size());
    // Most of them are done long before it is over.
    running.replace(running.all().subList(0, 3));
    plan(slots, T0 + HEARTBEAT_MS);
    assertTrue(running.all().size() > ORDERED - 2, () -> running.all().toString());
    assertEquals(30 - (ORDERED - 3) - running.all().size(), queue.waiting.size());
    double rates = running.all().stream().mapToDouble(RunningCopy::bytesPerSec).sum();
    assertEquals(0.75 * LINK_BYTES_PER_SEC, rates, 0.1 * LINK_BYTES_PER_SEC, "it is used");
  }

  @Test
  void whatIfPlansWholeSlotsHoweverFewCopiesASourceMakesAtATime() {
    for (int block = 1; block <= 2 * IN_A_SLOT; block++) {
      queue.enqueue(block, 1);
    }
    String told = whatIf(Long.MAX_VALUE, ConfigKeys.DAYU_STREAMS_MAX, "1");
    assertTrue(told.contains("slots:2,"), told);
    assertTrue(told.contains("recovery_sec:30.0,"), told);
    assertTrue(told.contains("blocks_without_place:0,blocks_not_looked_at:0,"), told);
  }

  /** What there would be to say of the last DataNode's death. */
  private String whatIf(long planningMaxNanos, String... keysAndValues) {
    long[] ids = queue.waiting.stream().mapToLong(WaitingBlock::id).toArray();
    Survey.Left left = new Survey.Left(ids.length, 0, 0, 0, 0, 0, 0, ids, 1, "exact");
    AdminAnswer answer = new AdminAnswer();
    new WhatIf(config(keysAndValues), cluster, queue, Set.of(nodes[2]), false, planningMaxNanos)
        .plan(left, T0, new SplittableRandom(1))
        .describe(answer);
    return answer.json().replaceAll("[\\s\"]", "");
  }

  @Test
  void whatIfDoesNotSayOfBlocksItHadNoTimeForThatTheyHaveNoPlace() {
    queue.enqueue(1, 1);
    String told = whatIf(0);
    assertTrue(told.contains("copies_planned:0,"), told);
    assertTrue(told.contains("blocks_without_place:0,blocks_not_looked_at:1,"), told);
    nodes[1].setAlive(false);
    told = whatIf(Long.MAX_VALUE);
    assertTrue(told.contains("blocks_without_place:1,blocks_not_looked_at:0,"), told);
  }

  @Test
  void whatIfMakesAsManyCopiesOfABlockAsItLacks() {
    queue.enqueue(1, 1, 2);
    assertTrue(whatIf(Long.MAX_VALUE).contains("copies_planned:1,"));
    queue.enqueue(2, 1, 3);
    String told = whatIf(Long.MAX_VALUE);
    // One goes to the only other DataNode that stays; for the next there is none.
    assertTrue(told.contains("copies_planned:2,blocks_without_place:1,"), told);
    assertTrue(told.contains("bytes:3000.0,"), told);
  }

  @Test
  void looksAtAShareOfTheQueueBetweenSlots() {
    RecoverySlots slots = slots(ConfigKeys.DAYU_BLOCKS_MAX, "20");
    for (int block = 1; block <= 60; block++) {
      queue.enqueue(block, 1);
    }
    plan(slots, T0);
    SlotPlan whole = slots.lastWholePlan();
    assertEquals(20, whole.backlog().get(1).blocks());
    plan(slots, T0 + HEARTBEAT_MS);
    assertEquals(4, slots.lastPlan().backlog().get(1).blocks(), "a fifth of a slot has passed");
    assertEquals(whole, slots.lastWholePlan());
    plan(slots, T0 + SLOT_MS);
    assertEquals(20, slots.lastWholePlan().backlog().get(1).blocks());
  }

  @Test
  void blocksThatAreHeldDoNotKeepOutTheOthersOfALongQueue() {
    RecoverySlots slots = slots(ConfigKeys.DAYU_BLOCKS_MAX, "20");
    held = block -> block.id() <= 300;
    queue.enqueue(0, 0);
    for (int block = 1; block <= 301; block++) {
      queue.enqueue(block, 2);
    }
    int slot = 0;
    while (running.all().stream().noneMatch(copy -> copy.copy().blockId() == 301)) {
      assertTrue(slot < 4, () -> "waits behind those held: " + running.all());
      plan(slots, T0 + slot++ * SLOT_MS);
    }
    assertTrue(running.all().stream().allMatch(copy -> !held.test(block(copy))));
  }

  @Test
  void urgentBlocksThatWaitForBandwidthAreReadFirstHoweverManyOthersAreHeld() {
    RecoverySlots slots = slots(ConfigKeys.DAYU_BLOCKS_MAX, "20");
    held = block -> block.id() > 100;
    for (int block = 1; block <= 15; block++) {
      queue.enqueue(block, 0);
    }
    for (int block = 101; block <= 400; block++) {
      queue.enqueue(block, 2);
    }
    for (int slot = 0; slot < 3; slot++) {
      plan(slots, T0 + slot * SLOT_MS);
      assertFalse(running.all().isEmpty(), "slot " + slot);
      running.replace(List.of());
    }
    assertEquals(300, queue.waiting.size());
  }

  /** Each part is read under the lock. */
  @Test
  void fewPartsAreReadWhereOneBlockIsWantedAndOthersAreHeld() {
    RecoverySlots slots = slots(ConfigKeys.DAYU_BLOCKS_MAX, "20");
    held = block -> block.id() > 19;
    for (int block = 1; block <= 400; block++) {
      queue.enqueue(block, 2);
    }
    plan(slots, T0);
    assertTrue(queue.parts <= 4 * 20 / 6 + 3, () -> queue.parts + " parts");
  }

  private static WaitingBlock block(RunningCopy copy) {
    return new WaitingBlock(
        copy.copy().blockId(), BLOCK_BYTES, 2, 2, 1, List.of(), List.of(), List.of());
  }

  @Test
  void aBlockWhoseCopyStoodStillIsLeftToStock() {
    RecoverySlots slots = slots();
    queue.enqueue(1, 0);
    queue.enqueue(2, 0);
    share.stoodStill(1, T0);
    plan(slots, T0);
    assertEquals(List.of(2L), running.all().stream().map(one -> one.copy().blockId()).toList());
    share.serve(T0);
    assertEquals(List.of(1L), queue.leftToStock);
  }

  @Test
  void whatWaitsForBandwidthIsNotPassedOverForLessUrgentBlocks() {
    RecoverySlots slots = slots(ConfigKeys.DAYU_BLOCKS_MAX, "15");
    for (int block = 1; block <= 40; block++) {
      queue.enqueue(block, block <= 20 ? 1 : 2);
    }
    plan(slots, T0);
    assertEquals(ORDERED, running.all().size());
    for (int plan = 1; plan <= 4; plan++) {
      long nowMs = T0 + plan * HEARTBEAT_MS;
      running.replace(running.all().stream().map(copy -> copy.notBegun(nowMs)).toList());
      plan(slots, nowMs);
      assertEquals(Set.of(1), slots.lastPlan().backlog().keySet());
    }
  }

  private double rateWith(int priority) {
    RecoverySlots slots = slots();
    running.replace(List.of());
    for (int block = 1; block <= 40; block++) {
      queue.enqueue(block, priority);
    }
    plan(slots, T0);
    assertFalse(running.all().isEmpty());
    return running.all().stream().mapToDouble(RunningCopy::bytesPerSec).sum();
  }

  @Test
  void aShareOfTheIdleBandwidthHoldsBackAllButSingleReplicas() {
    double full = rateWith(2);
    portion = 0.5;
    assertEquals(full / 2, rateWith(2), full / 100);
    assertEquals(full, rateWith(0), full / 100);
    queue.waiting.clear();
    portion = 0.05;
    assertEquals(full / 20, rateWith(2), full / 1000, "though no block fits in a slot");
  }

  private double portionTaken(RecoverySlots slots, long nowMs) {
    plan(slots, nowMs);
    return slots.lastWhole().portion();
  }

  @Test
  void aShareHoldsBackWhateverWaitsForStock() {
    RecoverySlots slots = slots();
    portion = 0.5;
    queue.waiting.add(WaitingBlock.striped(1, BLOCK_BYTES, 0));
    queue.waiting.add(new WaitingBlock(2, BLOCK_BYTES, 0, 2, 1, List.of(), List.of(), List.of()));
    assertEquals(0.5, portionTaken(slots, T0));
    queue.waiting.clear();
    queue.waiting.add(
        new WaitingBlock(
            3, BLOCK_BYTES, 0, 2, WaitingBlock.NO_TYPE, List.of(nodes[0]), List.of(), List.of()));
    assertEquals(1, portionTaken(slots, T0 + SLOT_MS), "it is not known yet that none copies it");
    assertEquals(0.5, portionTaken(slots, T0 + 2 * SLOT_MS));
    queue.enqueue(4, 0);
    assertEquals(1, portionTaken(slots, T0 + 3 * SLOT_MS));
    slots.forget();
    assertNull(slots.lastWhole());
  }

  @Test
  void blocksOfAnyNumberOfReplicasArePlannedTogether() {
    RecoverySlots slots = slots();
    for (int block = 1; block <= 511; block++) {
      queue.enqueue(block, 1, block + 1);
    }
    plan(slots, T0);
    assertEquals(ORDERED, running.all().size());
  }

  /** Blocks on the first DataNode that wait for a second replica; schedules whatever it is told. */
  private final class FakeQueue extends RefusingQueue {
    private final List<WaitingBlock> waiting = new ArrayList<>();
    private final List<Long> leftToStock = new ArrayList<>();
    private int place;
    private int parts;

    void enqueue(long id, int priority) {
      enqueue(id, priority, 2);
    }

    void enqueue(long id, int priority, int replicas) {
      waiting.add(
          new WaitingBlock(
              id,
              BLOCK_BYTES,
              priority,
              replicas,
              StorageType.DISK.ordinal(),
              List.of(nodes[0]),
              List.of(),
              List.of()));
    }

    @Override
    public int batchSize() {
      return 6;
    }

    @Override
    public int waitingCount() {
      return waiting.size();
    }

    @Override
    public boolean isStaleTarget(DatanodeDescriptor node) {
      return false;
    }

    @Override
    public void rewind() {
      place = 0;
    }

    @Override
    public Batch next(int max, Map<Long, WaitingBlock> known) {
      int to = Math.min(waiting.size(), place + max);
      List<WaitingBlock> part = List.copyOf(waiting.subList(place, to));
      place = to;
      parts++;
      return new Batch(part, part.size());
    }

    @Override
    public int leaveToStock(List<WaitingBlock> blocks) {
      blocks.forEach(block -> leftToStock.add(block.id()));
      return 0;
    }

    @Override
    public List<WaitingBlock> blocksWithout(long[] ids, Set<DatanodeDescriptor> lost) {
      Set<Long> wanted = LongStream.of(ids).boxed().collect(Collectors.toSet());
      return waiting.stream().filter(block -> wanted.contains(block.id())).toList();
    }

    @Override
    public List<CopyOutcome> schedule(List<PlannedCopy> copies, long term) {
      Set<Long> ids = new HashSet<>(copies.stream().map(PlannedCopy::blockId).toList());
      waiting.removeIf(block -> ids.contains(block.id()));
      return copies.stream().map(copy -> CopyOutcome.SCHEDULED).toList();
    }
  }
}
