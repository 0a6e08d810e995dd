package org.rackweave.hdfs.dayu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.LackingBlocks;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;
import org.rackweave.Nightly;
import org.rackweave.hdfs.ClusterViews;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.DayuConfig;
import org.rackweave.hdfs.Mode;
import org.rackweave.hdfs.copies.CopyState;
import org.rackweave.hdfs.namenode.NameNodeBridge;
import org.rackweave.hdfs.namenode.PolicyAdvice;
import org.rackweave.hdfs.namenode.RackCluster;
import org.rackweave.history.EventLog;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.NodePlace;
import org.rackweave.telemetry.LinkSnapshot;
import org.rackweave.telemetry.LinkSource;
import org.rackweave.telemetry.NetworkSettings;

/**
 * For how long altogether the namesystem's lock is held in one slot with thousands of blocks that
 * wait, by all that Dayu does in it: a look at its copies twice a second, a plan with every
 * heartbeat; beside stock's orders for the same blocks. Times are printed; what is asserted is what
 * they are times of, and that no block is read again and again.
 */
@Nightly
class DayuLockTotalIT {
  private static final int BLOCKS = 5_000;
  private static final int BLOCK_BYTES = 1024;
  private static final int WARM_UPS = 2;
  private static final int ROUNDS = 5;
  private static final long HEARTBEAT_MS = 3_000;
  private static final long TICK_MS = 500;

  private FSNamesystem namesystem;
  private ReconstructionQueue queue;
  private LackingBlocks lacking;
  private RecoveryCluster known;
  private long term;
  private final DayuConfig config =
      DayuConfig.from(manyStreams()).withDelays(2 * HEARTBEAT_MS, HEARTBEAT_MS);

  /** Few DataNodes stand for the hundreds that send so many blocks in a slot. */
  private static Configuration manyStreams() {
    Configuration conf = new Configuration(false);
    conf.set(ConfigKeys.DAYU_STREAMS_MAX, "400");
    return conf;
  }

  @Test
  void aSlotHoldsTheLockAboutAsLongAsStockDoesForItsBlocks() throws Exception {
    Configuration conf = RackCluster.conf();
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.DAYU);
    conf.set(ConfigKeys.MODE, "off"); // nobody recovers beside what is measured
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 100_000);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_WORK_MULTIPLIER_PER_ITERATION, 1000);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 100_000);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 100_000);
    conf.setBoolean(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, false);
    try (RackCluster cluster = RackCluster.start(conf, 2, 2, 2)) {
      cluster.write("/a", 1, 3);
      for (DataNode datanode : cluster.mini().getDataNodes()) {
        DataNodeTestUtils.setHeartbeatsDisabledForTests(datanode, true);
      }
      NameNode nameNode = cluster.mini().getNameNode();
      namesystem = nameNode.getNamesystem();
      term = nameNode.getLastHATransitionTime();
      queue = NameNodeBridge.of(nameNode).reconstruction();
      lacking = LackingBlocks.madeUp(namesystem, "/a", BLOCKS);
      measure("all of them fit into the slot", BLOCKS);
      measure("a tenth of them fits into the slot", BLOCKS / 10);
      asksUnderNoLockForWhatIsExpectedOrKnown();
    }
  }

  private void measure(String what, int inASlot) {
    known = cluster(inASlot);
    long[] stock = new long[ROUNDS];
    long[] stockLongest = new long[ROUNDS];
    long[] read = new long[ROUNDS];
    long[] write = new long[ROUNDS];
    long[] longest = new long[ROUNDS];
    HeldQueue last = null;
    int ordered = 0;
    for (int round = -WARM_UPS; round < ROUNDS; round++) {
      long[] stocks = lacking.orderAsStock(queue.batchSize());
      lacking.lack();
      HeldQueue ours = new HeldQueue(queue);
      ordered = slot(ours);
      lacking.lack();
      last = ours;
      if (round >= 0) {
        stock[round] = stocks[0];
        stockLongest[round] = stocks[1];
        read[round] = ours.readNanos;
        write[round] = ours.writeNanos;
        longest[round] = ours.longestNanos;
      }
    }
    double ratio = (double) (median(read) + median(write)) / median(stock);
    System.out.printf(
        "namesystem's lock held for %d blocks, %s, median us: stock write %d (longest %d);"
            + " a slot of Dayu, which orders %d, write %d and read %d (longest %d): %.2f of stock,"
            + " %.2f a block ordered; %s%n",
        BLOCKS,
        what,
        median(stock),
        median(stockLongest),
        ordered,
        median(write),
        median(read),
        median(longest),
        ratio,
        ratio * BLOCKS / ordered,
        last);
    assertTrue(ordered >= inASlot / 2, ordered + " copies ordered");
    assertEquals(ordered, last.copies().size());
    assertTrue(last.read() <= BLOCKS + ordered, last.read() + " blocks read, some again");
  }

  /** That is asked twice a second, or with every heartbeat. */
  private void asksUnderNoLockForWhatIsExpectedOrKnown() throws Exception {
    HeldQueue ours = new HeldQueue(queue);
    slot(ours);
    queue.rewind();
    List<WaitingBlock> waiting = queue.next(queue.batchSize(), Map.of()).blocks();
    Map<Long, WaitingBlock> all =
        waiting.stream().collect(Collectors.toMap(WaitingBlock::id, block -> block));
    namesystem.writeLock();
    try {
      List<CopyState> states =
          CompletableFuture.supplyAsync(() -> queue.states(ours.copies()))
              .get(30, TimeUnit.SECONDS);
      assertEquals(Set.of(CopyState.UNDER_WAY), Set.copyOf(states));
      queue.rewind();
      List<WaitingBlock> again =
          CompletableFuture.supplyAsync(() -> queue.next(queue.batchSize(), all).blocks())
              .get(30, TimeUnit.SECONDS);
      assertEquals(waiting, again);
    } finally {
      namesystem.writeUnlock("test");
    }
  }

  private static long median(long[] nanos) {
    Arrays.sort(nanos);
    return nanos[nanos.length / 2] / 1000;
  }

  /** What a slot's time is, of ticks; returns the copies ordered. */
  private int slot(ReconstructionQueue held) {
    RecoveryCounts counts = new RecoveryCounts();
    CopyLimits limits = new CopyLimits(() -> 2, 3, () -> 64);
    StocksShare share = new StocksShare(held, counts, HEARTBEAT_MS);
    RunningCopies running = new RunningCopies(held, counts, limits, share, 10 * HEARTBEAT_MS);
    RecoverySlots slots =
        new RecoverySlots(
            () -> config,
            held,
            () -> known,
            new RecoverySlots.Copying(
                limits, running, share, counts, new EventLog(() -> 0, () -> 0)),
            new RecoverySlots.Turn() {
              @Override
              public void renew() {}

              @Override
              public boolean isOn() {
                return true;
              }
            });
    long beganMs = Time.monotonicNow();
    long slotMs = (long) (1000 * config.slot().lengthSec());
    for (long nowMs = beganMs; nowMs < beganMs + slotMs; nowMs += TICK_MS) {
      running.settle(term, nowMs);
      if (slots.isDue(nowMs)) {
        plan(slots, running, nowMs);
      }
      share.serve(nowMs);
      limits.apply(running.all(), nowMs);
    }
    return running.all().size();
  }

  /** Plans; copies begin at that moment, whatever the machine's clock says. */
  private void plan(RecoverySlots slots, RunningCopies running, long nowMs) {
    Set<Long> before =
        running.all().stream().map(copy -> copy.copy().blockId()).collect(Collectors.toSet());
    slots.plan(term, nowMs, block -> false);
    running.replace(
        running.all().stream()
            .map(
                copy ->
                    before.contains(copy.copy().blockId())
                        ? copy
                        : RunningCopy.begun(copy.copy(), nowMs))
            .toList());
  }

  /** Links whose idle share is enough for so many blocks in a slot. */
  private RecoveryCluster cluster(int inASlot) {
    DatanodeDescriptor[] nodes =
        namesystem
            .getBlockManager()
            .getDatanodeManager()
            .getDatanodes()
            .toArray(DatanodeDescriptor[]::new);
    Arrays.sort(nodes, Comparator.comparing(DatanodeDescriptor::getNetworkLocation));
    List<NodePlace> places = new ArrayList<>();
    for (DatanodeDescriptor node : nodes) {
      places.add(new NodePlace(node.getXferAddr(), node.getNetworkLocation(), null));
    }
    ClusterTopology topology = ClusterTopology.of(places);
    double each = 2.0 * inASlot * BLOCK_BYTES / nodes.length / config.slot().lengthSec() / 0.75;
    LinkSnapshot.Builder links =
        new LinkSnapshot.Builder(topology, new NetworkSettings(0, 1, 1e9, HEARTBEAT_MS, 1), 0);
    Map<Node, Integer> numbers = new IdentityHashMap<>();
    for (int i = 0; i < nodes.length; i++) {
      assertEquals(nodes[i].getXferAddr(), topology.nodeName(i));
      links.host(i, LinkSource.MEASURED, each, 0, 0, 1, 0).storage(i, 0.5);
      numbers.put(nodes[i], i);
    }
    return new RecoveryCluster(
        ClusterViews.of(links.build(), nodes, numbers), Mode.ACTIVE, false, false, 0, false);
  }
}
