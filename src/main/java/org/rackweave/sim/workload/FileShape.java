package org.rackweave.sim.workload;

import java.util.SplittableRandom;

/**
 * What the files of a workload look like.
 *
 * @param sizeBytes drawn for each file, rounded to whole bytes
 * @param blockBytes preferred block size, at least 1
 * @param replication replicas of each block, at least 1
 */
public record FileShape(Distribution sizeBytes, long blockBytes, int replication) {

  /** No file is larger: a day of a thousand of them is still far from the end of long. */
  private static final double SIZE_MAX_BYTES = 1L << 50;

  /** The size of one file, at least 1 byte. */
  long drawSizeBytes(SplittableRandom random) {
    return Math.round(Math.max(1, Math.min(SIZE_MAX_BYTES, sizeBytes.draw(random))));
  }

  StoredFile stored(long file, SplittableRandom random) {
    return new StoredFile(file, drawSizeBytes(random), blockBytes, replication);
  }
}
