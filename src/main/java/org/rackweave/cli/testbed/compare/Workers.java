package org.rackweave.cli.testbed.compare;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.rackweave.cli.testbed.Host;
import org.rackweave.cli.testbed.Rack;
import org.rackweave.cli.testbed.Testbed;
import org.rackweave.cli.testbed.compare.worker.Order;
import org.rackweave.cli.testbed.compare.worker.Report;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Report.Failed;
import org.rackweave.cli.testbed.compare.worker.Report.Received;
import org.rackweave.cli.testbed.compare.worker.RunClock;
import org.rackweave.cli.testbed.compare.worker.Task;
import org.rackweave.cli.testbed.compare.worker.WorkerMain;

/**
 * The workers of a testbed: one on every DataNode's host, one at the sink, and where background
 * load comes from hosts without DataNode one on each of these. They start once and serve all runs,
 * so that no run pays for starting them. Used by one thread.
 */
final class Workers implements Closeable {

  private static final long START_SECONDS = 120;
  private static final long ANSWER_SECONDS = 10;

  /** Time for every worker to hear of a run before it begins. */
  private static final long LEAD_MS = 1_500;

  private final Testbed testbed;
  private final Map<String, WorkerProcess> workers = new LinkedHashMap<>();
  private final BlockingQueue<Said> said = new LinkedBlockingQueue<>();
  private int run;

  /** What one of them said. */
  private record Said(Host host, Report report) {}

  /** Takes the results of a run whose tasks may fail. */
  interface Results {
    void done(Done result);

    void failed(String id, String reason);
  }

  private Workers(Testbed testbed) {
    this.testbed = testbed;
  }

  /**
   * Starts all workers and waits until they are ready.
   *
   * @param loaders whether hosts without DataNode get one too
   */
  static Workers start(Testbed testbed, boolean loaders) throws IOException, InterruptedException {
    Workers started = new Workers(testbed);
    try {
      started.add(testbed.layout().sink(), WorkerMain.SINK);
      for (Host host : testbed.layout().dataNodes()) {
        started.add(host, WorkerMain.CLIENT);
      }
      for (Rack rack : loaders ? testbed.layout().racks() : List.<Rack>of()) {
        started.add(rack.background(), WorkerMain.LOADER);
      }
      started.collect(
          report -> report instanceof Report.Ready, started.workers.size(), START_SECONDS);
      return started;
    } catch (IOException | InterruptedException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private void add(Host host, String kind) throws IOException {
    workers.put(
        host.name(),
        new WorkerProcess(testbed, host, kind, (who, report) -> said.add(new Said(who, report))));
  }

  /**
   * Begins a run.
   *
   * @param tasks by the name of the host that does them
   * @return the clock of the run, which shows 0 a moment after this returns
   */
  RunClock begin(Map<String, List<Task>> tasks) {
    tasks.forEach((host, its) -> workers.get(host).tell(its));
    long startMs = System.currentTimeMillis() + LEAD_MS;
    run++;
    List<Order> go = List.of(new Order.Go(run, startMs));
    tasks.keySet().forEach(host -> workers.get(host).tell(go));
    return new RunClock(startMs);
  }

  /**
   * Waits for results.
   *
   * @return exactly {@code count}, in the order in which they came
   * @throws IOException if a task fails, a worker ends, or the time is over
   */
  List<Done> await(int count, long deadlineSeconds) throws IOException, InterruptedException {
    return collect(report -> report instanceof Done, count, deadlineSeconds).stream()
        .map(one -> (Done) one.report())
        .toList();
  }

  /**
   * Hands over the results that are there, and those that come in the next {@code waitMs}.
   *
   * @throws IOException if a worker ends
   */
  void drain(Results results, long waitMs) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
    long leftNanos = deadline - System.nanoTime();
    do {
      Said one = said.poll(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
      if (one != null && isOfThisRun(one.report())) {
        if (one.report() instanceof Done done) {
          results.done(done);
        } else if (one.report() instanceof Failed failed) {
          results.failed(failed.id(), failed.reason());
        }
      }
      leftNanos = deadline - System.nanoTime();
    } while (leftNanos > 0 || !said.isEmpty());
    requireAllAlive();
  }

  /** Ends the run: background load stops, what has not begun does not begin, the rest goes on. */
  void stop() {
    workers.values().forEach(worker -> worker.tell(List.of(new Order.Stop())));
  }

  /** Bytes of background load that reached the other end so far, by host. */
  Map<String, Long> receivedBytes() throws IOException, InterruptedException {
    workers.values().forEach(worker -> worker.tell(List.of(new Order.TellReceived())));
    Map<String, Long> bytes = new LinkedHashMap<>();
    for (Said one : collect(report -> report instanceof Received, workers.size(), ANSWER_SECONDS)) {
      bytes.put(one.host().name(), ((Received) one.report()).sizeBytes());
    }
    return bytes;
  }

  private List<Said> collect(Predicate<Report> wanted, int count, long deadlineSeconds)
      throws IOException, InterruptedException {
    List<Said> found = new ArrayList<>();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(deadlineSeconds);
    while (found.size() < count) {
      Said one = said.poll(1, TimeUnit.SECONDS);
      if (one == null) {
        requireAllAlive();
        if (System.nanoTime() > deadline) {
          throw new IOException(
              "Only " + found.size() + " of " + count + " results after " + deadlineSeconds + " s");
        }
      } else if (isOfThisRun(one.report())) {
        if (one.report() instanceof Failed failed) {
          throw new IOException(
              "On " + one.host().name() + " " + failed.id() + " failed: " + failed.reason());
        }
        if (wanted.test(one.report())) {
          found.add(one);
        }
      }
    }
    return found;
  }

  /**
   * Whether a report is of the run that goes on: what was cut off at the end of another may still
   * be heard of.
   */
  private boolean isOfThisRun(Report report) {
    if (report instanceof Done done) {
      return done.run() == run;
    }
    return !(report instanceof Failed failed) || failed.run() == run || failed.run() == 0;
  }

  private void requireAllAlive() throws IOException {
    for (WorkerProcess worker : workers.values()) {
      if (!worker.isAlive()) {
        throw new IOException(
            "The worker on " + worker.host().name() + " has ended, see " + worker.log());
      }
    }
  }

  @Override
  public void close() {
    workers.values().forEach(WorkerProcess::hangUp);
    workers.values().forEach(WorkerProcess::close);
  }
}
