package org.rackweave.cli.testbed.compare;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.rackweave.cli.testbed.Counters;
import org.rackweave.cli.testbed.Testbed;
import org.rackweave.cli.testbed.compare.worker.RunClock;

/** Looks at links and processors about once a second while a run lasts. */
final class RunWatch implements Closeable {

  private static final long PERIOD_MS = 1000;

  private final Testbed testbed;
  private final RunClock clock;
  private final LongConsumer tick;
  private final List<LinkReading> readings = new ArrayList<>();
  private final ForeignCpu cpu;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> ticking;

  /**
   * What the links have carried at one moment.
   *
   * @param atMs milliseconds after the run's start
   */
  record LinkReading(long atMs, Counters counters) {}

  /**
   * Begins when the run does.
   *
   * @param tick told the milliseconds since the run's start after every look
   */
  RunWatch(Testbed testbed, RunClock clock, LongConsumer tick) throws IOException {
    this.testbed = testbed;
    this.clock = clock;
    this.tick = tick;
    this.cpu =
        new ForeignCpu(
            CpuTimes.read(Path.of("/proc")),
            ProcessHandle.current().pid(),
            new OwnProcesses(testbed.layout()));
    ticking =
        timer.scheduleAtFixedRate(
            this::look, clock.untilUs(0) / 1000, PERIOD_MS, TimeUnit.MILLISECONDS);
  }

  private synchronized void look() {
    try {
      Counters counters = testbed.counters();
      readings.add(new LinkReading(clock.nowUs() / 1000, counters));
      cpu.update(CpuTimes.read(Path.of("/proc")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    tick.accept(clock.nowUs() / 1000);
  }

  /**
   * What was read so far, in order.
   *
   * @throws IllegalStateException if watching has failed
   */
  synchronized List<LinkReading> readings() {
    if (ticking.isDone() && !timer.isShutdown()) {
      throw new IllegalStateException("The links are no longer watched", failure());
    }
    return List.copyOf(readings);
  }

  private Throwable failure() {
    try {
      ticking.get();
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e;
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  /** What others used of all processors' time so far, a fraction. */
  synchronized double foreignCpuShare() {
    return cpu.share();
  }

  /** What all used of all processors' time so far, a fraction. */
  synchronized double busyCpuShare() {
    return cpu.busyShare();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
