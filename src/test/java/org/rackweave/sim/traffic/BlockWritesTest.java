package org.rackweave.sim.traffic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.sim.SmallCluster;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.policy.BlockRequest;
import org.rackweave.sim.policy.PlacementPolicy;
import org.rackweave.sim.workload.TimedRequest;

/** Disks of 50 B/s limit a write that is alone; blocks are of 100 B. */
class BlockWritesTest {
  private static final long BLOCK = 100;

  private final SmallCluster small = new SmallCluster(3, 4);
  private final List<BlockOutcome> outcomes = new ArrayList<>();
  private final List<BlockRequest> asked = new ArrayList<>();

  private BlockWrites writes(PlacementPolicy policy, double decisionIntervalSec) {
    PlacementPolicy listening =
        request -> {
          asked.add(request);
          return policy.place(request);
        };
    long interval = SimTime.ofSeconds(decisionIntervalSec);
    BlockWrites writes =
        new BlockWrites(
            small.loop,
            small.cluster,
            listening,
            new BlockWrites.Settings(interval, false),
            outcomes::add);
    small.loop.require("replicas", writes.soundReplicas());
    return writes;
  }

  private static TimedRequest.Write file(long number, int writer, long sizeBytes) {
    return new TimedRequest.Write(0, writer, number, sizeBytes, BLOCK, 3);
  }

  private void at(double seconds, Runnable action) {
    small.loop.at(SimTime.ofSeconds(seconds), action);
  }

  private static int[] always(int... nodes) {
    return nodes;
  }

  @Test
  void blocksFollowOneAnotherAndTheLastIsAsShortAsItComes() {
    BlockWrites writes = writes(request -> always(0, 4, 5), 0);
    at(1, () -> writes.begin(file(1, 0, 250)));
    small.loop.runToEnd();
    assertEquals(3, outcomes.size());
    assertEquals(2, outcomes.get(0).writeSeconds(), 1e-6);
    assertEquals(1, outcomes.get(2).writeSeconds(), 1e-6);
    assertEquals(SimTime.ofSeconds(3), outcomes.get(1).askedNanos());
    assertEquals(250, small.cluster.usedBytes(5));
    assertEquals(3, small.cluster.blocks(4));
    assertEquals(0, small.cluster.writers(4));
    assertEquals(0, writes.underWay());
  }

  @Test
  void aDecisionIntervalPlacesTogetherFewestRemainingBlocksFirst() {
    BlockWrites writes = writes(request -> always(0, 4, 5), 10);
    at(1, () -> writes.begin(file(1, 0, 300)));
    at(2, () -> writes.begin(file(2, 0, 60)));
    at(3, () -> writes.begin(file(3, 0, 200)));
    small.loop.runUntil(SimTime.ofSeconds(10));
    assertEquals(List.of(60L, 100L, 100L), asked.stream().map(BlockRequest::sizeBytes).toList());
    small.loop.runUntil(SimTime.ofSeconds(19));
    BlockOutcome first = outcomes.get(0);
    assertEquals(2, first.file());
    assertEquals(SimTime.ofSeconds(10), first.placedNanos());
    assertEquals(SimTime.ofSeconds(2), first.askedNanos());
  }

  @Test
  void thePipelineGoesOnWithoutANodeThatFails() {
    BlockWrites writes = writes(request -> always(0, 4, 5), 0);
    at(0, () -> writes.begin(file(1, 0, BLOCK)));
    at(1, () -> small.cluster.fail(4, small.loop.nowNanos()));
    small.loop.runToEnd();
    assertArrayEquals(new int[] {0, 5}, outcomes.get(0).nodes());
    assertEquals(2, outcomes.get(0).writeSeconds(), 1e-6);
    assertEquals(0, small.cluster.blocks(4));
    assertEquals(1, small.cluster.blocks(5));
  }

  @Test
  void aFileEndsWithItsWriter() {
    BlockWrites writes = writes(request -> always(0, 4, 5), 0);
    at(0, () -> writes.begin(file(1, 0, 3 * BLOCK)));
    at(3, () -> small.cluster.fail(0, small.loop.nowNanos()));
    small.loop.runToEnd();
    assertEquals(2, outcomes.size());
    assertFalse(outcomes.get(1).isWritten());
    assertEquals(0, small.network.flowCount());
  }

  @Test
  void aClientThatMeetsADeadNodeAsksAgainWithoutIt() {
    small.cluster.fail(4, 0);
    BlockWrites writes =
        writes(request -> request.excluded().get(4) ? always(0, 6, 7) : always(0, 4, 5), 0);
    at(1, () -> writes.begin(file(1, 0, BLOCK)));
    small.loop.runToEnd();
    assertEquals(2, asked.size());
    assertArrayEquals(new int[] {0, 6, 7}, outcomes.get(0).nodes());
    assertNull(writes.soundReplicas().fault());
  }

  @Test
  void aGroupOfTransfersEndsWithItsLast() {
    List<Transfers.GroupOutcome> groups = new ArrayList<>();
    Transfers transfers = new Transfers(small.loop, small.cluster, groups::add);
    at(
        1,
        () -> {
          transfers.beginBetweenNodes(new TimedRequest.Transfer(0, 0, 4, 300, 7));
          transfers.beginBetweenRacks(new TimedRequest.Transfer(0, 8, 11, 800, 7));
        });
    small.loop.runToEnd();
    // 300 B at 100 B/s; 800 B within a rack of four nodes at 400 B/s.
    assertEquals(1, groups.size());
    assertEquals(3, groups.get(0).seconds(), 1e-6);
    assertEquals(1100, groups.get(0).sizeBytes());
  }
}
