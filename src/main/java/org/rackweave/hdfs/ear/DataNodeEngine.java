package org.rackweave.hdfs.ear;

import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/** The embedded engine: DataNodes make parity, through their agents. Thread-safe. */
final class DataNodeEngine implements EncodeEngine {
  private final StripeCommands commands;

  DataNodeEngine(StripeCommands commands) {
    this.commands = commands;
  }

  @Override
  public Given give(Work work, long nowMs) {
    DatanodeDescriptor reader = leastBusy(work);
    return new Given(
        reader.toString(),
        commands.give(reader, work.task(), work.blockBytes(), nowMs),
        StripeCommands.timeMs(work.task(), work.blockBytes()),
        List.of(reader));
  }

  /** Several nodes of a rack encode, each the stripes that come when it has the fewest. */
  private DatanodeDescriptor leastBusy(Work work) {
    DatanodeDescriptor best = null;
    int least = Integer.MAX_VALUE;
    for (DatanodeDescriptor reader : work.readers()) {
      int orders = commands.outstanding(reader);
      if (orders < least) {
        best = reader;
        least = orders;
      }
    }
    return best;
  }
}
