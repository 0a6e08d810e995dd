package org.rackweave.hdfs.datanode;

import java.io.IOException;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.rackweave.erasure.BlockCoding;
import org.rackweave.hdfs.erasure.CoderSelection;
import org.rackweave.hdfs.erasure.ErasureConfig;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.WorkResult;

/**
 * Encodes stripes in a process that is no DataNode, with the block tokens that came along. Used by
 * one thread.
 */
public final class ClientStripeWork {
  private static final int CHUNK_BYTES = 256 << 10;

  private final DistributedFileSystem fs;
  private final CodingPool codings;

  /**
   * @param fs the file system of the stripes, to be closed by the caller
   */
  public ClientStripeWork(DistributedFileSystem fs) {
    this.fs = fs;
    codings = new CodingPool(CoderSelection.of(ErasureConfig.from(fs.getConf())), 1, CHUNK_BYTES);
  }

  /**
   * Makes the parity of a stripe; when this returns it is stored as it was made.
   *
   * @param progress told the bytes of each block done so far
   * @return bytes received of each data block, in order, and the checksums of all blocks
   * @throws IOException naming the block when it cannot be read or written, or when a DataNode has
   *     stored something else than was sent
   */
  public WorkResult encode(EncodeTask task, LongConsumer progress) throws IOException {
    BlockCoding coding = codings.take(task.code());
    try {
      return new StripeWork(new ClientOrigin(fs)).run(task, coding, progress);
    } finally {
      codings.giveBack(coding);
    }
  }
}
