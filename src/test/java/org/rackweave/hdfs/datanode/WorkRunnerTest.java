package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.test.GenericTestUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.erasure.CoderSelection;
import org.rackweave.hdfs.erasure.ErasureConfig;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.SearchTask;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkReply;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.hdfs.work.WorkResult;

class WorkRunnerTest {
  private static final long PATIENCE_SEC = 60;

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private WorkRunner bench = bench(1);

  private WorkRunner bench(int threads) {
    return new WorkRunner(
        (task, coding, progress) -> {
          if (task instanceof SearchTask) {
            assertNull(coding, "a question needs no buffers");
            return new WorkResult(List.of(7L), List.of());
          }
          if (task.bytesPerSec() == 13) {
            throw new IOException("thirteen");
          }
          progress.accept(42);
          begun.countDown();
          try {
            mayEnd.await();
          } catch (InterruptedException e) {
            interrupted.countDown();
            throw new IOException("broken off", e);
          }
          return new WorkResult(List.of(40L, 2L), List.of());
        },
        CoderSelection.of(ErasureConfig.from(new Configuration())),
        threads);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static WorkOrder order(long id, long bytesPerSec) {
    List<LocatedBlock> blocks = new ArrayList<>();
    DatanodeInfo node = new DatanodeInfoBuilder().setDatanodeUuid("uuid").build();
    for (int i = 0; i < 3; i++) {
      blocks.add(
          new LocatedBlock(
              new ExtendedBlock("pool", i, 1, 1),
              new DatanodeInfo[] {node},
              new String[] {"storage"},
              new StorageType[] {StorageType.DISK}));
    }
    ErasureCode code = new ErasureCode(2, 1);
    return new WorkOrder(
        id, new EncodeTask(code, blocks.subList(0, 2), blocks.subList(2, 3), bytesPerSec));
  }

  private static WorkOrder question(long id) {
    LocatedBlock block =
        new LocatedBlock(new ExtendedBlock("pool", 1, 7, 1), DatanodeInfo.EMPTY_ARRAY, null, null);
    return new WorkOrder(id, new SearchTask(new ErasureCode(2, 1), List.of(block)));
  }

  @Test
  void answersQuestionsThoughAllThreadsAreBusy() throws Exception {
    bench.follow(new WorkReply(List.of(order(1, 0)), List.of()));
    assertTrue(begun.await(PATIENCE_SEC, TimeUnit.SECONDS));
    bench.follow(new WorkReply(List.of(question(2)), List.of(1L)));
    assertEquals(List.of(7L), over(1).readBytes());
  }

  @Test
  void answersQuestionsThoughItTakesNoWork() throws Exception {
    bench = bench(0);
    bench.follow(new WorkReply(List.of(question(2)), List.of()));
    assertEquals(List.of(7L), over(0).readBytes());
  }

  private static WorkReply wants(long... ids) {
    List<Long> wanted = new ArrayList<>();
    for (long id : ids) {
      wanted.add(id);
    }
    return new WorkReply(List.of(), wanted);
  }

  private WorkReport over(int index) throws Exception {
    GenericTestUtils.waitFor(
        () -> bench.reports().get(index).isOver(), 10, (int) PATIENCE_SEC * 1000);
    return bench.reports().get(index);
  }

  @Test
  void doesAnOrderOnceHoweverOftenItComesAndForgetsItWhenNobodyWantsIt() throws Exception {
    WorkReply reply = new WorkReply(List.of(order(1, 0)), List.of());
    bench.follow(reply);
    bench.follow(reply);
    assertTrue(begun.await(PATIENCE_SEC, TimeUnit.SECONDS));
    assertEquals(List.of(new WorkReport(1, WorkReport.State.TAKEN, 42, "")), bench.reports());
    mayEnd.countDown();
    assertEquals(new WorkReport(1, WorkReport.State.DONE, 42, "", List.of(40L, 2L)), over(0));
    bench.follow(wants(1));
    assertEquals(1, bench.reports().size());
    bench.follow(wants());
    assertEquals(List.of(), bench.reports());
  }

  @Test
  void breaksOffWhatIsNotWantedAnyMore() throws Exception {
    bench.follow(new WorkReply(List.of(order(1, 0)), List.of()));
    assertTrue(begun.await(PATIENCE_SEC, TimeUnit.SECONDS));
    bench.follow(wants());
    assertTrue(interrupted.await(PATIENCE_SEC, TimeUnit.SECONDS));
    assertEquals(List.of(), bench.reports());
  }

  @Test
  void closingBreaksOffEverything() throws Exception {
    bench.follow(new WorkReply(List.of(order(1, 0)), List.of()));
    assertTrue(begun.await(PATIENCE_SEC, TimeUnit.SECONDS));
    bench.close();
    assertTrue(interrupted.await(PATIENCE_SEC, TimeUnit.SECONDS));
    bench.follow(new WorkReply(List.of(order(2, 0)), List.of()));
    assertEquals(List.of(), bench.reports());
  }

  @Test
  void saysWhyAnOrderFailed() throws Exception {
    bench.follow(new WorkReply(List.of(order(1, 13)), List.of()));
    assertEquals(new WorkReport(1, WorkReport.State.FAILED, 0, "thirteen"), over(0));
  }

  @Test
  void aDataNodeMayBeSetToTakeNoWork() throws Exception {
    bench.close();
    bench = bench(0);
    bench.follow(new WorkReply(List.of(order(1, 0)), List.of()));
    assertEquals(WorkReport.State.FAILED, over(0).state());
  }
}
