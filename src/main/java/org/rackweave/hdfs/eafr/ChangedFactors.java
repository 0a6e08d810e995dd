package org.rackweave.hdfs.eafr;

import java.util.List;
import java.util.Optional;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;

/**
 * Counts the files whose factor is EAFR's and not the one their users gave them, in one pass over
 * all files; also where no rule lets EAFR look for them any more. Beside them it counts files that
 * are not safe with stock HDFS because of a snapshot of one replica. For one thread.
 */
public final class ChangedFactors {
  private final FileLookup lookup;
  private final NamespacePass pass;
  private final long last;
  private long at;
  private boolean isOver;
  private long count;
  private long inSnapshots;

  ChangedFactors(FileLookup lookup) {
    this.lookup = lookup;
    at = lookup.firstInode();
    last = lookup.lastInode();
    pass = new NamespacePass(lookup, (fileId, factor, isMarked) -> isMarked);
  }

  /** Goes on for about so long; returns whether all files have been passed. */
  boolean goOn(long nanos) {
    long beganNanos = System.nanoTime();
    while (!isOver && System.nanoTime() - beganNanos < nanos) {
      Optional<List<FoundFile>> found = pass.next();
      int numbers = (int) Math.min(NamespacePass.NUMBERS, last - at);
      inSnapshots += lookup.oneReplicaInSnapshots(at, numbers);
      at += numbers;
      isOver = found.isEmpty() && at >= last;
      count +=
          found.stream().flatMap(List::stream).filter(one -> one.factor() != ownOf(one)).count();
    }
    return isOver;
  }

  /** Files found so far. */
  long count() {
    return count;
  }

  /** Files found so far that snapshots want one replica of, see {@link FileLookup}. */
  long inSnapshots() {
    return inSnapshots;
  }

  /** The factor that a file's user gave it. */
  public static int ownOf(FoundFile file) {
    return OwnFactor.history(file.mark(), file.factor()).ownFactor();
  }
}
