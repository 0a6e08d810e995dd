package org.rackweave.hdfs.work;

import java.util.List;

/**
 * What a task that is done has found out.
 *
 * @param readBytes bytes received of each block that was read, in the task's order
 * @param checksums of a stripe that was encoded, as {@link StripeProof} has them; empty where
 *     nobody asked for a proof
 */
public record WorkResult(List<Long> readBytes, List<Integer> checksums) {
  public WorkResult {
    readBytes = List.copyOf(readBytes);
    checksums = List.copyOf(checksums);
  }
}
