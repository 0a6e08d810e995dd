package org.rackweave.cli.testbed.compare;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.RunClock;

/**
 * A run under way: what workers have done of their tasks so far, while links and processors are
 * watched. Used by one thread; closing it ends the run, and what it tells is what was until then.
 */
final class LiveRun implements Closeable, Workers.Results {
  private static final long LOOK_MS = 200;

  private final Workers workers;
  private final RunClock clock;
  private final RunWatch watch;
  private final List<Done> done = new ArrayList<>();
  private int failed;
  private String failure;

  /**
   * Begins.
   *
   * @param detail what is said of a moment, in milliseconds after the start
   */
  LiveRun(Session session, HostTasks tasks, LongFunction<String> detail) throws IOException {
    workers = session.workers();
    clock = workers.begin(tasks.byHost());
    watch =
        new RunWatch(
            session.testbed(), clock, atMs -> session.progress().update(detail.apply(atMs)));
  }

  @Override
  public void done(Done result) {
    done.add(result);
  }

  @Override
  public void failed(String id, String reason) {
    failed++;
    failure = id + " failed: " + reason;
  }

  /** What holds when a wait is over. */
  interface Condition {
    boolean holds() throws IOException;
  }

  /** Microseconds since the start. */
  long nowUs() {
    return clock.nowUs();
  }

  /** Waits until so many milliseconds after the start. */
  void until(long atMs) throws IOException, InterruptedException {
    while (clock.nowUs() < atMs * 1000L) {
      workers.drain(this, Math.min(LOOK_MS, 1 + clock.untilUs(atMs) / 1000));
    }
  }

  /**
   * Waits for something.
   *
   * @param untilMs when it is given up, in milliseconds after the start
   * @return whether it holds
   */
  boolean isSoon(Condition condition, long untilMs) throws IOException, InterruptedException {
    while (!condition.holds()) {
      if (clock.nowUs() > untilMs * 1000L) {
        return false;
      }
      workers.drain(this, LOOK_MS);
    }
    return true;
  }

  /**
   * Fails when a task has.
   *
   * @throws IOException naming the last that has failed
   */
  void requireNoFailure() throws IOException {
    if (failure != null) {
      throw new IOException(failure);
    }
  }

  /**
   * Waits until so many tasks are done.
   *
   * @param untilMs when it is given up, in milliseconds after the start
   * @throws IOException if one fails, or the time is over
   */
  void awaitAll(int count, long untilMs) throws IOException, InterruptedException {
    boolean isOver =
        isSoon(
            () -> {
              requireNoFailure();
              return done.size() >= count;
            },
            untilMs);
    if (!isOver) {
      throw new IOException(
          "only "
              + done.size()
              + " of "
              + count
              + " operations are done: the cluster has more load than it can carry");
    }
  }

  /** What is measured, with the processors' use until now. */
  <M> Experiment.Measured<M> measured(M figures) {
    return new Experiment.Measured<>(figures, watch.busyCpuShare(), watch.foreignCpuShare());
  }

  /** Tasks that failed. */
  int failed() {
    return failed;
  }

  /** Tasks that are done, whose name begins with {@code kind}, under what follows of it. */
  List<Done> done(String kind) {
    return done.stream()
        .filter(one -> one.id().startsWith(kind))
        .map(one -> one.named(one.id().substring(kind.length())))
        .toList();
  }

  /** How long those took that were due in that time. */
  double[] seconds(String kind, long fromUs, long toUs) {
    return done(kind).stream()
        .filter(one -> one.scheduledUs() >= fromUs && one.scheduledUs() < toUs)
        .mapToDouble(Done::seconds)
        .toArray();
  }

  /** Who watches links and processors meanwhile. */
  RunWatch watch() {
    return watch;
  }

  @Override
  public void close() {
    watch.close();
    workers.stop();
  }
}
