package org.rackweave.cli.ear.yarn;

import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;

/**
 * Keeps a MapReduce job of one map inside a rack, with what stock YARN has: a job that is small
 * enough runs inside its ApplicationMaster ("uber"), and the ApplicationMaster can be bound to a
 * rack. A job over any of the limits of uber jobs would silently run its map anywhere, so all of
 * them are lifted; whether it was of avail is for the map to see.
 */
final class RackBinding {
  /** What YARNRunner takes for a rack: of two levels it takes the second for a node. */
  private static final Pattern RACK = Pattern.compile("/[^/,\\s]+");

  private RackBinding() {}

  /** Why jobs cannot be bound to a rack, empty when they can. */
  static Optional<String> whyNot(String rack) {
    return RACK.matcher(rack).matches()
        ? Optional.empty()
        : Optional.of(
            "rack '"
                + rack
                + "': YARN binds jobs to racks of one level without commas and spaces, such as /r0");
  }

  /**
   * Binds a job that has one map and no reduces.
   *
   * @throws IllegalArgumentException when {@link #whyNot} says why
   */
  static void bind(Configuration job, String rack) {
    whyNot(rack)
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(why);
            });
    job.set(MRConfig.FRAMEWORK_NAME, MRConfig.YARN_FRAMEWORK_NAME);
    job.set(MRJobConfig.AM_STRICT_LOCALITY, rack);
    job.setBoolean(MRJobConfig.JOB_UBERTASK_ENABLE, true);
    job.setInt(MRJobConfig.JOB_UBERTASK_MAXMAPS, 1);
    job.setInt(MRJobConfig.JOB_UBERTASK_MAXREDUCES, 1);
    job.setLong(MRJobConfig.JOB_UBERTASK_MAXBYTES, Long.MAX_VALUE);
    job.setInt(
        MRJobConfig.MAP_MEMORY_MB,
        job.getInt(MRJobConfig.MR_AM_VMEM_MB, MRJobConfig.DEFAULT_MR_AM_VMEM_MB));
    job.setInt(
        MRJobConfig.MAP_CPU_VCORES,
        job.getInt(MRJobConfig.MR_AM_CPU_VCORES, MRJobConfig.DEFAULT_MR_AM_CPU_VCORES));
    // A second attempt would write parity that is there already.
    job.setInt(MRJobConfig.MR_AM_MAX_ATTEMPTS, 1);
    job.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1);
    job.setBoolean(MRJobConfig.MAP_SPECULATIVE, false);
    job.setInt(MRJobConfig.NUM_REDUCES, 0);
  }
}
