package org.rackweave.hdfs.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The one thread that does all of it, asked by others. */
class EafrServiceTest {
  private static final long LONG_MS = 60_000;

  @Test
  void whatDoesNotGetItsTurnInTimeIsNeverDone() {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      assertEquals("done", EafrService.inTurn(thread, () -> "done", LONG_MS));
      CountDownLatch end = new CountDownLatch(1);
      thread.execute(
          () -> {
            try {
              end.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      AtomicBoolean isDone = new AtomicBoolean();
      IllegalStateException busy =
          assertThrows(
              IllegalStateException.class,
              () -> EafrService.inTurn(thread, () -> isDone.getAndSet(true), 1));
      assertEquals("the service is busy; try again", busy.getMessage());
      end.countDown();
      assertFalse(EafrService.inTurn(thread, isDone::get, LONG_MS));
    } finally {
      thread.shutdownNow();
    }
    assertThrows(
        IllegalStateException.class, () -> EafrService.inTurn(thread, () -> "late", LONG_MS));
  }
}
