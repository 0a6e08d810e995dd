package org.rackweave.hdfs.namenode;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many blocks of a file have been asked for, for files whose writer announced their length.
 * HDFS tells a placement policy neither index nor id of a block. A retried block counts twice,
 * which makes its file look a little nearer to its end.
 *
 * <p>Soft state, bounded: the file least recently written is forgotten first. A file that is not
 * known starts at its first block.
 */
public final class FileProgress {
  private final Map<String, Long> blocks;

  /**
   * @param bound most files remembered
   */
  public FileProgress(int bound) {
    blocks =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > bound;
          }
        };
  }

  /**
   * Counts one more block of a file.
   *
   * @return how many blocks were asked for before this one
   */
  public synchronized long next(String path) {
    return blocks.merge(path, 1L, Long::sum) - 1;
  }

  /** Forgets a file whose last block was placed. */
  public synchronized void finished(String path) {
    blocks.remove(path);
  }
}
