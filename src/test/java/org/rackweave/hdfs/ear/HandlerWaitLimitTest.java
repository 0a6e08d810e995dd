package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.ipc.RetriableException;
import org.junit.jupiter.api.Test;

class HandlerWaitLimitTest {
  private static final long LONG_MS = 60_000;

  @Test
  void aQuarterOfTheHandlersWaitsAndTheNextIsToldToTryAgain() throws Exception {
    try (HandlerWaitLimit waits = new HandlerWaitLimit(10, () -> LONG_MS)) {
      HandlerWaitLimit.Place first = waits.enter("/a");
      HandlerWaitLimit.Place second = waits.enter("/b");
      RetriableException refused =
          assertThrows(RetriableException.class, () -> waits.enter("/c").close());
      assertTrue(refused.getMessage().startsWith("/c "), refused::getMessage);
      first.close();
      waits.enter("/c").close();
      second.close();
    }
  }

  @Test
  void waitsNoLongerThanItIsAllowed() throws Exception {
    try (HandlerWaitLimit waits = new HandlerWaitLimit(1, () -> 1);
        HandlerWaitLimit.Place place = waits.enter("/a")) {
      assertFalse(place.await(() -> false));
      assertTrue(place.await(() -> true));
    }
  }

  @Test
  void workThatWasNotBegunInTimeIsNeverDoneAndLeavesTheQueue() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger done = new AtomicInteger();
    HandlerWaitLimit waits = new HandlerWaitLimit(4, () -> 1);
    try (HandlerWaitLimit.Place place = waits.enter("/a")) {
      assertThrows(RetriableException.class, () -> place.asSuperuser(() -> await(go)));
      for (int i = 0; i < 5; i++) {
        assertThrows(RetriableException.class, () -> place.asSuperuser(done::incrementAndGet));
      }
      go.countDown();
    }
    try (HandlerWaitLimit.Place place = waits.enter("/a")) {
      place.await(() -> false);
      assertEquals(0, done.get());
    }
    waits.close();
  }

  private static void await(CountDownLatch latch) {
    CallStops.awaitUninterrupted(latch);
  }

  @Test
  void whatTheWorkThrowsReachesTheCaller() throws Exception {
    try (HandlerWaitLimit waits = new HandlerWaitLimit(4, () -> LONG_MS);
        HandlerWaitLimit.Place place = waits.enter("/a")) {
      assertThrows(
          FileNotFoundException.class,
          () ->
              place.asSuperuser(
                  () -> {
                    throw new FileNotFoundException("/a");
                  }));
    }
  }
}
