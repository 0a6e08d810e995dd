package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.EncodeTasks;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkReport;

/** Whose work it is while a command says what it does, and when it does not any more. */
class OutsideEngineTest {
  private static final String RACK = "/r0";
  private static final long MINUTE_MS = 60_000;
  private static final long BEGAN_MS = 5_000_000;

  private final List<EncodeEngine.Work> byOthers = new ArrayList<>();
  private final OutsideEngine engine =
      new OutsideEngine(
          (work, nowMs) -> {
            byOthers.add(work);
            WorkReport done = new WorkReport(0, WorkReport.State.DONE, 0, "");
            return new EncodeEngine.Given(
                "a DataNode", CompletableFuture.completedFuture(done), MINUTE_MS, List.of());
          },
          () -> 1,
          () -> null);

  OutsideEngineTest() {
    engine.serve(Set.of(RACK), BEGAN_MS);
  }

  private static EncodeEngine.Work work(String rack) {
    EncodeTask task = EncodeTasks.of(ErasureCode.named("rs-2-1"), 1, 0);
    return new EncodeEngine.Work(task, rack, List.of(), 1);
  }

  /** The command fetches what there is, and says that it has it. */
  private List<WorkOrder> fetch(long nowMs) throws Exception {
    List<WorkOrder> orders =
        WorkCodec.reply(engine.heard(RACK, WorkCodec.encode(List.of()), nowMs)).orders();
    engine.heard(
        RACK,
        WorkCodec.encode(
            orders.stream()
                .map(order -> new WorkReport(order.id(), WorkReport.State.TAKEN, 0, ""))
                .toList()),
        nowMs);
    return orders;
  }

  @Test
  void workOfItsRacksWaitsForTheCommandAndOtherWorkDoesNot() throws Exception {
    CompletableFuture<WorkReport> outside = engine.give(work(RACK), BEGAN_MS).report();
    engine.give(work("/r1"), BEGAN_MS);
    assertEquals(List.of("/r1"), byOthers.stream().map(EncodeEngine.Work::rack).toList());
    assertEquals(List.of(RACK), engine.racksWithNewWork(BEGAN_MS));
    assertEquals(1, fetch(BEGAN_MS).size());
    assertFalse(outside.isDone());
  }

  @Test
  void whatACommandHadFailsWhenItLeavesAndWhatComesThenIsDataNodes() throws Exception {
    CompletableFuture<WorkReport> fetched = engine.give(work(RACK), BEGAN_MS).report();
    fetch(BEGAN_MS);
    CompletableFuture<WorkReport> waiting = engine.give(work(RACK), BEGAN_MS).report();
    engine.serve(Set.of(), BEGAN_MS + 1);
    assertEquals(WorkReport.State.FAILED, fetched.getNow(null).state());
    assertEquals(WorkReport.State.FAILED, waiting.getNow(null).state());
    assertEquals(
        WorkReport.State.DONE, engine.give(work(RACK), BEGAN_MS + 2).report().getNow(null).state());
    assertEquals(1, byOthers.size());
  }

  @Test
  void aCommandThatSaysNothingForAMinuteIsTakenToHaveGone() {
    CompletableFuture<WorkReport> laidOut = engine.give(work(RACK), BEGAN_MS).report();
    long nowMs = BEGAN_MS + MINUTE_MS + 1;
    engine.expire(nowMs);
    assertEquals(WorkReport.State.FAILED, laidOut.getNow(null).state());
    assertTrue(engine.give(work(RACK), nowMs).report().isDone());
    assertEquals(1, byOthers.size());

    // It was only slow.
    engine.racksWithNewWork(nowMs + 1);
    assertFalse(engine.give(work(RACK), nowMs + 2).report().isDone());
    assertEquals(1, byOthers.size());
  }
}
