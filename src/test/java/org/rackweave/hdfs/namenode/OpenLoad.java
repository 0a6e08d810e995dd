package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.rackweave.cli.testbed.compare.RecoveryShow.Latencies;

/**
 * Operations that begin when they are due, whatever has become of those before. Their times run
 * from when they were due.
 */
final class OpenLoad implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 120;

  private final long beganNanos = System.nanoTime();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** One operation, the number of which says what it does. */
  interface Operation {
    void run(int number) throws IOException;

    /** What has to be done after it, and is not timed. */
    default void tidy(int number) throws IOException {}
  }

  /** An operation's seconds, or its failure. */
  private record Due(int atMs, Future<?> start, CompletableFuture<Double> outcome) {}

  /** Operations of a kind. */
  static final class Stream {
    private final List<Due> all = new ArrayList<>();

    private double[] secondsOfThose(long fromMs, long toMs) {
      return all.stream()
          .filter(due -> due.atMs() >= fromMs && due.atMs() < toMs)
          .mapToDouble(due -> await(due.outcome()))
          .toArray();
    }

    /** Waits for those due by then; fails when one of them has failed. */
    Latencies latencies(long fromMs, long deathMs, long wholeMs) {
      return new Latencies(secondsOfThose(fromMs, deathMs), secondsOfThose(deathMs, wholeMs));
    }

    private static double await(CompletableFuture<Double> outcome) {
      try {
        return outcome.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      } catch (ExecutionException | TimeoutException e) {
        throw new AssertionError("an operation of others failed", e);
      }
    }
  }

  /** Milliseconds since the load began. */
  long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
  }

  /**
   * Has operations begin.
   *
   * @param atMs when, in milliseconds since the load began
   */
  Stream begin(List<Integer> atMs, Operation operation) {
    Stream stream = new Stream();
    for (int i = 0; i < atMs.size(); i++) {
      int number = i;
      long dueNanos = beganNanos + TimeUnit.MILLISECONDS.toNanos(atMs.get(i));
      CompletableFuture<Double> outcome = new CompletableFuture<>();
      Runnable work = () -> carryOut(operation, number, dueNanos, outcome);
      Future<?> start =
          clock.schedule(
              () -> threads.execute(work), dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      stream.all.add(new Due(atMs.get(i), start, outcome));
    }
    return stream;
  }

  private static void carryOut(
      Operation operation, int number, long dueNanos, CompletableFuture<Double> outcome) {
    try {
      operation.run(number);
      double seconds = (System.nanoTime() - dueNanos) / 1e9;
      operation.tidy(number);
      outcome.complete(seconds);
    } catch (IOException | RuntimeException | Error e) {
      outcome.completeExceptionally(e);
    }
  }

  /** Begins no more of these, and waits for those that have begun; fails when one has failed. */
  void end(Stream... streams) {
    long nowMs = nowMs();
    for (Stream stream : streams) {
      stream.all.stream()
          .filter(due -> due.atMs() < nowMs || !due.start().cancel(false))
          .forEach(due -> Stream.await(due.outcome()));
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
    threads.shutdownNow();
  }
}
