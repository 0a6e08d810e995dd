package org.rackweave.hdfs.eafr;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;

/**
 * One pass over all files, in the order of their inodes, so that files that are renamed meanwhile
 * are seen once. It costs a look into the inode map for each number ever given to an inode; holds
 * of the namesystem's read lock are {@value #NUMBERS} numbers long, a fraction of a millisecond.
 * Single-threaded.
 */
final class NamespacePass {
  /** Inode numbers passed in one hold of the lock. */
  static final int NUMBERS = 1000;

  private final FileLookup lookup;
  private final FileLookup.Wanted wanted;
  private final long first;
  private final long last;
  private long at;

  NamespacePass(FileLookup lookup, FileLookup.Wanted wanted) {
    this.lookup = lookup;
    this.wanted = wanted;
    first = lookup.firstInode();
    last = lookup.lastInode();
    at = first;
  }

  /**
   * Goes on a little.
   *
   * @return the wanted files of some inode numbers, empty when all have been passed
   */
  Optional<List<FoundFile>> next() {
    if (at >= last) {
      return Optional.empty();
    }
    List<Long> ids = new ArrayList<>();
    int count = (int) Math.min(NUMBERS, last - at);
    lookup.scan(at, count, wanted, ids);
    at += count;
    List<FoundFile> files = new ArrayList<>(ids.size());
    if (!ids.isEmpty()) {
      for (FoundFile file : lookup.files(ids)) {
        if (file != null) {
          files.add(file);
        }
      }
    }
    return Optional.of(files);
  }

  /** How much of it is done, 0 to 1. */
  double progress() {
    return at >= last ? 1 : (double) (at - first) / (last - first);
  }
}
