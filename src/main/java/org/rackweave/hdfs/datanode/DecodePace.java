package org.rackweave.hdfs.datanode;

import java.util.function.LongConsumer;
import org.rackweave.hdfs.work.Task;

/**
 * Keeps what is read of other DataNodes for all clients together to one rate: a client that has
 * read waits for his turn, and then as long as the rate wants for what he has read. For any thread.
 */
final class DecodePace {
  /** {@code null} for no limit. */
  private final Throttle rate;

  /**
   * @param bytesPerSec that are read of other DataNodes, 0 for no limit
   */
  DecodePace(long bytesPerSec, Throttle.Clock clock) {
    rate = bytesPerSec == 0 ? null : new Throttle(bytesPerSec, clock);
  }

  /**
   * What paces one task.
   *
   * @return takes how many bytes of its range are done, and waits; each of them costs a byte of
   *     every block that the task reads
   */
  LongConsumer of(Task task) {
    long[] before = {0};
    return done -> {
      long bytes = (done - before[0]) * task.blocksRead();
      before[0] = done;
      if (rate != null) {
        synchronized (rate) {
          rate.pass(bytes, () -> {});
        }
      }
    };
  }
}
