package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.junit.jupiter.api.Test;
import org.rackweave.eafr.Servers;
import org.rackweave.hdfs.eafr.CopySources.Copy;
import org.rackweave.hdfs.eafr.CopySources.SourceOutcome;
import org.rackweave.history.EventLog;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;

class CopySourcesTest {
  private static final int NODES = 4;
  private static final int CAPACITY = 100;

  private final DatanodeDescriptor[] datanodes =
      IntStream.range(0, NODES)
          .mapToObj(
              i ->
                  DFSTestUtil.createDatanodeStorageInfo("s" + i, "10.0.0." + (i + 1), "/r", "h" + i)
                      .getDatanodeDescriptor())
          .toArray(DatanodeDescriptor[]::new);
  private final Servers.Builder servers =
      Servers.of(
          ClusterTopology.of(
              IntStream.range(0, NODES).mapToObj(i -> new NodePlace("h" + i, "/r", null)).toList()),
          CAPACITY);
  private final Queues queues = new Queues();
  private final CopySources sources =
      new CopySources(() -> true, () -> false, queues, new EventLog(() -> 0, () -> 0));
  private long nowMs = 1000;

  /** HDFS's queues, as far as copies' targets go. */
  private static final class Queues implements WaitingCopies {
    final Map<DatanodeDescriptor, List<DatanodeStorageInfo[]>> waiting = new HashMap<>();
    final Set<DatanodeDescriptor> silent = new HashSet<>();
    int max = Integer.MAX_VALUE;
    boolean areOfEafr = true;

    List<DatanodeStorageInfo[]> of(DatanodeDescriptor node) {
      return waiting.computeIfAbsent(node, none -> new ArrayList<>());
    }

    @Override
    public boolean arePlacedByEafr() {
      return areOfEafr;
    }

    @Override
    public boolean canSend(DatanodeDescriptor source, int coming) {
      return !silent.contains(source) && of(source).size() + coming < max;
    }

    @Override
    public void redirect(
        DatanodeDescriptor source, Function<DatanodeStorageInfo[], DatanodeDescriptor> sender) {
      List<DatanodeStorageInfo[]> all = List.copyOf(of(source));
      of(source).clear();
      for (DatanodeStorageInfo[] targets : all) {
        DatanodeDescriptor other = sender.apply(targets);
        of(other == null ? source : other).add(targets);
      }
    }
  }

  private DatanodeStorageInfo[] choose(int drawn, int... holders) {
    DatanodeStorageInfo[] targets = {null};
    sources.choose(servers.build(), datanodes, new Copy(targets, drawn, holders), nowMs);
    return targets;
  }

  /** HDFS chooses targets, and orders the copy. */
  private DatanodeStorageInfo[] order(int drawn, int... holders) {
    DatanodeStorageInfo[] targets = choose(drawn, holders);
    queues.of(datanodes[drawn]).add(targets);
    return targets;
  }

  private void heartbeat(int node) {
    sources.heartbeat(datanodes[node].getDatanodeUuid());
  }

  private int waiting(int node) {
    return queues.of(datanodes[node]).size();
  }

  private long count(SourceOutcome outcome) {
    return sources.outcomes().getOrDefault(outcome, 0L);
  }

  @Test
  void theOneWithMostRemainingCapacitySendsWhoeverIsHeardOfFirst() {
    servers.reads(0, 5);
    DatanodeStorageInfo[] one = order(0, 0, 1);
    heartbeat(1);
    assertSame(one, queues.of(datanodes[1]).get(0));
    assertEquals(0, waiting(0));

    order(0, 0, 2);
    heartbeat(0);
    assertEquals(1, waiting(2));
    assertEquals(2, count(SourceOutcome.REDIRECTED));
  }

  @Test
  void whoeverHasNothingToDoWithACopyLeavesItWhereItIs() {
    servers.reads(0, 5);
    order(0, 0, 1);
    heartbeat(2);
    heartbeat(3);
    assertEquals(1, waiting(0));
  }

  @Test
  void copiesThatAreChosenCountAgainstASourceUntilItIsTold() {
    servers.reads(0, 2);
    order(0, 0, 1); // to 1, which has 1 less then
    order(0, 0, 1); // to 1, which has as much as 0 then
    order(1, 0, 1); // to 0, the first in number
    heartbeat(0);
    heartbeat(1);
    assertEquals(1, waiting(0));
    assertEquals(2, waiting(1));
    assertEquals(3, count(SourceOutcome.REDIRECTED));

    queues.of(datanodes[1]).clear();
    order(1, 0, 1);
    assertEquals(1, count(SourceOutcome.DRAWN_IS_BEST), "1 was told and its load will show");
  }

  @Test
  void aCopyThatStaysCountsToo() {
    servers.reads(0, 1);
    order(1, 0, 1);
    order(1, 0, 1); // 0 and 1 have as much
    assertEquals(1, count(SourceOutcome.DRAWN_IS_BEST));
    heartbeat(0);
    assertEquals(1, waiting(0));
    assertEquals(1, waiting(1));
  }

  @Test
  void itIsStocksWithAReasonWhereThereIsNothingToChoose() {
    servers.reads(0, 5);
    order(0, 0);
    order(0, 1, 2);
    order(0, 0, ClusterTopology.NONE);
    order(1, 0, 1);
    queues.silent.add(datanodes[3]);
    order(0, 0, 3);
    for (int node = 0; node < NODES; node++) {
      heartbeat(node);
    }
    assertEquals(
        Map.of(
            SourceOutcome.ONLY_REPLICA, 1L,
            SourceOutcome.DRAINED, 1L,
            SourceOutcome.UNKNOWN_NODE, 1L,
            SourceOutcome.DRAWN_IS_BEST, 1L,
            SourceOutcome.OTHERS_BUSY, 1L),
        sources.outcomes());
    assertEquals(4, waiting(0));
    assertEquals(1, waiting(1));
  }

  @Test
  void nobodyGetsMoreThanHdfsLetsWaitForIt() {
    servers.reads(0, 50);
    queues.max = 2;
    for (int i = 0; i < 3; i++) {
      order(0, 0, 1);
    }
    heartbeat(0);
    assertEquals(2, waiting(1));
    assertEquals(1, waiting(0));
    assertEquals(1, count(SourceOutcome.OTHERS_BUSY));
  }

  @Test
  void aSourceThatIsNoGoodAnyMoreWhenItsTurnComesGetsNothing() {
    servers.reads(0, 5);
    order(0, 0, 1);
    queues.silent.add(datanodes[1]);
    heartbeat(0);
    assertEquals(1, waiting(0));
    assertEquals(Map.of(SourceOutcome.OTHERS_BUSY, 1L), sources.outcomes());
  }

  @Test
  void aCopyIsRedirectedWhenItIsOrderedAfterAHeartbeat() {
    servers.reads(0, 5);
    DatanodeStorageInfo[] targets = choose(0, 0, 1);
    heartbeat(0);
    heartbeat(1);
    queues.of(datanodes[0]).add(targets);
    heartbeat(0);
    assertEquals(1, waiting(1));
  }

  @Test
  void copiesOfOthersAreLeftAsTheyAre() {
    servers.reads(0, 5);
    DatanodeStorageInfo[] others = {null};
    queues.of(datanodes[0]).add(others);
    order(0, 0, 1);
    heartbeat(0);
    assertEquals(1, waiting(0));
    assertSame(others, queues.of(datanodes[0]).get(0));
  }

  @Test
  void whatIsNotOrderedIsForgotten() {
    servers.reads(0, 1);
    choose(0, 0, 1);
    choose(0, 0, 1);
    nowMs += 40_000;
    choose(0, 0, 1);
    // One is chosen and comes anew: had the others been kept, 0 would have more capacity left.
    assertEquals(
        Map.of(SourceOutcome.NOT_ORDERED, 1L, SourceOutcome.DRAWN_IS_BEST, 1L), sources.outcomes());
    DatanodeStorageInfo[] targets = choose(0, 0, 1);
    sources.forget();
    queues.of(datanodes[0]).add(targets);
    heartbeat(0);
    assertEquals(1, waiting(0));
  }

  @Test
  void whatIsNotOrderedIsForgottenThoughNothingElseIsChosen() {
    servers.reads(0, 5);
    DatanodeStorageInfo[] late = choose(0, 0, 1);
    sources.expire(nowMs);
    assertEquals(0, count(SourceOutcome.NOT_ORDERED));
    sources.expire(nowMs + 30_000);
    assertEquals(1, count(SourceOutcome.NOT_ORDERED));
    queues.of(datanodes[0]).add(late);
    heartbeat(1);
    assertEquals(1, waiting(0));
    assertEquals(0, waiting(1));
  }

  @Test
  void keepsNoMoreInMindThanItMay() {
    for (int i = 0; i < SourceChoices.CHOICES_MAX + 3; i++) {
      choose(0, 0);
    }
    assertEquals(3, count(SourceOutcome.TOO_MANY));
    nowMs += 40_000;
    choose(0, 0);
    assertEquals(3, count(SourceOutcome.TOO_MANY));
  }

  @Test
  void saysWhoChooses() {
    assertSame(sources, sources.inForce());
    assertEquals(CopySources.State.ON, sources.state());
    queues.areOfEafr = false;
    assertNull(sources.inForce());
    assertEquals(CopySources.State.OTHER_POLICY, sources.state());
    queues.areOfEafr = true;
    assertSame(sources, sources.inForce());
    CopySources withDayu =
        new CopySources(() -> true, () -> true, queues, new EventLog(() -> 0, () -> 0));
    assertNull(withDayu.inForce());
    assertEquals(CopySources.State.LEFT_TO_DAYU, withDayu.state());
    CopySources off =
        new CopySources(() -> false, () -> false, queues, new EventLog(() -> 0, () -> 0));
    assertNull(off.inForce());
    assertEquals(CopySources.State.OFF, off.state());
  }

  @Test
  void noCopyIsLostOrMadeTwiceWhateverHappens() {
    long seed = System.nanoTime();
    System.out.println("copies' sources, seed " + seed);
    SplittableRandom dice = new SplittableRandom(seed);
    queues.max = 3;
    Map<DatanodeStorageInfo[], Set<Integer>> ordered = new HashMap<>();
    for (int round = 0; round < 20_000; round++) {
      nowMs += dice.nextInt(500);
      int node = dice.nextInt(NODES);
      servers.reads(dice.nextInt(NODES), dice.nextInt(9));
      int[] holders = dice.ints(0, NODES).distinct().limit(1 + dice.nextInt(3)).toArray();
      int drawn = holders[dice.nextInt(holders.length)];
      switch (dice.nextInt(4)) {
        case 0 -> choose(drawn, holders);
        case 1 -> {
          if (waiting(drawn) < queues.max) {
            Set<Integer> allowed = new HashSet<>(IntStream.of(holders).boxed().toList());
            ordered.put(order(drawn, holders), allowed);
          }
        }
        case 2 -> heartbeat(node);
        default -> {
          heartbeat(node);
          for (DatanodeStorageInfo[] told : queues.of(datanodes[node])) {
            assertTrue(ordered.remove(told).contains(node), "seed " + seed);
          }
          queues.of(datanodes[node]).clear();
        }
      }
      int waiting = 0;
      for (int i = 0; i < NODES; i++) {
        waiting += waiting(i);
        assertTrue(waiting(i) <= queues.max, "seed " + seed);
      }
      assertEquals(ordered.size(), waiting, "seed " + seed);
    }
    assertTrue(count(SourceOutcome.REDIRECTED) > 100, "put to the test");
  }
}
