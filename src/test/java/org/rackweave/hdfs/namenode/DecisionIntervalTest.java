package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.RackweaveConfig;

class DecisionIntervalTest {
  private final ExecutorService handlers = Executors.newCachedThreadPool();
  private final PlacementContext context =
      new PlacementContext(
          RackweaveConfig.from(new Configuration(false)), new NetworkTopology(), () -> 30_000, 0);

  @AfterEach
  void stop() {
    handlers.shutdownNow();
    context.close();
  }

  /** Section 5.2: fewest remaining blocks first. */
  @Test
  void decidesTheRequestsOfAnIntervalByFewestRemainingBlocks() throws Exception {
    List<Long> order = Collections.synchronizedList(new ArrayList<>());
    try (DecisionInterval interval = new DecisionInterval(10_000, 10, context.metrics())) {
      List<Future<Boolean>> answers = new ArrayList<>();
      for (long remaining : new long[] {9, 2, 5}) {
        answers.add(handlers.submit(() -> interval.decide(remaining, () -> order.add(remaining))));
      }
      RackCluster.await("three handlers held", () -> interval.heldCount() == 3);
      interval.dispatch();
      for (Future<Boolean> answer : answers) {
        answer.get(60, TimeUnit.SECONDS);
      }
    }
    assertEquals(List.of(2L, 5L, 9L), order);
  }

  @Test
  void decidesAtOnceBeyondTheBoundOnHeldHandlers() {
    try (DecisionInterval interval = new DecisionInterval(10_000, 0, context.metrics())) {
      assertEquals("now", interval.decide(1, () -> "now"));
      assertEquals(1, context.metrics().withoutWaitingCount());
    }
  }

  @Test
  void decidesAtOnceWithoutAnInterval() {
    try (DecisionInterval interval = new DecisionInterval(0, 8, context.metrics())) {
      assertEquals("now", interval.decide(1, () -> "now"));
    }
  }

  @Test
  void handsAFailureToTheHandlerThatWaits() {
    try (DecisionInterval interval = new DecisionInterval(10, 8, context.metrics())) {
      IllegalStateException failed =
          assertThrows(
              IllegalStateException.class,
              () ->
                  interval.decide(
                      1,
                      () -> {
                        throw new IllegalArgumentException("surprise");
                      }));
      assertEquals("surprise", failed.getCause().getMessage());
    }
  }

  @Test
  void freesEveryHandlerWhenItCloses() throws Exception {
    DecisionInterval interval = new DecisionInterval(10_000, 8, context.metrics());
    Future<String> answer = handlers.submit(() -> interval.decide(1, () -> "decided"));
    RackCluster.await("a handler held", () -> interval.heldCount() == 1);
    interval.close();
    assertEquals("decided", answer.get(60, TimeUnit.SECONDS));
    assertEquals("at once", interval.decide(1, () -> "at once"));
  }
}
