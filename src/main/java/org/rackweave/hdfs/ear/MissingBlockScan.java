package org.rackweave.hdfs.ear;

import java.util.ArrayList;
import java.util.List;
import org.rackweave.hdfs.ear.BlockLookup.MissingBlocks;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;

/**
 * Goes through what HDFS lists as missing, in short holds of its lock. What can never be made again
 * stays in that list, at its beginning, so a scan of the beginning only would see nothing else any
 * more. Blocks that come or go meanwhile may be passed over until the next time. So may those
 * behind {@link #FROM_MAX} others, to which HDFS's list has no shorter way; the walk over all
 * stripes comes to them.
 *
 * <p>Soft state: how far the last look came. For one thread.
 */
final class MissingBlockScan {
  /** Blocks looked at in one hold of the lock. */
  static final int AT_A_TIME = 1000;

  /** Holds of a look. */
  static final int HOLDS_MAX = 20;

  /** Blocks that a hold of the lock may have to pass over, some milliseconds. */
  static final int FROM_MAX = 100_000;

  private final BlockLookup lookup;
  private int from;

  MissingBlockScan(BlockLookup lookup) {
    this.lookup = lookup;
  }

  /**
   * The next missing blocks, up to the end of the list or its bound; from its beginning when it had
   * come there.
   */
  List<StoredBlock> next() {
    List<StoredBlock> missing = new ArrayList<>();
    for (int hold = 0; hold < HOLDS_MAX; hold++) {
      MissingBlocks part = lookup.missing(from, AT_A_TIME);
      missing.addAll(part.blocks());
      if (part.isLast() || from + AT_A_TIME >= FROM_MAX) {
        from = 0;
        break;
      }
      from += AT_A_TIME;
    }
    return missing;
  }
}
