package org.rackweave.sim.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.SmallCluster;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.policy.PlacementPolicy;
import org.rackweave.sim.workload.StoredFile;
import org.rackweave.sim.workload.TimedRequest;

/** Disks of 50 B/s limit a read that is alone; blocks are of 100 B. Nodes 0-3, 4-7, 8-11. */
class BlockReadsTest {
  private static final long BLOCK = 100;

  private final SmallCluster small = new SmallCluster(3, 4);
  private final StoredBlocks stored = new StoredBlocks(small.cluster);
  private final List<ReadOutcome> outcomes = new ArrayList<>();

  private BlockReads reads(int slots) {
    int[] all = new int[12];
    Arrays.fill(all, slots);
    return new BlockReads(
        small.loop, small.cluster, stored, all, new SplittableRandom(1), outcomes::add);
  }

  private void store(long file, long sizeBytes, int... nodes) {
    PlacementPolicy there = request -> nodes;
    stored.store(new StoredFile(file, sizeBytes, BLOCK, nodes.length), there);
  }

  private void at(double seconds, Runnable action) {
    small.loop.at(SimTime.ofSeconds(seconds), action);
  }

  private static TimedRequest.Read read(int reader, long file) {
    return new TimedRequest.Read(0, reader, file);
  }

  @Test
  void blocksFollowOneAnotherAndTheLastIsAsShortAsItComes() {
    store(1, 250, 4, 5, 8);
    BlockReads reads = reads(10);
    at(1, () -> reads.begin(read(0, 1)));
    small.loop.runToEnd();
    assertEquals(3, outcomes.size());
    assertEquals(2, outcomes.get(0).seconds(), 1e-6);
    assertEquals(1, outcomes.get(2).seconds(), 1e-6);
    assertEquals(SimTime.ofSeconds(3), outcomes.get(1).askedNanos());
    assertEquals(0, reads.underWay());
    assertEquals(0, small.cluster.readers(4));
  }

  @Test
  void theNearestReplicaIsReadAndAmongEqualsAny() {
    store(1, BLOCK, 0, 5, 8);
    store(2, BLOCK, 1, 5, 8);
    store(3, BLOCK, 4, 5, 8);
    BlockReads reads = reads(100);
    at(0, () -> reads.begin(read(0, 1)));
    at(10, () -> reads.begin(read(0, 2)));
    at(20, () -> reads.begin(read(0, 3)));
    small.loop.runToEnd();
    assertEquals(0, outcomes.get(0).holder());
    assertEquals(1, outcomes.get(1).holder());
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 30; i++) {
      at(100 + 10 * i, () -> reads.begin(read(ClusterTopology.NONE, 3)));
    }
    small.loop.runToEnd();
    outcomes.subList(3, 33).forEach(outcome -> seen.add(outcome.holder()));
    assertEquals(Set.of(4, 5, 8), seen);
  }

  @Test
  void aNodeServesSoManyAtATimeAndTheRestInTheirOrder() {
    store(1, BLOCK, 4);
    BlockReads reads = reads(1);
    at(0, () -> reads.begin(read(0, 1)));
    at(1, () -> reads.begin(read(1, 1)));
    at(1.5, () -> reads.begin(read(2, 1)));
    small.loop.runToEnd();
    assertEquals(List.of(0, 1, 2), outcomes.stream().map(ReadOutcome::reader).toList());
    assertEquals(2, outcomes.get(0).seconds(), 1e-6);
    assertEquals(3, outcomes.get(1).seconds(), 1e-6, "a second in the queue");
    assertEquals(4.5, outcomes.get(2).seconds(), 1e-6);
  }

  @Test
  void aReaderTurnsToAnotherReplicaWhenItsNodeFails() {
    store(1, BLOCK, 1, 8);
    BlockReads reads = reads(1);
    at(0, () -> reads.begin(read(0, 1)));
    at(0, () -> reads.begin(read(2, 1)));
    at(1, () -> small.cluster.fail(1, small.loop.nowNanos()));
    small.loop.runToEnd();
    assertEquals(2, outcomes.size());
    assertTrue(outcomes.stream().allMatch(outcome -> outcome.holder() == 8));
    assertEquals(3, outcomes.get(0).seconds(), 1e-6, "the block from its beginning");
    assertEquals(5, outcomes.get(1).seconds(), 1e-6, "after the other one");
    assertEquals(0, small.cluster.readers(1));
    assertEquals(0, small.network.flowCount());
  }

  @Test
  void aReadEndsWithoutReplicasOrReader() {
    store(1, 3 * BLOCK, 4);
    store(2, 3 * BLOCK, 8);
    BlockReads reads = reads(1);
    at(0, () -> reads.begin(read(0, 1)));
    at(0, () -> reads.begin(read(1, 2)));
    at(0, () -> reads.begin(read(2, 2)));
    at(1, () -> small.cluster.fail(4, small.loop.nowNanos()));
    at(1, () -> small.cluster.fail(1, small.loop.nowNanos()));
    small.loop.runUntil(SimTime.ofSeconds(1.5));
    assertEquals(2, outcomes.size());
    assertFalse(outcomes.get(0).isRead());
    assertFalse(outcomes.get(1).isRead());
    small.loop.runToEnd();
    assertEquals(5, outcomes.size(), "the third goes on");
    assertEquals(3, outcomes.get(2).seconds(), 1e-6, "when the second's slot is free");
  }

  @Test
  void whatIsDeletedCannotBeReadAndTakesNoSpace() {
    store(1, 250, 4, 8);
    assertEquals(250, small.cluster.usedBytes(8));
    stored.delete(1);
    stored.delete(1);
    assertEquals(0, small.cluster.usedBytes(8));
    assertEquals(0, small.cluster.blocks(4));
    BlockReads reads = reads(1);
    at(0, () -> reads.begin(read(0, 1)));
    small.loop.runToEnd();
    assertEquals(List.of(), outcomes);
  }

  @Test
  void aBlockWrittenAfterItsFileIsGoneIsDropped() {
    stored.begin(new TimedRequest.Write(0, 0, 1, 2 * BLOCK, BLOCK, 1));
    small.cluster.store(4, BLOCK);
    stored.ended(new BlockOutcome(1, 0, 0, BLOCK, 0, 0, 0, new int[] {4}));
    assertEquals(1, stored.count(1));
    stored.delete(1);
    small.cluster.store(5, BLOCK);
    stored.ended(new BlockOutcome(1, 1, 0, BLOCK, 0, 0, 0, new int[] {5}));
    assertEquals(0, small.cluster.usedBytes(4));
    assertEquals(0, small.cluster.usedBytes(5));
  }

  /** Random files, readers, failures and returns: every read ends, every slot is given back. */
  @Test
  void everyReadEndsWhateverFails() {
    for (long seed = 0; seed < 200; seed++) {
      Random dice = MixedRandom.of(seed);
      SmallCluster cluster = new SmallCluster(3, 4);
      StoredBlocks blocks = new StoredBlocks(cluster.cluster);
      List<ReadOutcome> ended = new ArrayList<>();
      int[] slots = new int[12];
      Arrays.fill(slots, 1 + dice.nextInt(3));
      BlockReads reads =
          new BlockReads(
              cluster.loop, cluster.cluster, blocks, slots, new SplittableRandom(seed), ended::add);
      for (long file = 0; file < 5; file++) {
        int[] nodes = dice.ints(0, 12).distinct().limit(1 + dice.nextInt(3)).toArray();
        blocks.store(
            new StoredFile(file, 1 + dice.nextInt(300), BLOCK, nodes.length), request -> nodes);
      }
      for (int i = 0; i < 20; i++) {
        int node = dice.nextInt(12);
        long file = dice.nextInt(6);
        cluster.loop.at(
            SimTime.ofSeconds(dice.nextInt(20)),
            () -> reads.begin(read(node - 1 + dice.nextInt(2), file)));
        cluster.loop.at(
            SimTime.ofSeconds(dice.nextInt(30)),
            dice.nextBoolean()
                ? () -> cluster.cluster.fail(node, cluster.loop.nowNanos())
                : () -> cluster.cluster.restore(node));
      }
      cluster.loop.runToEnd();
      assertEquals(0, reads.underWay(), "seed " + seed);
      assertEquals(0, cluster.network.flowCount(), "seed " + seed);
      BitSet busy = new BitSet();
      for (int node = 0; node < 12; node++) {
        busy.set(node, cluster.cluster.readers(node) != 0);
      }
      assertTrue(busy.isEmpty(), "seed " + seed + ": " + busy);
    }
  }
}
