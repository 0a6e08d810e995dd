package org.rackweave.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.apache.hadoop.io.IOUtils;
import org.rackweave.erasure.BlockCoding;
import org.rackweave.hdfs.work.EncodeTask;

/**
 * Encodes one stripe on a DataNode: reads its data blocks from replicas, writes the parity blocks
 * to other DataNodes, and asks these what they have stored. Nothing that exists is changed; parity
 * blocks of an encoding that broke off belong to files that are deleted.
 */
final class StripeEncoding {
  private final ReplicaTransfers transfers;
  private final List<Closeable> open = new ArrayList<>();

  StripeEncoding(DataNode dataNode) {
    transfers = new ReplicaTransfers(dataNode);
  }

  /**
   * @param coding of the task's code
   * @param progress told the bytes of each block done so far
   * @throws IOException naming the block when it cannot be read or written, or when a DataNode has
   *     stored something else than was sent
   */
  void run(EncodeTask task, BlockCoding coding, LongConsumer progress) throws IOException {
    List<ReplicaWriter> parity = new ArrayList<>();
    List<byte[]> digests = new ArrayList<>();
    try {
      BlockCoding.Source[] data = new BlockCoding.Source[task.data().size()];
      for (int i = 0; i < data.length; i++) {
        data[i] = source(task.data().get(i));
      }
      for (LocatedBlock block : task.parity()) {
        parity.add(writer(block));
      }
      coding.encode(
          data,
          parity.toArray(ReplicaWriter[]::new),
          ThreadLocalRandom.current(),
          throttled(task, data.length, progress));
      for (ReplicaWriter writer : parity) {
        digests.add(writer.finish());
      }
    } finally {
      open.forEach(IOUtils::closeStream);
    }
    for (int i = 0; i < digests.size(); i++) {
      verify(task.parity().get(i), digests.get(i));
    }
  }

  private BlockCoding.Source source(LocatedBlock block) throws IOException {
    ReplicaReader reader = transfers.read(block.getBlock(), block.getLocations()[0]);
    open.add(reader);
    return new BlockCoding.Source(reader, block.getBlockSize());
  }

  private ReplicaWriter writer(LocatedBlock block) throws IOException {
    ReplicaWriter writer =
        transfers.write(
            block.getBlock(),
            block.getLocations()[0],
            block.getStorageTypes()[0],
            block.getStorageIDs()[0]);
    open.add(writer);
    return writer;
  }

  /** All data blocks are read at the same pace. */
  private static LongConsumer throttled(EncodeTask task, int blocks, LongConsumer progress) {
    if (task.bytesPerSec() == 0) {
      return progress;
    }
    DataTransferThrottler throttler = new DataTransferThrottler(task.bytesPerSec());
    long[] before = {0};
    return done -> {
      throttler.throttle((done - before[0]) * blocks);
      before[0] = done;
      progress.accept(done);
    };
  }

  private void verify(LocatedBlock block, byte[] digest) throws IOException {
    DatanodeInfo holder = block.getLocations()[0];
    if (!Arrays.equals(transfers.storedDigest(block.getBlock(), holder), digest)) {
      throw new IOException(holder + " has stored another " + block.getBlock() + " than was sent");
    }
  }
}
