package org.rackweave.cli.ear.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.EncodeTasks;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkQueue;

/** What a queue and a NameNode's orders say to each other; there is never room for a job. */
class RackQueueTest {
  private static final String RACK = "/r0";

  private final WorkQueue orders = new WorkQueue("rack", 1000, 1);
  private final RackQueue queue =
      new RackQueue(
          RACK,
          Set.of("host"),
          new RackQueue.Means(
              null, this::answer, null, null, null, 0, new YarnFigures(line -> {})));

  private byte[] answer(String rack, byte[] said) {
    assertEquals(RACK, rack);
    return orders.heard(RACK, said, 0);
  }

  private void give(int stripes) {
    EncodeTask task = EncodeTasks.of(ErasureCode.named("rs-2-1"), 1, 0);
    for (int i = 0; i < stripes; i++) {
      orders.give(RACK, task, 1000, 0);
    }
  }

  @Test
  void fetchesAllThereIsAndDropsWhatIsNotWanted() throws Exception {
    give(WorkCodec.ENTRIES_MAX);
    queue.step();
    assertTrue(orders.withNewOrders().isEmpty());
    assertFalse(queue.isIdle());
    orders.withdrawAll();
    queue.step();
    assertTrue(queue.isIdle());
  }

  /** Otherwise each of its stripes would wait for a job that fails. */
  @Test
  void remembersThatItHasGivenUp() throws Exception {
    List<String> complaints = new ArrayList<>();
    DistributedFileSystem full = mock(DistributedFileSystem.class);
    when(full.getHomeDirectory()).thenReturn(new Path("/user/operator"));
    when(full.mkdirs(any(), any())).thenThrow(new IOException("no room"));
    RackQueue failing =
        new RackQueue(
            RACK,
            Set.of("host"),
            new RackQueue.Means(
                null, this::answer, null, null, full, 1, new YarnFigures(complaints::add)));
    assertTrue(failing.isForgettable());
    for (int round = 0; round < 2; round++) {
      give(RackQueue.STRIPES_PER_JOB);
      failing.step();
      failing.step();
      assertTrue(failing.isIdle(), "all is told");
      assertTrue(orders.isIdle(), "all is refused");
      assertFalse(failing.isForgettable());
    }
    assertEquals(List.of("/r0: no room; DataNodes encode its stripes"), complaints);
    verify(full, times(1)).mkdirs(any(), any());
  }
}
