package org.rackweave.telemetry;

/** How a transfer that has been placed counts on its links until measurements show it. */
public enum Promise {
  /**
   * The paper's I(B, delta) = min(Cap - v^, Size / delta): all of the block by then. With blocks of
   * 256 MB and a second between measurements one block takes a whole link.
   */
  WHOLE_BLOCK,
  /**
   * No more than a disk can write: min(Cap - v^, Size / delta, DiskWriteCap). A transfer cannot use
   * more, so a link with room for five transfers is offered five times before its next measurement.
   */
  DISK_RATE,
  /**
   * Blocks under way share what others leave, on hosts whose agents tell blocks from other traffic
   * ({@link LinkLedger}); whole blocks on others.
   */
  SHARE
}
