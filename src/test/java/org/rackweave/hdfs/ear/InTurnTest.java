package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class InTurnTest {
  private final InTurn turns = new InTurn(2);
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
