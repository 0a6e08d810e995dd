package org.rackweave.cli.ear.yarn;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.util.ClassUtil;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.hdfs.work.WorkReport.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One MapReduce job that encodes a few stripes of one core rack in it. Used by one thread. */
final class RackJob {
  private static final Logger LOG = LoggerFactory.getLogger(RackJob.class);

  /** So long a job may wait for room in its rack, in milliseconds. */
  static final long BEGIN_MS = 600_000;

  /** Where {@code -libjars} keeps jars that MapReduce takes along. */
  private static final String LIBRARIES = "tmpjars";

  private final ApplicationId id;
  private final Batch batch;

  /** What MapReduce stores for it, and leaves there when it ends before it began. */
  private final Path submitted;

  private final Map<Long, WorkReport> reports = new HashMap<>();
  private final long submittedAtMs = Time.monotonicNow();
  private Optional<Batch.Began> began = Optional.empty();
  private boolean isOver;

  private RackJob(ApplicationId id, Batch batch, Path submitted, List<WorkOrder> orders) {
    this.id = id;
    this.batch = batch;
    this.submitted = submitted;
    for (WorkOrder order : orders) {
      reports.put(order.id(), new WorkReport(order.id(), State.TAKEN, 0, ""));
    }
  }

  /**
   * Submits a job.
   *
   * @param site the cluster's and the operator's settings
   * @param hosts of the rack's NodeManagers
   * @throws IOException when YARN takes no job; nothing is left then
   */
  static RackJob submit(
      JobConf site,
      String rack,
      Collection<String> hosts,
      List<WorkOrder> orders,
      DistributedFileSystem fs)
      throws IOException, InterruptedException {
    Batch batch = Batch.of(orders, fs);
    // A job has connections of its own, and we ask by ours.
    try (Job job = job(site, rack, hosts, batch)) {
      job.submit();
      return new RackJob(
          TypeConverter.toYarn(job.getJobID()).getAppId(),
          batch,
          new Path(job.getConfiguration().get(MRJobConfig.MAPREDUCE_JOB_DIR)),
          List.copyOf(orders));
    } catch (IOException | RuntimeException | ClassNotFoundException e) {
      batch.delete();
      throw new IOException("YARN takes no job for " + rack + ": " + e.getMessage(), e);
    }
  }

  private static Job job(JobConf site, String rack, Collection<String> hosts, Batch batch)
      throws IOException {
    Job job = Job.getInstance(site, "rackweave encode " + rack);
    job.getConfiguration().set(EncodeMapper.BATCH, batch.directory().toString());
    job.getConfiguration().set(EncodeMapper.RACK, rack);
    job.getConfiguration().setStrings(EncodeMapper.HOSTS, hosts.toArray(String[]::new));
    RackBinding.bind(job.getConfiguration(), rack);
    job.setJarByClass(EncodeMapper.class);
    addJarOf(WorkOrder.class, job);
    job.setInputFormatClass(OneMap.class);
    job.setMapperClass(EncodeMapper.class);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    TokenCache.obtainTokensForNamenodes(
        job.getCredentials(), new Path[] {batch.directory()}, job.getConfiguration());
    return job;
  }

  /** What the mapper calls is in the jar for NameNodes, which a client has beside its own. */
  private static void addJarOf(Class<?> type, Job job) {
    String jar = ClassUtil.findContainingJar(type);
    if (jar != null && !jar.equals(job.getJar())) {
      Configuration conf = job.getConfiguration();
      List<String> jars = new ArrayList<>(conf.getTrimmedStringCollection(LIBRARIES));
      jars.add(new File(jar).toURI().toString());
      conf.setStrings(LIBRARIES, jars.toArray(String[]::new));
    }
  }

  ApplicationId id() {
    return id;
  }

  /** How all of its orders stand. */
  Collection<WorkReport> reports() {
    return reports.values();
  }

  /** Whether nothing more happens. */
  boolean isOver() {
    return isOver;
  }

  /** Where it runs or ran, empty before. */
  Optional<Batch.Began> began() {
    return began;
  }

  /** Looks how far it is; when it is over, all of its orders are. */
  void look(YarnClient yarn) throws IOException {
    try {
      YarnApplicationState state = state(yarn);
      if (began.isEmpty()) {
        began = batch.began();
      }
      for (WorkReport report : batch.reports()) {
        reports.replace(report.id(), report);
      }
      switch (state) {
        case FINISHED, FAILED, KILLED -> end(state);
        case RUNNING -> {}
        default -> {
          if (Time.monotonicNow() - submittedAtMs > BEGIN_MS) {
            kill(yarn, "no room in the rack for " + BEGIN_MS + " ms");
          }
        }
      }
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** A ResourceManager that restarts without its state knows nothing of a job any more. */
  private YarnApplicationState state(YarnClient yarn) throws IOException, YarnException {
    try {
      return yarn.getApplicationReport(id).getYarnApplicationState();
    } catch (ApplicationNotFoundException e) {
      return YarnApplicationState.KILLED;
    }
  }

  /** What was not begun may still be done by another. */
  private void end(YarnApplicationState state) throws IOException {
    isOver = true;
    State left = began.isPresent() ? State.FAILED : State.REFUSED;
    reports.replaceAll(
        (order, report) ->
            report.isOver() ? report : new WorkReport(order, left, 0, id + " has " + state));
    delete();
  }

  private void delete() throws IOException {
    batch.delete();
    submitted.getFileSystem(batch.fs().getConf()).delete(submitted, true);
  }

  /** Has YARN end it; that it is over is seen later. */
  void kill(YarnClient yarn, String why) throws IOException {
    try {
      yarn.killApplication(id, why);
    } catch (ApplicationNotFoundException e) {
      LOG.debug("Nothing is left to kill of {}", id, e);
    } catch (YarnException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Removes what it would need, which ends it too. */
  void abandon(YarnClient yarn) throws IOException {
    try {
      kill(yarn, "the command that submitted it ends");
    } finally {
      delete();
    }
  }
}
