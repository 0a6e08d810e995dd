package org.rackweave.hdfs.work;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.rackweave.hdfs.LogThrottle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a NameNode's orders to DataNodes lie until they are done. A DataNode is told of them on
 * each reply to its heartbeats until it has said that it has them; one that has not been heard of
 * for a while, or not finished in time, has failed.
 *
 * <p>Soft state: after a restart or failover nobody wants what was ordered before, and DataNodes
 * break it off. Thread-safe.
 */
public final class WorkQueue {
  private static final Logger LOG = LoggerFactory.getLogger(WorkQueue.class);
  private static final LogThrottle ERROR_LOG = LogThrottle.oncePerMinute();

  /** One reply carries at most so many whole orders, which keeps it below some 100 KB. */
  private static final int ORDERS_PER_REPLY = 2;

  /** So long a question waits for work that has not been taken yet. */
  private static final long QUESTION_WAITS_MS = 10_000;

  private final String whose;
  private final long silenceMs;
  private final AtomicLong nextId;
  private final Map<String, Map<Long, Job>> jobsByNode = new ConcurrentHashMap<>();

  private static final class Job {
    final WorkOrder order;
    final CompletableFuture<WorkReport> over = new CompletableFuture<>();
    final long deadlineMs;
    long heardAtMs;

    /** When the DataNode was told of it last, or when it was given. */
    long toldAtMs;

    boolean taken;

    Job(WorkOrder order, long nowMs, long deadlineMs) {
      this.order = order;
      this.deadlineMs = deadlineMs;
      heardAtMs = nowMs;
      toldAtMs = nowMs;
    }
  }

  /**
   * @param whose what orders are given to, for messages, such as "DataNode"
   * @param silenceMs an order that its DataNode has not mentioned for so long has failed
   * @param firstId of the orders; different after a restart, so that no DataNode takes one order
   *     for another
   */
  public WorkQueue(String whose, long silenceMs, long firstId) {
    this.whose = whose;
    this.silenceMs = silenceMs;
    nextId = new AtomicLong(firstId);
  }

  /**
   * Gives a DataNode something to do.
   *
   * @param timeMs allowed for it
   * @return completes when it is over, exceptionally never
   * @throws IllegalStateException when the DataNode has as many orders as a message can name
   */
  public CompletableFuture<WorkReport> give(
      String datanodeUuid, Task task, long timeMs, long nowMs) {
    Job job = new Job(new WorkOrder(nextId.getAndIncrement(), task), nowMs, nowMs + timeMs);
    jobsByNode.compute(
        datanodeUuid,
        (uuid, jobs) -> {
          Map<Long, Job> all = jobs == null ? new LinkedHashMap<>() : jobs;
          if (all.size() == WorkCodec.ENTRIES_MAX) {
            throw new IllegalStateException(
                whose + ' ' + datanodeUuid + " has " + WorkCodec.ENTRIES_MAX + " orders already");
          }
          all.put(job.order.id(), job);
          return all;
        });
    return job.over;
  }

  /** Those who have an order that they have not yet said they have, in order. */
  public List<String> withNewOrders() {
    List<String> some = new ArrayList<>();
    for (String uuid : jobsByNode.keySet()) {
      jobsByNode.computeIfPresent(
          uuid,
          (ignored, jobs) -> {
            if (jobs.values().stream().anyMatch(job -> !job.taken)) {
              some.add(uuid);
            }
            return jobs;
          });
    }
    some.sort(Comparator.naturalOrder());
    return some;
  }

  /** Whether no DataNode has an order that is not over. */
  public boolean isIdle() {
    return jobsByNode.isEmpty();
  }

  /** Orders that a DataNode has been given and that are not over. */
  public int outstanding(String datanodeUuid) {
    int[] count = {0};
    jobsByNode.computeIfPresent(
        datanodeUuid,
        (uuid, jobs) -> {
          count[0] = jobs.size();
          return jobs;
        });
    return count[0];
  }

  /**
   * What to tell a DataNode that has just been heard of.
   *
   * @param reports what it said of its orders, {@code null} when nothing
   * @return {@code null} when there is nothing to tell
   */
  public byte[] heard(String datanodeUuid, byte[] reports, long nowMs) {
    if (reports == null && !jobsByNode.containsKey(datanodeUuid)) {
      return null;
    }
    List<WorkReport> said = reports == null ? List.of() : understood(reports);
    List<Job> over = new ArrayList<>();
    WorkReply[] reply = {new WorkReply(List.of(), List.of())};
    Map<Long, WorkReport> last = new LinkedHashMap<>();
    jobsByNode.computeIfPresent(
        datanodeUuid,
        (uuid, jobs) -> {
          for (WorkReport report : said) {
            Job job = jobs.get(report.id());
            if (job != null) {
              job.taken = true;
              job.heardAtMs = nowMs;
              if (report.isOver()) {
                jobs.remove(report.id());
                last.put(report.id(), report);
                over.add(job);
              }
            }
          }
          reply[0] = reply(jobs, nowMs);
          return jobs.isEmpty() ? null : jobs;
        });
    over.forEach(job -> job.over.complete(last.get(job.order.id())));
    return WorkCodec.encode(reply[0]);
  }

  /**
   * Work and questions come apart, work first, but now and then: who knows no questions refuses a
   * message that has one, and has the next one's work.
   */
  private static WorkReply reply(Map<Long, Job> jobs, long nowMs) {
    List<Long> wanted = new ArrayList<>();
    List<Job> work = new ArrayList<>();
    List<Job> questions = new ArrayList<>();
    for (Job job : jobs.values()) {
      if (job.taken) {
        wanted.add(job.order.id());
      } else {
        (job.order.task().isQuestion() ? questions : work).add(job);
      }
    }
    boolean hasWaited =
        !questions.isEmpty() && nowMs - questions.get(0).toldAtMs >= QUESTION_WAITS_MS;
    List<Job> next = work.isEmpty() || hasWaited ? questions : work;
    next = next.subList(0, Math.min(next.size(), ORDERS_PER_REPLY));
    next.forEach(job -> job.toldAtMs = nowMs);
    return new WorkReply(next.stream().map(job -> job.order).toList(), wanted);
  }

  private static List<WorkReport> understood(byte[] reports) {
    try {
      return WorkCodec.reports(reports);
    } catch (IOException e) {
      if (ERROR_LOG.shouldLog()) {
        LOG.warn("A DataNode's report on its work is invalid", e);
      }
      return List.of();
    }
  }

  /** Ends what has failed by taking too long; to be called repeatedly. */
  public void expire(long nowMs) {
    for (String uuid : jobsByNode.keySet()) {
      List<Job> late = new ArrayList<>();
      jobsByNode.computeIfPresent(
          uuid,
          (ignored, jobs) -> {
            for (Iterator<Job> each = jobs.values().iterator(); each.hasNext(); ) {
              Job job = each.next();
              if (nowMs - job.heardAtMs > silenceMs || nowMs > job.deadlineMs) {
                each.remove();
                late.add(job);
              }
            }
            return jobs.isEmpty() ? null : jobs;
          });
      late.forEach(job -> job.over.complete(failed(job, nowMs, uuid)));
    }
  }

  private WorkReport failed(Job job, long nowMs, String uuid) {
    String why =
        nowMs > job.deadlineMs
            ? " did not finish in time"
            : " has not mentioned it for " + silenceMs + " ms";
    return new WorkReport(job.order.id(), WorkReport.State.FAILED, 0, whose + ' ' + uuid + why);
  }

  /** Withdraws everything: this NameNode is not active any more. */
  public void withdrawAll() {
    for (String uuid : jobsByNode.keySet()) {
      Map<Long, Job> jobs = jobsByNode.remove(uuid);
      if (jobs != null) {
        jobs.values()
            .forEach(
                job ->
                    job.over.complete(
                        new WorkReport(
                            job.order.id(), WorkReport.State.FAILED, 0, "it was withdrawn")));
      }
    }
  }
}
