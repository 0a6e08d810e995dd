package org.rackweave.cli.ear.yarn;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.rackweave.hdfs.datanode.ClientStripeWork;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.WorkOrder;
import org.rackweave.hdfs.work.WorkReport;
import org.rackweave.hdfs.work.WorkReport.State;
import org.rackweave.hdfs.work.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one map of a job: encodes the stripes of its batch one after another, if the node it has come
 * to is in their core rack.
 */
public final class EncodeMapper
    extends Mapper<NullWritable, NullWritable, NullWritable, NullWritable> {
  /** What a job counts. */
  public enum Counter {
    /** Stripes whose parity is stored. */
    STRIPES_ENCODED,
    /** Stripes whose blocks could not be read or written. */
    STRIPES_FAILED,
    /** Stripes not begun because the job ran on a node that is not in their core rack. */
    STRIPES_REFUSED_IN_WRONG_RACK,
    /** Bytes of data blocks in the stripes encoded. */
    BYTES_READ
  }

  /** Path of the {@link Batch}. */
  static final String BATCH = "rackweave.encode.batch";

  /** Core rack of all its stripes. */
  static final String RACK = "rackweave.encode.rack";

  /** NodeManagers' hosts that HDFS has in this rack, with commas. */
  static final String HOSTS = "rackweave.encode.hosts";

  private static final Logger LOG = LoggerFactory.getLogger(EncodeMapper.class);

  @Override
  public void run(Context context) throws IOException {
    Configuration conf = context.getConfiguration();
    Batch batch = Batch.at(new Path(conf.get(BATCH)), conf);
    List<WorkOrder> orders = batch.orders();
    String host = String.valueOf(System.getenv(Environment.NM_HOST.name()));
    Collection<String> hosts = conf.getTrimmedStringCollection(HOSTS);
    if (!hosts.contains(host)) {
      String why = host + " is not in " + conf.get(RACK) + ", where HDFS has " + hosts;
      LOG.warn("Nothing is encoded: {}", why);
      for (WorkOrder order : orders) {
        batch.report(new WorkReport(order.id(), State.REFUSED, 0, why));
        context.getCounter(Counter.STRIPES_REFUSED_IN_WRONG_RACK).increment(1);
      }
      return;
    }
    batch.begin(
        new Batch.Began(host, String.valueOf(System.getenv(Environment.CONTAINER_ID.name()))));
    ClientStripeWork work = new ClientStripeWork(batch.fs());
    for (WorkOrder order : orders) {
      batch.report(encode(order, work, context));
    }
  }

  private static WorkReport encode(WorkOrder order, ClientStripeWork work, Context context) {
    if (!(order.task() instanceof EncodeTask task)) {
      return new WorkReport(order.id(), State.FAILED, 0, "it is nothing to encode");
    }
    try {
      WorkResult result = work.encode(task, done -> context.progress());
      long bytes = result.readBytes().stream().mapToLong(Long::longValue).sum();
      context.getCounter(Counter.STRIPES_ENCODED).increment(1);
      context.getCounter(Counter.BYTES_READ).increment(bytes);
      return WorkReport.done(order.id(), bytes / task.data().size(), result);
    } catch (IOException | RuntimeException e) {
      LOG.warn("A stripe is not encoded: {}", task, e);
      context.getCounter(Counter.STRIPES_FAILED).increment(1);
      return new WorkReport(order.id(), State.FAILED, 0, String.valueOf(e.getMessage()));
    }
  }
}
