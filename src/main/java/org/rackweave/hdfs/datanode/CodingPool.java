package org.rackweave.hdfs.datanode;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.rackweave.ear.ErasureCode;
import org.rackweave.erasure.BlockCoding;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.hdfs.erasure.CoderSelection;

/** Coders with their buffers, made when they are needed and kept for the next. Thread-safe. */
public final class CodingPool {
  /** Most memory for the chunks of a stripe, so that wide codes take no more than others. */
  private static final int BUFFERS_BYTES = 4 << 20;

  private static final int CHUNK_UNIT_BYTES = 4096;

  private final CoderSelection coders;
  private final int kept;
  private final int chunkBytesMax;
  private final Deque<BlockCoding> idle = new ArrayDeque<>();

  /**
   * @param kept most that are kept while nobody uses them
   * @param chunkBytesMax of each block coded at a time, a multiple of 4 KB
   */
  public CodingPool(CoderSelection coders, int kept, int chunkBytesMax) {
    this.coders = coders;
    this.kept = kept;
    this.chunkBytesMax = chunkBytesMax;
  }

  /** One for a code, for the caller alone. */
  public synchronized BlockCoding take(ErasureCode named) {
    ReedSolomonCode code = new ReedSolomonCode(named.dataBlocks(), named.parityBlocks());
    for (Iterator<BlockCoding> each = idle.iterator(); each.hasNext(); ) {
      BlockCoding coding = each.next();
      if (coding.code().equals(code)) {
        each.remove();
        return coding;
      }
    }
    int buffers = code.allUnits() + code.parityUnits();
    int chunk = BUFFERS_BYTES / buffers / CHUNK_UNIT_BYTES * CHUNK_UNIT_BYTES;
    return new BlockCoding(coders.coder(code), Math.min(chunkBytesMax, chunk));
  }

  /** Keeps it for the next; what is left over belongs to the garbage. */
  public synchronized void giveBack(BlockCoding coding) {
    idle.addFirst(coding);
    if (idle.size() > kept) {
      idle.removeLast();
    }
  }

  synchronized void clear() {
    idle.clear();
  }
}
