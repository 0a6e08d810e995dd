package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.LongConsumer;
import org.rackweave.erasure.BlockCoding;
import org.rackweave.hdfs.DaemonThreads;
import org.rackweave.hdfs.erasure.CoderSelection;
import org.rackweave.hdfs.work.Task;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkReply;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.hdfs.work.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one NameNode has a DataNode do, a few orders at a time. An order that the NameNode's last
 * reply did not mention is broken off.
 *
 * <p>Thread-safe. Threads exist while there is work, buffers only from the first order on.
 */
final class WorkRunner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkRunner.class);

  private static final int CHUNK_BYTES = 256 << 10;
  private static final String THREAD = "rackweave-work";

  /** Does one task. */
  interface Doing {
    /**
     * @param coding {@code null} for a question
     * @param progress told the bytes of each block done so far
     */
    WorkResult run(Task task, BlockCoding coding, LongConsumer progress) throws IOException;
  }

  private final Doing doing;
  private final CodingPool codings;
  private final int threadCount;
  private final Map<Long, Job> jobs = new LinkedHashMap<>();
  private ExecutorService threads;
  private boolean closed;

  private static final class Job {
    volatile WorkReport report;
    Future<?> future;
  }

  /**
   * @param threadCount orders done at a time that read blocks; 0 refuses all of them
   */
  WorkRunner(Doing doing, CoderSelection coders, int threadCount) {
    this.doing = doing;
    codings = new CodingPool(coders, threadCount, CHUNK_BYTES);
    this.threadCount = threadCount;
  }

  /** Does what a NameNode wants from now on, and nothing else. */
  synchronized void follow(WorkReply reply) {
    for (Iterator<Map.Entry<Long, Job>> each = jobs.entrySet().iterator(); each.hasNext(); ) {
      Map.Entry<Long, Job> job = each.next();
      if (!reply.wants(job.getKey())) {
        each.remove();
        if (job.getValue().future != null) {
          job.getValue().future.cancel(true);
        }
      }
    }
    for (WorkOrder order : reply.orders()) {
      if (!jobs.containsKey(order.id()) && !closed) {
        jobs.put(order.id(), begin(order));
      }
    }
    if (jobs.isEmpty() && threads != null) {
      threads.shutdown();
      threads = null;
    }
  }

  private Job begin(WorkOrder order) {
    Job job = new Job();
    if (order.task().isQuestion()) { // which waits for no work
      FutureTask<Void> answering = new FutureTask<>(() -> run(order, job), null);
      job.report = taken(order);
      job.future = answering;
      DaemonThreads.of(THREAD, answering).start();
      return job;
    }
    if (threadCount == 0) {
      job.report =
          new WorkReport(
              order.id(), WorkReport.State.FAILED, 0, "this DataNode is set to take no work");
      return job;
    }
    if (threads == null) {
      threads = Executors.newFixedThreadPool(threadCount, DaemonThreads.numbered(THREAD));
    }
    job.report = taken(order);
    job.future = threads.submit(() -> run(order, job));
    return job;
  }

  private static WorkReport taken(WorkOrder order) {
    return new WorkReport(order.id(), WorkReport.State.TAKEN, 0, "");
  }

  private void run(WorkOrder order, Job job) {
    long id = order.id();
    try {
      LongConsumer progress =
          done -> job.report = new WorkReport(id, WorkReport.State.TAKEN, done, "");
      WorkResult result =
          order.task().isQuestion()
              ? doing.run(order.task(), null, progress)
              : code(order.task(), progress);
      job.report = WorkReport.done(id, job.report.doneBytes(), result);
    } catch (IOException | RuntimeException | Error e) { // or nobody would ever know
      LOG.warn("Order {} of the NameNode failed: {}", id, order.task(), e);
      job.report = new WorkReport(id, WorkReport.State.FAILED, 0, String.valueOf(e.getMessage()));
    }
  }

  private WorkResult code(Task task, LongConsumer progress) throws IOException {
    BlockCoding coding = codings.take(task.code());
    try {
      return doing.run(task, coding, progress);
    } finally {
      codings.giveBack(coding);
    }
  }

  /** How every order stands; over ones are told until the NameNode has heard of it. */
  synchronized List<WorkReport> reports() {
    List<WorkReport> reports = new ArrayList<>(jobs.size());
    jobs.values().forEach(job -> reports.add(job.report));
    return reports;
  }

  /** Breaks off everything. */
  @Override
  public synchronized void close() {
    closed = true;
    jobs.clear();
    codings.clear();
    if (threads != null) {
      threads.shutdownNow();
      threads = null;
    }
  }
}
