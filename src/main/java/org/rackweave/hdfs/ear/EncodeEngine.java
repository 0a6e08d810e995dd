package org.rackweave.hdfs.ear;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.WorkReport;

/** Has the parity of stripes made, by somebody in their core racks. */
interface EncodeEngine {

  /**
   * What is to be done for one stripe.
   *
   * @param rack path of its core rack
   * @param readers DataNodes of this rack, at least one
   * @param blockBytes of its longest block
   */
  record Work(EncodeTask task, String rack, List<DatanodeDescriptor> readers, long blockBytes) {}

  /**
   * Somebody is to do it.
   *
   * @param where for people
   * @param report completes when it is over
   * @param timeMs within which that happens
   * @param makers the DataNodes one of which may be it
   */
  record Given(
      String where,
      CompletableFuture<WorkReport> report,
      long timeMs,
      List<DatanodeDescriptor> makers) {}

  /**
   * Finds somebody to do it.
   *
   * @throws IllegalStateException when they have as much to do as can be
   */
  Given give(Work work, long nowMs);
}
