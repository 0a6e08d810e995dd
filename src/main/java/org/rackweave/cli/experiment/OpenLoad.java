package org.rackweave.cli.experiment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Operations that begin when they are due, whatever has become of those before. Their times run
 * from when they were due.
 */
public final class OpenLoad implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 120;

  private final long beganNanos = System.nanoTime();
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** One operation, the number of which says what it does. */
  public interface Operation {
    /** Does it. */
    void run(int number) throws IOException;

    /** What has to be done after it, and is not timed. */
    default void tidy(int number) throws IOException {}
  }

  /** An operation's seconds, or its failure. */
  private record Due(int atMs, Future<?> start, CompletableFuture<Double> outcome) {}

  /** Operations of a kind. */
  public static final class Stream {
    private final List<Due> all = new ArrayList<>();

    /**
     * How many seconds those took that were due from {@code fromMs} on and before {@code toMs};
     * waits for them.
     *
     * @throws IllegalStateException when one of them has failed
     */
    public double[] seconds(long fromMs, long toMs) {
      return all.stream()
          .filter(due -> due.atMs() >= fromMs && due.atMs() < toMs)
          .mapToDouble(due -> await(due.outcome()))
          .toArray();
    }

    private static double await(CompletableFuture<Double> outcome) {
      try {
        return outcome.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } catch (ExecutionException | TimeoutException e) {
        throw new IllegalStateException("an operation failed", e);
      }
    }
  }

  /**
   * When operations of a Poisson process are due, in milliseconds.
   *
   * @param perSecond how many on average
   */
  public static List<Integer> poisson(
      SplittableRandom random, double perSecond, int fromMs, int untilMs) {
    List<Integer> atMs = new ArrayList<>();
    double at = fromMs;
    while (true) {
      at -= Math.log(1 - random.nextDouble()) * 1000 / perSecond;
      if (at >= untilMs) {
        return atMs;
      }
      atMs.add((int) at);
    }
  }

  /** Milliseconds since the load began. */
  public long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
  }

  /**
   * Has operations begin.
   *
   * @param atMs when, in milliseconds since the load began
   */
  public Stream begin(List<Integer> atMs, Operation operation) {
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

  /**
   * Begins no more of these, and waits for those that have begun.
   *
   * @throws IllegalStateException when one of them has failed
   */
  public void end(Stream... streams) {
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
