package org.rackweave.hdfs.ear;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.rackweave.hdfs.ear.BlockLookup.MissingBlocks;
import org.rackweave.hdfs.ear.BlockLookup.StoredBlock;

/**
 * Goes through what HDFS lists as missing, in short holds of its lock. What can never be made again
 * stays in that list, at its beginning, so whoever looked at the beginning only would see nothing
 * else any more. Blocks that come or go meanwhile may be passed over until the next time.
 *
 * <p>Soft state: how far the last look came. For one thread.
 */
final class MissingWalk {
  /** Blocks looked at in one hold of the lock. */
  static final int AT_A_TIME = 1000;

  /** Holds of a look. */
  static final int HOLDS_MAX = 20;

  private final BlockLookup lookup;
  private int from;

  MissingWalk(BlockLookup lookup) {
    this.lookup = lookup;
  }

  /**
   * The next missing blocks, up to the end of the list; from its beginning when it had come there.
   */
  List<StoredBlock> next() {
    List<StoredBlock> missing = new ArrayList<>();
    for (int hold = 0; hold < HOLDS_MAX; hold++) {
      MissingBlocks part = lookup.missing(from, AT_A_TIME);
      missing.addAll(part.blocks());
      if (part.isLast()) {
        from = 0;
        break;
      }
      from += AT_A_TIME;
    }
    return missing;
  }

  /** Shows all missing blocks, part by part. */
  static void all(BlockLookup lookup, Consumer<List<StoredBlock>> parts) {
    MissingBlocks part;
    int from = 0;
    do {
      part = lookup.missing(from, AT_A_TIME);
      parts.accept(part.blocks());
      from += AT_A_TIME;
    } while (!part.isLast());
  }
}
