package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.work.EncodeTask;

class StripeDeskTest {
  private static final long BLOCK_BYTES = 128 << 20;

  private static EncodeTask task(long bytesPerSec) {
    DatanodeInfo node =
        new DatanodeInfoBuilder()
            .setDatanodeUuid("uuid")
            .setIpAddr("10.0.0.1")
            .setHostName("host")
            .build();
    LocatedBlock block =
        new LocatedBlock(
            new ExtendedBlock("pool", 1, BLOCK_BYTES, 1),
            new DatanodeInfo[] {node},
            new String[] {"storage"},
            new StorageType[] {StorageType.DISK});
    return new EncodeTask(
        ErasureCode.named("rs-6-3"),
        Collections.nCopies(6, block),
        Collections.nCopies(3, block),
        bytesPerSec);
  }

  /** Otherwise every stripe of a careful operator would be broken off as one that is stuck. */
  @Test
  void whoIsToReadSlowlyHasTimeForIt() {
    long unlimitedMs = StripeDesk.timeMs(task(0), BLOCK_BYTES);
    assertEquals(120_000 + 512_000, unlimitedMs);
    long bytesPerSec = 1 << 20;
    long readMs = 6 * BLOCK_BYTES * 1000 / bytesPerSec;
    assertTrue(readMs > unlimitedMs);
    assertEquals(unlimitedMs + readMs, StripeDesk.timeMs(task(bytesPerSec), BLOCK_BYTES));
  }
}
