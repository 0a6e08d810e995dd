package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.Test;

/** HDFS's own queues. */
class NameNodeCopiesTest {
  private static final long STALE_MS = 30_000;
  private static final int STREAMS = 2;

  private final FakeDataNodes cluster = new FakeDataNodes().racks(2, 1);
  private final DatanodeDescriptor one = cluster.nodes.get(0);
  private final DatanodeDescriptor other = cluster.nodes.get(1);
  private final DatanodeStorageInfo target = cluster.nodes.get(2).getStorageInfos()[0];
  private final NameNodeCopies copies = new NameNodeCopies(blockManager(), new SourceQueue());

  private static BlockManager blockManager() {
    DatanodeManager datanodes = mock(DatanodeManager.class);
    when(datanodes.getStaleInterval()).thenReturn(STALE_MS);
    BlockManager blockManager = mock(BlockManager.class);
    when(blockManager.getDatanodeManager()).thenReturn(datanodes);
    when(blockManager.getMaxReplicationStreams()).thenReturn(STREAMS);
    return blockManager;
  }

  private DatanodeStorageInfo[] order(DatanodeDescriptor source, long block) {
    DatanodeStorageInfo[] targets = {target};
    source.addBlockToBeReplicated(new Block(block), targets);
    return targets;
  }

  private static List<Long> told(DatanodeDescriptor source) {
    List<Long> blocks = new ArrayList<>();
    var waiting = source.getReplicationCommand(Integer.MAX_VALUE);
    if (waiting != null) {
      waiting.forEach(copy -> blocks.add(copy.block.getBlockId()));
    }
    return blocks;
  }

  @Test
  void givesCopiesToOthersAndLeavesTheRestInOrder() {
    order(one, 1);
    DatanodeStorageInfo[] goes = order(one, 2);
    order(one, 3);
    copies.redirect(one, targets -> targets == goes ? other : null);
    assertEquals(List.of(1L, 3L), told(one));
    assertEquals(List.of(2L), told(other));
    copies.redirect(
        one,
        targets -> {
          throw new AssertionError("nothing waits");
        });
    assertNull(one.getReplicationCommand(1));
  }

  @Test
  void nobodyCanSendMoreThanHdfsLetsWait() {
    assertTrue(copies.canSend(one, 0));
    assertTrue(copies.canSend(one, STREAMS - 1));
    assertFalse(copies.canSend(one, STREAMS));
    order(one, 1);
    assertTrue(copies.canSend(one, 0));
    assertFalse(copies.canSend(one, STREAMS - 1));
    one.incrementPendingReplicationWithoutTargets(); // HDFS has drawn it for another
    assertFalse(copies.canSend(one, 0));
  }

  @Test
  void theDeadTheSilentAndTheDrainedSendNothing() {
    one.setAlive(false);
    assertFalse(copies.canSend(one, 0));
    one.setAlive(true);
    one.startDecommission();
    assertFalse(copies.canSend(one, 0));
    one.stopDecommission();
    one.setLastUpdateMonotonic(Time.monotonicNow() - STALE_MS - 1000);
    assertFalse(copies.canSend(one, 0));
    one.setLastUpdateMonotonic(Time.monotonicNow());
    assertTrue(copies.canSend(one, 0));
  }
}
