package org.rackweave.hdfs.namenode;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookTimer;
import org.rackweave.sinbad.RequestQueue;

/**
 * Sinbad's decision interval q (section 5.2): requests that arrive within it wait and are then
 * decided in the order of OPT'. The wait happens in the RPC handler of the client's request, where
 * HDFS holds no lock; at most a configured number of handlers is held, further requests are decided
 * at once.
 *
 * <p>A request never waits for longer than two intervals and a second, whatever happens to the
 * dispatching thread: then its own handler decides.
 */
public final class DecisionInterval implements AutoCloseable {
  private static final long GRACE_MS = 1000;

  private final long intervalMs;
  private final PlacementMetrics metrics;
  private final RequestQueue<Pending<?>> queue;
  private final HookTimer dispatcher;
  private boolean closed;

  private static final class Pending<T> {
    final AtomicBoolean claimed = new AtomicBoolean();
    final CompletableFuture<T> answer = new CompletableFuture<>();
    final Supplier<T> decision;

    Pending(Supplier<T> decision) {
      this.decision = decision;
    }

    void decide() {
      if (claimed.compareAndSet(false, true)) {
        try {
          answer.complete(decision.get());
        } catch (Throwable e) { // its caller's to handle, who waits
          answer.completeExceptionally(e);
        }
      }
    }
  }

  DecisionInterval(long intervalMs, int maxHeld, PlacementMetrics metrics) {
    this.intervalMs = intervalMs;
    this.metrics = metrics;
    queue = new RequestQueue<>(maxHeld);
    dispatcher = intervalMs == 0 ? null : new HookTimer("rackweave-decision-interval");
    if (dispatcher != null) {
      dispatcher.after(Hook.DECISION_INTERVAL, intervalMs, this::dispatch);
    }
  }

  /** Whether requests wait at all. */
  public boolean isOn() {
    return intervalMs > 0;
  }

  /**
   * Decides a request in its turn.
   *
   * @param remainingBlocks blocks of the file that are still to be placed
   * @param decision what to do when its turn comes
   */
  public <T> T decide(long remainingBlocks, Supplier<T> decision) {
    Pending<T> pending = new Pending<>(decision);
    boolean held;
    synchronized (queue) {
      held = !closed && dispatcher != null && queue.offer(pending, remainingBlocks);
    }
    if (!held) {
      metrics.decidedWithoutWaiting();
      return decision.get();
    }
    try {
      return pending.answer.get(2 * intervalMs + GRACE_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return decideInsteadOfDispatcher(pending);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return decideInsteadOfDispatcher(pending);
    } catch (ExecutionException e) {
      throw new IllegalStateException("decision failed", e.getCause());
    }
  }

  /** One thread at a time works on a decision: the dispatcher's turn, once begun, is its own. */
  private <T> T decideInsteadOfDispatcher(Pending<T> pending) {
    if (!pending.claimed.compareAndSet(false, true)) {
      throw new IllegalStateException("the decision's turn has come but does not end");
    }
    metrics.decidedWithoutWaiting();
    return pending.decision.get();
  }

  /** RPC handlers that wait now. */
  int heldCount() {
    synchronized (queue) {
      return queue.size();
    }
  }

  /** Decides everything that waits; called once per interval. */
  void dispatch() {
    Iterable<Pending<?>> due;
    synchronized (queue) {
      due = queue.drain();
    }
    for (Pending<?> pending : due) {
      pending.decide();
    }
  }

  @Override
  public void close() {
    synchronized (queue) {
      closed = true;
    }
    if (dispatcher != null) {
      dispatcher.closeNow();
      dispatch();
    }
  }
}
