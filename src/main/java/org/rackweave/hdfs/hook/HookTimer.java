package org.rackweave.hdfs.hook;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.DaemonThreads;

/**
 * A daemon thread that does some things again and again, each guarded by its {@link Hook}: whatever
 * one throws, its next tick comes. A watchdog tells when one does not come, or never ends well.
 *
 * <p>An {@link OutOfMemoryError} is told to the process's default handler of uncaught exceptions,
 * as if it had ended a thread of HDFS's own: whoever set one decides what becomes of the process.
 */
public final class HookTimer implements Executor, AutoCloseable {
  private final ScheduledThreadPoolExecutor executor;
  private final List<Beat> beats = new ArrayList<>();
  private volatile Thread thread;

  /** One thing that is done again and again. */
  final class Beat {
    final Hook hook;
    final long intervalMs;
    final HookGuard.Action tick;
    final Runnable whenLate;
    volatile long doneMs = Time.monotonicNow();
    volatile boolean isLate;

    Beat(Hook hook, long intervalMs, HookGuard.Action tick, Runnable whenLate) {
      this.hook = hook;
      this.intervalMs = intervalMs;
      this.tick = tick;
      this.whenLate = whenLate;
    }

    private void run() {
      boolean isDone =
          HookGuard.run(
              hook,
              () -> {
                try {
                  tick.run();
                } catch (OutOfMemoryError e) {
                  tellProcess(e);
                  throw e;
                }
              });
      if (isDone) {
        doneMs = Time.monotonicNow();
      }
    }

    /** Milliseconds since a tick last ended well. */
    long ageMs(long nowMs) {
      return Math.max(0, nowMs - doneMs);
    }

    /** The thread, {@code null} when it has not begun. */
    Thread thread() {
      return thread;
    }

    /** For want of memory a thread may have ended without another taking its place. */
    void revive() {
      executor.prestartCoreThread();
    }
  }

  public HookTimer(String threadName) {
    executor =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread made = DaemonThreads.of(threadName, work);
              thread = made;
              return made;
            });
  }

  private static void tellProcess(OutOfMemoryError error) {
    Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
    if (handler != null) {
      handler.uncaughtException(Thread.currentThread(), error);
    }
  }

  /** Does something so long from now, and so long after the end of each time again. */
  public void after(Hook hook, long intervalMs, HookGuard.Action tick) {
    start(hook, intervalMs, intervalMs, tick, () -> {});
  }

  /** Does something now, and so long after the end of each time again. */
  public void every(Hook hook, long intervalMs, HookGuard.Action tick) {
    every(hook, intervalMs, tick, () -> {});
  }

  /**
   * The same.
   *
   * @param whenLate lets go of what nobody renews when no tick has ended well for long; on another
   *     thread, while a tick may hang
   */
  public void every(Hook hook, long intervalMs, HookGuard.Action tick, Runnable whenLate) {
    start(hook, 0, intervalMs, tick, whenLate);
  }

  private void start(
      Hook hook, long firstMs, long intervalMs, HookGuard.Action tick, Runnable whenLate) {
    Beat beat = new Beat(hook, intervalMs, tick, whenLate);
    synchronized (beats) {
      beats.add(beat);
    }
    HookWatchdog.add(beat);
    executor.scheduleWithFixedDelay(beat::run, firstMs, intervalMs, TimeUnit.MILLISECONDS);
  }

  /** Does something once, between two ticks. */
  @Override
  public void execute(Runnable work) {
    executor.execute(work);
  }

  /** Ends; what runs is not interrupted, for who writes to the edit log would take that with it. */
  @Override
  public void close() {
    unwatch();
    executor.shutdown();
  }

  /** Ends, and interrupts what runs. */
  public void closeNow() {
    unwatch();
    executor.shutdownNow();
  }

  private void unwatch() {
    synchronized (beats) {
      beats.forEach(HookWatchdog::remove);
      beats.clear();
    }
  }

  /** Whether all has ended in time, after {@link #close}. */
  public boolean awaitEnd(long ms) throws InterruptedException {
    return executor.awaitTermination(ms, TimeUnit.MILLISECONDS);
  }
}
