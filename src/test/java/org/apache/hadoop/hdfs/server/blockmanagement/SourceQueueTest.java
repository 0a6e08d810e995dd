package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor.BlockTargetPair;
import org.junit.jupiter.api.Test;

/** HDFS's own queues, of which recovery keeps copies and others redirect some. */
class SourceQueueTest {
  private static final long DEADLINE_SEC = 60;

  private final FakeDataNodes cluster = new FakeDataNodes().racks(2, 1);
  private final DatanodeDescriptor source = cluster.nodes.get(0);
  private final DatanodeDescriptor target = cluster.nodes.get(1);
  private final SourceQueue queue = new SourceQueue();
  private final CopyOrders orders = new CopyOrders(queue);

  private void order(long... blocks) {
    for (long block : blocks) {
      source.addBlockToBeReplicated(
          new Block(block), new DatanodeStorageInfo[] {target.getStorageInfos()[0]});
    }
  }

  private static List<Long> ids(List<BlockTargetPair> copies) {
    return Stream.ofNullable(copies)
        .flatMap(List::stream)
        .map(copy -> copy.block.getBlockId())
        .toList();
  }

  private List<Long> left() {
    return ids(source.getReplicationCommand(Integer.MAX_VALUE));
  }

  @Test
  void theMostUrgentOfTheKeptGoesFirstAndTheOthersStayWhereTheyAre() {
    order(1, 2, 3, 4);
    orders.keep(source, 2, target, /* priority= */ 3);
    orders.keep(source, 4, target, /* priority= */ 0);
    orders.keep(source, 1, source, 0); // goes elsewhere
    orders.keep(source, 9, target, 0);
    assertEquals(2, orders.waiting(source));
    assertEquals(List.of(4L, 2L), ids(orders.next(source, 5)));
    assertEquals(List.of(1L, 3L), left());
  }

  @Test
  void whatIsHandedOverWaitsBehindTheOthers() {
    order(1, 2);
    orders.keep(source, 1, target, 0);
    orders.handOver();
    assertEquals(0, orders.waiting());
    assertEquals(List.of(2L, 1L), left());
  }

  @Test
  void nobodyMissesACopyThatAnotherIsOffered() throws Exception {
    order(1, 2);
    CountDownLatch isOffered = new CountDownLatch(1);
    CountDownLatch isRefused = new CountDownLatch(1);
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(
            () ->
                queue.offer(
                    source,
                    copy -> {
                      isOffered.countDown();
                      await(isRefused);
                      return false;
                    }));
    await(isOffered);
    Thread keeper = new Thread(() -> orders.keep(source, 1, target, 0));
    keeper.start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SEC);
    while (keeper.getState() != Thread.State.BLOCKED && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    isRefused.countDown();
    other.get(DEADLINE_SEC, TimeUnit.SECONDS);
    keeper.join(TimeUnit.SECONDS.toMillis(DEADLINE_SEC));
    assertEquals(1, orders.waiting(source));
    assertEquals(List.of(2L), left());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(DEADLINE_SEC, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
