package org.rackweave.hdfs.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;

class WorkQueueTest {
  private static final String NODE = "uuid-1";
  private static final long FIRST = 1000;
  private static final long SILENCE_MS = 60_000;

  private final WorkQueue queue = new WorkQueue("DataNode", SILENCE_MS, FIRST);
  private final EncodeTask task = WorkCodecTest.task(new ErasureCode(2, 1));

  private WorkReply heard(long nowMs, WorkReport... reports) throws IOException {
    byte[] said = reports.length == 0 ? null : WorkCodec.encode(List.of(reports));
    byte[] reply = queue.heard(NODE, said, nowMs);
    return reply == null ? null : WorkCodec.reply(reply);
  }

  private static WorkReport taken(long id) {
    return new WorkReport(id, WorkReport.State.TAKEN, 5, "");
  }

  private static WorkReport done(long id) {
    return new WorkReport(id, WorkReport.State.DONE, 9, "");
  }

  @Test
  void whoHasNoOrdersIsToldNothing() throws IOException {
    assertNull(heard(0));
    assertTrue(queue.isIdle());
    queue.give("another", task, 1000, 0);
    assertFalse(queue.isIdle());
    assertNull(heard(0));
  }

  @Test
  void namesThoseWhoHaveNotSaidThatTheyHaveAnOrder() throws IOException {
    queue.give(NODE, task, 1000, 0);
    queue.give("another", task, 1000, 0);
    assertEquals(List.of("another", NODE), queue.withNewOrders().stream().sorted().toList());
    long id = heard(0).orders().get(0).id();
    heard(1, taken(id));
    assertEquals(List.of("another"), queue.withNewOrders());
  }

  @Test
  void anOrderIsRepeatedUntilItIsTakenAndWantedUntilItIsDone() throws IOException {
    CompletableFuture<WorkReport> over = queue.give(NODE, task, 100_000, 0);
    for (int heartbeat = 0; heartbeat < 2; heartbeat++) {
      WorkReply first = heard(heartbeat);
      assertEquals(FIRST, first.orders().get(0).id());
      assertEquals(List.of(), first.wanted());
    }
    WorkReply second = heard(3, taken(FIRST));
    assertEquals(List.of(), second.orders());
    assertEquals(List.of(FIRST), second.wanted());
    assertFalse(over.isDone());
    WorkReply last = heard(4, done(FIRST));
    assertFalse(last.wants(FIRST));
    assertEquals(done(FIRST), over.join());
    assertEquals(0, queue.outstanding(NODE));
    // The DataNode has not got that reply and says it again.
    assertFalse(heard(5, done(FIRST)).wants(FIRST));
    assertNull(heard(6));
  }

  @Test
  void whatAnotherNameNodeOrderedIsNotWanted() throws IOException {
    assertFalse(heard(0, taken(5)).wants(5));
  }

  @Test
  void aSilentOrLateDataNodeHasFailed() throws IOException {
    CompletableFuture<WorkReport> silent = queue.give(NODE, task, 10 * SILENCE_MS, 0);
    queue.expire(SILENCE_MS);
    assertFalse(silent.isDone());
    queue.expire(SILENCE_MS + 1);
    assertTrue(silent.join().message().contains(NODE), silent.join().message());
    CompletableFuture<WorkReport> late = queue.give(NODE, task, 1000, 0);
    heard(900, taken(FIRST + 1));
    queue.expire(1001);
    assertEquals(WorkReport.State.FAILED, late.join().state());
    assertFalse(heard(1002, taken(FIRST + 1)).wants(FIRST + 1));
  }

  @Test
  void withdrawalEndsEverything() throws IOException {
    CompletableFuture<WorkReport> one = queue.give(NODE, task, 1000, 0);
    CompletableFuture<WorkReport> other = queue.give("another", task, 1000, 0);
    queue.withdrawAll();
    assertEquals(WorkReport.State.FAILED, one.join().state());
    assertEquals(WorkReport.State.FAILED, other.join().state());
    assertNull(heard(1));
  }

  @Test
  void ordersOfOneDataNodeAreBoundedAndComeAFewAtATime() throws IOException {
    for (int i = 0; i < WorkCodec.ENTRIES_MAX; i++) {
      queue.give(NODE, task, 1000, 0);
    }
    assertThrows(IllegalStateException.class, () -> queue.give(NODE, task, 1000, 0));
    assertEquals(WorkCodec.ENTRIES_MAX, queue.outstanding(NODE));
    assertEquals(2, heard(0).orders().size());
    WorkReply next = heard(0, taken(FIRST), taken(FIRST + 1));
    assertEquals(FIRST + 2, next.orders().get(0).id());
    assertEquals(2, next.wanted().size());
  }

  @Test
  void questionsAreAskedOnceAllElseIsTaken() throws IOException {
    SearchTask question = new SearchTask(task.code(), task.data());
    queue.give(NODE, question, 100_000, 0);
    queue.give(NODE, task, 100_000, 0);
    assertEquals(List.of(FIRST + 1), ids(heard(0)), "who knows no questions can do this");
    assertEquals(List.of(FIRST), ids(heard(1, taken(FIRST + 1))));
    queue.give(NODE, task, 100_000, 2);
    assertEquals(List.of(FIRST + 2), ids(heard(2)));
    assertEquals(List.of(FIRST), ids(heard(10_001)), "however much work there is");
    assertEquals(List.of(FIRST + 2), ids(heard(10_002)));
  }

  private static List<Long> ids(WorkReply reply) {
    return reply.orders().stream().map(WorkOrder::id).toList();
  }

  @Test
  void nonsenseChangesNothing() throws IOException {
    CompletableFuture<WorkReport> order = queue.give(NODE, task, 1000, 0);
    byte[] reply = queue.heard(NODE, new byte[] {9, 9, 9}, 1);
    assertTrue(WorkCodec.reply(reply).wants(FIRST));
    assertFalse(order.isDone());
  }
}
