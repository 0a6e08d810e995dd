package org.rackweave.telemetry;

/**
 * How often one block was read at one DataNode.
 *
 * @param blockId HDFS block id; may be negative (striped block groups and old random ids)
 * @param reads reads counted, at least 0; the wire carries at most {@link #MAX_READS}
 */
public record BlockReads(long blockId, long reads) {

  /** Largest count the wire carries (five varint bytes); larger ones are sent as this. */
  public static final long MAX_READS = (1L << 35) - 1;

  public BlockReads {
    if (reads < 0) {
      throw new IllegalArgumentException("reads must be at least 0: " + reads);
    }
  }
}
