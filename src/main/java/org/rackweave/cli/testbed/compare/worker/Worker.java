package org.rackweave.cli.testbed.compare.worker;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Report.Failed;
import org.rackweave.hdfs.DaemonThreads;

/**
 * Does the tasks of one run at their times, whatever has become of those before: a slow cluster
 * gets a queue and not fewer writes.
 */
final class Worker implements Closeable {

  private final int run;
  private final HdfsClient client;
  private final LongAdder receivedBytes;
  private final Consumer<Report> reports;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("clock"));
  private final ExecutorService hands =
      Executors.newCachedThreadPool(DaemonThreads.numbered("task"));
  private final List<BulkFlow> flows = new ArrayList<>();
  private volatile boolean isOver;

  /**
   * @param run number of the run, which results are reported with
   * @param client null for a worker that only sends and receives background load
   * @param reports takes what is to be said, from many threads
   */
  Worker(int run, HdfsClient client, LongAdder receivedBytes, Consumer<Report> reports) {
    this.run = run;
    this.client = client;
    this.receivedBytes = receivedBytes;
    this.reports = reports;
  }

  /** Work that is reported under a name. */
  private interface Work {
    HdfsClient.Served run() throws IOException;
  }

  /** Plans all of {@code tasks}; returns at once. */
  void begin(List<Task> tasks, RunClock runClock) {
    for (Task task : tasks) {
      Runnable work = () -> start(task, runClock);
      var unused = clock.schedule(work, runClock.untilUs(task.atMs()), TimeUnit.MICROSECONDS);
    }
  }

  private void start(Task task, RunClock runClock) {
    if (task instanceof Task.Load load) {
      startLoad(load, runClock);
    } else {
      hands.execute(() -> perform(task, runClock));
    }
  }

  private void perform(Task task, RunClock runClock) {
    if (task instanceof Task.Write write) {
      report(write.id(), write.atMs() * 1000, runClock, () -> write(write));
    } else if (task instanceof Task.Read read) {
      report(
          read.id(), read.atMs() * 1000, runClock, () -> client.read(read.path(), read.origin()));
    } else if (task instanceof Task.Copy copy) {
      report(copy.id(), copy.atMs() * 1000, runClock, () -> copy(copy));
    } else if (task instanceof Task.Encode encode) {
      encode(encode, runClock);
    }
  }

  private HdfsClient.Served write(Task.Write write) throws IOException {
    client.write(write);
    return new HdfsClient.Served(write.sizeBytes(), HdfsClient.NOBODY);
  }

  private HdfsClient.Served copy(Task.Copy copy) throws IOException {
    return new HdfsClient.Served(client.copyAll(copy.from(), copy.to()), HdfsClient.NOBODY);
  }

  private void encode(Task.Encode task, RunClock runClock) {
    for (int i = 0; i < task.stripes().size() && !isOver; i++) {
      Task.Stripe stripe = task.stripes().get(i);
      report(
          task.id() + "-" + i,
          runClock.nowUs(),
          runClock,
          () -> new HdfsClient.Served(client.encode(task.code(), stripe), HdfsClient.NOBODY));
    }
  }

  private void report(String id, long scheduledUs, RunClock runClock, Work work) {
    long startUs = runClock.nowUs();
    try {
      HdfsClient.Served served = work.run();
      reports.accept(
          new Done(
              run,
              id,
              scheduledUs,
              startUs,
              runClock.nowUs(),
              served.sizeBytes(),
              served.server()));
    } catch (IOException | RuntimeException e) {
      reports.accept(new Failed(run, id, e.toString()));
    }
  }

  private void startLoad(Task.Load load, RunClock runClock) {
    List<BulkFlow> begun = new ArrayList<>();
    InetSocketAddress sink = new InetSocketAddress(load.sink(), BulkServer.PORT);
    for (int i = 0; i < load.up() + load.down(); i++) {
      begun.add(new BulkFlow(sink, i < load.up(), receivedBytes));
    }
    synchronized (flows) {
      flows.addAll(begun);
    }
    if (load.untilMs() != Task.Load.UNTIL_TOLD) {
      var unused =
          clock.schedule(() -> cut(begun), runClock.untilUs(load.untilMs()), TimeUnit.MICROSECONDS);
    }
  }

  private static void cut(List<BulkFlow> flows) {
    for (BulkFlow flow : flows) {
      try {
        flow.close();
      } catch (IOException alreadyBroken) {
        // Nothing is left to stop.
        continue;
      }
    }
  }

  /**
   * Ends the run: what has not begun does not begin, and the background load stops. Writes under
   * way come to their end, which nobody waits for: a DataNode keeps what it has of a block whose
   * writer left it, and the NameNode does not have that deleted with the file.
   */
  @Override
  public void close() {
    isOver = true;
    clock.shutdownNow();
    synchronized (flows) {
      cut(flows);
      flows.clear();
    }
    hands.shutdown();
  }
}
