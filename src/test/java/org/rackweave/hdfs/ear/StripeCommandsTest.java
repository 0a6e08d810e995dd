package org.rackweave.hdfs.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.rackweave.ear.ErasureCode;
import org.rackweave.hdfs.work.EncodeTask;
import org.rackweave.hdfs.work.EncodeTasks;

class StripeCommandsTest {
  private static final long BLOCK_BYTES = 128 << 20;

  private static EncodeTask task(long bytesPerSec) {
    return EncodeTasks.of(ErasureCode.named("rs-6-3"), BLOCK_BYTES, bytesPerSec);
  }

  /** Otherwise every stripe of a careful operator would be broken off as one that is stuck. */
  @Test
  void whoIsToReadSlowlyHasTimeForIt() {
    long unlimitedMs = StripeCommands.timeMs(task(0), BLOCK_BYTES);
    assertEquals(120_000 + 512_000, unlimitedMs);
    long bytesPerSec = 1 << 20;
    long readMs = 6 * BLOCK_BYTES * 1000 / bytesPerSec;
    assertTrue(readMs > unlimitedMs);
    assertEquals(unlimitedMs + readMs, StripeCommands.timeMs(task(bytesPerSec), BLOCK_BYTES));
  }
}
