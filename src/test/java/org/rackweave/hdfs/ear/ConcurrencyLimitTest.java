package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitTest {
  private int atATime = 2;
  private final ConcurrencyLimit turns = new ConcurrencyLimit(() -> atATime);
  private final List<CompletableFuture<String>> begun = new ArrayList<>();

  private CompletableFuture<String> begin() {
    return turns.begin(
        () -> {
          begun.add(new CompletableFuture<>());
          return begun.get(begun.size() - 1);
        });
  }

  @Test
  void theThirdBeginsWhenOneIsOver() {
    CompletableFuture<String> first = begin();
    begin();
    CompletableFuture<String> third = begin();
    assertEquals(2, begun.size());
    begun.get(0).complete("first");
    assertEquals("first", first.join());
    assertEquals(3, begun.size());
    assertFalse(third.isDone());
    begun.get(2).complete("third");
    assertEquals("third", third.join());
  }

  @Test
  void asManyBeginAsMayBeUnderWayByThen() {
    for (int i = 0; i < 6; i++) {
      begin();
    }
    atATime = 4;
    begun.get(0).complete("over");
    assertEquals(5, begun.size());
    atATime = 1;
    begun.get(1).complete("over");
    assertEquals(5, begun.size());
  }

  @Test
  void whatFailsGivesItsTurnOn() {
    CompletableFuture<String> refused =
        turns.begin(
            () -> {
              throw new IllegalStateException("full");
            });
    assertTrue(refused.isCompletedExceptionally());
    CompletableFuture<String> failed = begin();
    begin();
    begin();
    begun.get(0).completeExceptionally(new IllegalStateException("broken"));
    assertTrue(failed.isCompletedExceptionally());
    assertEquals(3, begun.size());
  }
}
