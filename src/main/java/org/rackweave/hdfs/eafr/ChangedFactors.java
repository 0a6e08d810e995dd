package org.rackweave.hdfs.eafr;

import java.util.List;
import java.util.Optional;
import org.rackweave.hdfs.eafr.FileLookup.FoundFile;

/**
 * Counts the files whose factor is EAFR's and not the one their users gave them, in one pass over
 * all files; also where no rule lets EAFR look for them any more. For one thread.
 */
public final class ChangedFactors {
  private final NamespacePass pass;
  private boolean isOver;
  private long count;

  ChangedFactors(FileLookup lookup) {
    pass = new NamespacePass(lookup, (fileId, factor, isMarked) -> isMarked);
  }

  /** Goes on for about so long; returns whether all files have been passed. */
  boolean goOn(long nanos) {
    long beganNanos = System.nanoTime();
    while (!isOver && System.nanoTime() - beganNanos < nanos) {
      Optional<List<FoundFile>> found = pass.next();
      isOver = found.isEmpty();
      count +=
          found.stream().flatMap(List::stream).filter(one -> one.factor() != ownOf(one)).count();
    }
    return isOver;
  }

  /** Files found so far. */
  long count() {
    return count;
  }

  /** The factor that a file's user gave it. */
  public static int ownOf(FoundFile file) {
    return OwnFactor.history(file.mark(), file.factor()).ownFactor();
  }
}
