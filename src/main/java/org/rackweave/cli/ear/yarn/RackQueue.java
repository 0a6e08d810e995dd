package org.rackweave.cli.ear.yarn;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.rackweave.hdfs.work.WorkCodec;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkReply;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.hdfs.work.WorkReport.State;

/**
 * The work of one rack: what has been fetched and waits for company, and the jobs that do the rest.
 * Used by one thread.
 */
final class RackQueue {
  /** What queues share. */
  record Means(
      NameNodeQuery nameNode,
      WorkSource work,
      YarnClient yarn,
      JobConf site,
      DistributedFileSystem fs,
      int jobsPerRack,
      YarnFigures figures) {}

  /** Stripes of a job, so that it takes longer than its start. */
  static final int STRIPES_PER_JOB = 8;

  /** Without any more for so long, fewer have to do. */
  private static final long COLLECT_MS = 2_000;

  private final String rack;
  private final Collection<String> hosts;
  private final Means means;
  private final List<WorkOrder> collected = new ArrayList<>();
  private final List<RackJob> jobs = new ArrayList<>();
  private final List<WorkReport> over = new ArrayList<>();
  private long collectedAtMs;
  private boolean isGivenUp;

  RackQueue(String rack, Collection<String> hosts, Means means) {
    this.rack = rack;
    this.hosts = hosts;
    this.means = means;
  }

  /** Whether there is nothing to do or to tell. */
  boolean isIdle() {
    return collected.isEmpty() && jobs.isEmpty() && over.isEmpty();
  }

  /** Whether it may be made anew when there is work again: one that has given up remembers that. */
  boolean isForgettable() {
    return isIdle() && !isGivenUp;
  }

  /** Looks after the jobs, tells the NameNode, fetches what is new, and submits what is due. */
  void step() throws IOException, InterruptedException {
    for (RackJob job : jobs) {
      job.look(means.yarn());
    }
    settle();
    while (exchange()) {
      collectedAtMs = Time.monotonicNow();
    }
    submit();
  }

  private void settle() {
    for (Iterator<RackJob> each = jobs.iterator(); each.hasNext(); ) {
      RackJob job = each.next();
      if (job.isOver()) {
        each.remove();
        over.addAll(job.reports());
        means.figures().over(rack, job);
        job.reports().stream()
            .filter(report -> report.state() == State.REFUSED)
            .findFirst()
            .ifPresent(report -> giveUp(report.message()));
      }
    }
  }

  /** What went wrong once goes wrong again: DataNodes do the rest. */
  private void giveUp(String why) {
    if (!isGivenUp) {
      isGivenUp = true;
      means.figures().complain(rack + ": " + why + "; DataNodes encode its stripes");
    }
  }

  /**
   * @return whether there was new work, and there may be more
   */
  private boolean exchange() throws IOException {
    List<WorkReport> reports = new ArrayList<>(over);
    collected.forEach(order -> reports.add(new WorkReport(order.id(), State.TAKEN, 0, "")));
    jobs.forEach(job -> reports.addAll(job.reports()));
    WorkReply reply = tell(reports);
    over.clear();
    collected.removeIf(order -> !reply.wants(order.id()));
    for (RackJob job : jobs) {
      if (job.reports().stream().noneMatch(report -> reply.wants(report.id()) || report.isOver())) {
        job.kill(means.yarn(), "the NameNode no longer wants its stripes");
      }
    }
    collected.addAll(reply.orders());
    return !reply.orders().isEmpty();
  }

  /**
   * Tells the NameNode, a message's worth at a time: jobs that are about to end and what has been
   * fetched since are more than that together.
   *
   * @return the last answer, which knows of all of it
   */
  private WorkReply tell(List<WorkReport> reports) throws IOException {
    WorkReply reply;
    int told = 0;
    do {
      int until = Math.min(reports.size(), told + WorkCodec.ENTRIES_MAX);
      byte[] said = WorkCodec.encode(reports.subList(told, until));
      reply = WorkCodec.reply(means.work().fetch(rack, said));
      told = until;
    } while (told < reports.size());
    return reply;
  }

  private void submit() throws InterruptedException {
    while (!collected.isEmpty() && (isGivenUp || isDue())) {
      int count = Math.min(STRIPES_PER_JOB, collected.size());
      List<WorkOrder> orders = List.copyOf(collected.subList(0, count));
      collected.subList(0, count).clear();
      try {
        if (!isGivenUp) {
          jobs.add(RackJob.submit(means.site(), rack, hosts, orders, means.fs()));
          continue;
        }
      } catch (IOException e) {
        giveUp(e.getMessage());
      }
      means.figures().refused(orders.size());
      orders.forEach(
          order -> over.add(new WorkReport(order.id(), State.REFUSED, 0, "no job for " + rack)));
    }
  }

  private boolean isDue() {
    return jobs.size() < means.jobsPerRack()
        && (collected.size() >= STRIPES_PER_JOB
            || Time.monotonicNow() - collectedAtMs > COLLECT_MS);
  }

  /** Has all jobs end. */
  void abandon() {
    for (RackJob job : jobs) {
      try {
        job.abandon(means.yarn());
      } catch (IOException e) {
        means.figures().complain(job.id() + " may still run: " + e.getMessage());
      }
    }
    jobs.clear();
  }
}
