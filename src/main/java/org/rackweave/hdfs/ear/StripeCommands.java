package org.rackweave.hdfs.ear;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.ear.RebuildPlan;
import org.rackweave.hdfs.ClusterView;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;
import org.rackweave.hdfs.work.StripeUnit;
import org.rackweave.hdfs.work.Task;
import org.rackweave.hdfs.work.WorkQueue;
import org.rackweave.hdfs.work.WorkReport;

/** Has DataNodes work on stripes of one block pool. Thread-safe. */
final class StripeCommands {
  /** At this pace a DataNode is taken to be stuck, in bytes of each block a second. */
  private static final long LEAST_PACE_BYTES_PER_SEC = 256 << 10;

  private static final long LEAST_TIME_MS = 120_000;

  private final WorkQueue commands;
  private final String blockPool;

  StripeCommands(WorkQueue commands, String blockPool) {
    this.commands = commands;
    this.blockPool = blockPool;
  }

  /** Time that a task may take; what its own limit holds it up comes on top. */
  static long timeMs(Task task, long longestBlockBytes) {
    return LEAST_TIME_MS
        + longestBlockBytes * 1000 / LEAST_PACE_BYTES_PER_SEC
        + heldUpMs(task.blocksRead() * longestBlockBytes, task.bytesPerSec());
  }

  /**
   * Time that a limit makes of bytes.
   *
   * @param bytesPerSec 0 for no limit
   */
  static long heldUpMs(long bytes, long bytesPerSec) {
    return bytesPerSec == 0 ? 0 : bytes * 1000 / bytesPerSec;
  }

  /**
   * Gives a DataNode something to do.
   *
   * @param longestBlockBytes of the stripe
   * @return as {@link WorkQueue#give}
   * @throws IllegalStateException when it has as much to do as can be
   */
  CompletableFuture<WorkReport> give(
      DatanodeDescriptor datanode, Task task, long longestBlockBytes, long nowMs) {
    return commands.give(datanode.getDatanodeUuid(), task, timeMs(task, longestBlockBytes), nowMs);
  }

  /** A block that is looked for. */
  LocatedBlock toFind(Block block) {
    return new LocatedBlock(
        new ExtendedBlock(blockPool, block), DatanodeInfo.EMPTY_ARRAY, null, null);
  }

  /** Whether it is this block pool. */
  boolean isOf(String asked) {
    return blockPool.equals(asked);
  }

  /** Orders that a DataNode has been given and that are not over. */
  int outstanding(DatanodeDescriptor datanode) {
    return commands.outstanding(datanode.getDatanodeUuid());
  }

  /** A block with the DataNode to read it from. */
  LocatedBlock toRead(StoredBlock block, DatanodeDescriptor source) {
    return located(block, source, StorageType.DEFAULT, "");
  }

  /** The blocks that a plan reads. */
  List<StripeUnit> sources(LocatedStripe stripe, RebuildPlan plan, ClusterView nodes) {
    List<StripeUnit> sources = new ArrayList<>();
    for (int i = 0; i < plan.sources().length; i++) {
      int block = plan.sources()[i];
      DatanodeDescriptor node = nodes.datanodes()[plan.sourceNodes()[i]];
      sources.add(new StripeUnit(stripe.unit(block), toRead(stripe.toRead(block), node)));
    }
    return sources;
  }

  /** A block with the place where it is to be written. */
  LocatedBlock toWrite(StoredBlock block, DatanodeDescriptor target, BlockLookup.Storage storage) {
    return located(block, target, storage.type(), storage.id());
  }

  private LocatedBlock located(
      StoredBlock block, DatanodeDescriptor datanode, StorageType type, String storageId) {
    return new LocatedBlock(
        new ExtendedBlock(blockPool, block.id(), block.lengthBytes(), block.generationStamp()),
        new DatanodeInfo[] {datanode},
        new String[] {storageId},
        new StorageType[] {type});
  }
}
