package org.rackweave.sim.workload;

import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * The files of an audit log by number, in order of their first appearance: which of them are older
 * than the log, and what a listing of the namespace knows about each. About 20 bytes a file.
 */
final class AuditFiles {

  /** Spreads neighbouring numbers over all seeds (the golden ratio in 64 bits). */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private int count;
  private final BitSet older = new BitSet();

  /** Block size 0 means that the listing knows nothing. */
  private long[] blockBytes = {};

  private long[] sizeBytes = {};

  /** Files whose factor somebody set during the log: the listing knows the new one only. */
  private final BitSet changed = new BitSet();

  private short[] replication = {};
  private int listed;

  private PathTree atStart = new PathTree();
  private PathTree atEnd = new PathTree();

  /** A file that the log sees created. */
  long created() {
    return count++;
  }

  /** A file that the log uses without having seen it created. */
  long foundOlder(String path) {
    older.set(count);
    atStart.put(path, count);
    return count++;
  }

  /** The log sees a file get another replication factor. */
  void changed(long file) {
    changed.set((int) file);
  }

  /** Numbers no more; the paths of all files at the end of the log. */
  void seal(PathTree tree) {
    atEnd = tree;
    blockBytes = new long[count];
    sizeBytes = new long[count];
    replication = new short[count];
  }

  /** Takes over what a listing tells about a path. */
  void learn(NamespaceListing.ListedFile file) {
    learn(atEnd.find(file.path()), file);
    learn(atStart.find(file.path()), file);
  }

  private void learn(long number, NamespaceListing.ListedFile file) {
    if (number < 0 || blockBytes[(int) number] > 0) {
      return;
    }
    int index = (int) number;
    blockBytes[index] = file.blockBytes();
    sizeBytes[index] = file.sizeBytes();
    replication[index] = (short) file.replication();
    listed++;
  }

  /** Forgets the paths; numbers are enough from here on. */
  void forgetPaths() {
    atStart = new PathTree();
    atEnd = new PathTree();
  }

  int count() {
    return count;
  }

  int listed() {
    return listed;
  }

  /** Number of paths kept, besides those that exist at the moment. */
  int pathCount() {
    return atStart.size();
  }

  boolean isOlder(long file) {
    return older.get((int) file);
  }

  boolean isListed(long file) {
    return blockBytes.length > 0 && blockBytes[(int) file] > 0;
  }

  /** The replication factor of a listed file at the time of the listing. */
  int listedReplication(long file) {
    return replication[(int) file];
  }

  /**
   * What a file looks like at first: as listed, or else drawn for its number, the same at every
   * call.
   */
  StoredFile stored(long file, FileShape shape, long seed) {
    int index = (int) file;
    if (!isListed(file)) {
      return shape.stored(file, new SplittableRandom(seed + (file + 1) * SPREAD));
    }
    int factor = changed.get(index) ? shape.replication() : replication[index];
    return new StoredFile(file, sizeBytes[index], blockBytes[index], factor);
  }
}
