package org.rackweave.hdfs.ear;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Has a few things under way at a time; others begin when one of them is over. Thread-safe. */
final class ConcurrencyLimit {
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private final IntSupplier atATime;
  private int underWay;

  /**
   * @param atATime things, at least 1
   */
  ConcurrencyLimit(IntSupplier atATime) {
    this.atATime = atATime;
  }

  /**
   * Begins something, at once or when it is its turn.
   *
   * @return completes as what was begun, exceptionally too when beginning fails
   */
  <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> beginning) {
    CompletableFuture<T> over = new CompletableFuture<>();
    Runnable turn = () -> begin(beginning, over);
    synchronized (this) {
      if (underWay >= atATime.getAsInt()) {
        waiting.add(turn);
        return over;
      }
      underWay++;
    }
    turn.run();
    return over;
  }

  private <T> void begin(Supplier<CompletableFuture<T>> beginning, CompletableFuture<T> over) {
    CompletableFuture<T> begun;
    try {
      begun = beginning.get();
    } catch (RuntimeException | Error e) {
      begun = CompletableFuture.failedFuture(e);
    }
    begun.whenComplete(
        (result, failure) -> {
          next();
          if (failure == null) {
            over.complete(result);
          } else {
            over.completeExceptionally(failure);
          }
        });
  }

  private void next() {
    List<Runnable> turns = new ArrayList<>();
    synchronized (this) {
      underWay--;
      while (underWay < atATime.getAsInt() && !waiting.isEmpty()) {
        turns.add(waiting.poll());
        underWay++;
      }
    }
    turns.forEach(Runnable::run);
  }
}
