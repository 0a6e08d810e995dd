package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReportInboxTest {
  private static final long WALL_MS = 1_700_000_000_000L;

  private final UtilisationCollector collector =
      new UtilisationCollector(new CollectorSettings(0.2, 15_000, 300_000, 0, 100e6, true), 0);
  private final FakeAgent agent = new FakeAgent(WALL_MS);
  private final ReportInbox inbox = new ReportInbox();

  @Test
  void delaysReportsUntilTheyAreRead() {
    collector.retainOnly(Set.of("a"), 0);
    inbox.put("a", agent.bytes());
    assertEquals(0, collector.acceptedCount());
    inbox.deliverTo(collector, 0, WALL_MS);
    assertEquals(1, collector.acceptedCount());
    inbox.deliverTo(collector, 0, WALL_MS);
    assertEquals(1, collector.acceptedCount(), "and reads them once");
  }

  @Test
  void readsTheReportsOfOneNodeInTheOrderTheyCame() {
    collector.retainOnly(Set.of("a"), 0);
    for (int i = 0; i < 10; i++) {
      inbox.put("a", agent.runs(1000, 1, 1).bytes());
    }
    inbox.deliverTo(collector, 0, agent.wallMs());
    assertEquals(10, collector.acceptedCount());
    assertEquals(0, collector.droppedCount(DropCause.REPLAYED));
  }

  @Test
  void countsWhatCannotBeReadAndReadsOn() {
    collector.retainOnly(Set.of("a"), 0);
    inbox.put("a", new byte[] {99});
    inbox.put("stranger", agent.bytes());
    inbox.put("a", agent.bytes());
    inbox.deliverTo(collector, 0, WALL_MS);
    assertEquals(1, collector.droppedCount(DropCause.UNSUPPORTED_VERSION));
    assertEquals(1, collector.droppedCount(DropCause.UNKNOWN_NODE));
    assertEquals(1, collector.acceptedCount());
  }

  @Test
  void keepsTheNewestWhenNobodyReads() {
    collector.retainOnly(Set.of("a"), 0);
    int lost = 5;
    for (int i = 0; i < ReportInbox.CAPACITY + lost; i++) {
      inbox.put("a", agent.runs(1000, 1, 1).bytes());
    }
    inbox.deliverTo(collector, 0, agent.wallMs());
    assertEquals(lost, collector.droppedCount(DropCause.OVERRUN));
    assertEquals(ReportInbox.CAPACITY, collector.acceptedCount());
    assertEquals(
        DropCause.REPLAYED,
        collector.accept("a", agent.report(), 0, agent.wallMs()),
        "the last report put was read");
  }

  @Test
  void losesNothingBetweenManyHandlersAndAReader() throws InterruptedException {
    int handlers = 8;
    int reportsEach = 3000; // all of them fit, so none may be lost
    collector.retainOnly(
        Set.of(IntStream.range(0, handlers).mapToObj(n -> "n" + n).toArray(String[]::new)), 0);
    CountDownLatch done = new CountDownLatch(handlers);
    for (int n = 0; n < handlers; n++) {
      String node = "n" + n;
      new Thread(
              () -> {
                FakeAgent own = new FakeAgent(WALL_MS);
                for (int i = 0; i < reportsEach; i++) {
                  inbox.put(node, own.runs(1, 1, 1).bytes());
                }
                done.countDown();
              })
          .start();
    }
    while (done.getCount() > 0) {
      inbox.deliverTo(collector, 0, WALL_MS);
    }
    done.await();
    inbox.deliverTo(collector, 0, WALL_MS);
    for (DropCause cause : DropCause.values()) {
      assertEquals(0, collector.droppedCount(cause), cause.label());
    }
    assertTrue(handlers * reportsEach < ReportInbox.CAPACITY);
    assertEquals(handlers * reportsEach, collector.acceptedCount());
  }
}
