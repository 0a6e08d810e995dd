package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * One walk over the files below some directories, a page at a time as {@code hdfs dfs -ls} lists
 * them: the namesystem's lock is held no longer than for a client. Files that come and go meanwhile
 * may be seen or not. Kept are the names of at most one page of directories for each level.
 */
final class NamespaceScan {
  private final Lister lister;
  private final Predicate<String> entered;
  private final Deque<String> roots;
  private final Deque<Level> path = new ArrayDeque<>();

  /** Lists children of a directory. */
  @FunctionalInterface
  interface Lister {
    /**
     * @param startAfter name of the last child of the page before, empty for the first page
     * @return {@code null} when the directory is gone
     */
    DirectoryListing list(String directory, byte[] startAfter) throws IOException;
  }

  /** A directory on the way to where the walk is. */
  private static final class Level {
    final String directory;
    final Deque<String> toEnter = new ArrayDeque<>();
    byte[] lastName = HdfsFileStatus.EMPTY_NAME;
    boolean isListed;

    Level(String directory) {
      this.directory = directory;
    }
  }

  /**
   * @param roots absolute paths to begin at
   * @param entered whether to go into a directory below them
   */
  NamespaceScan(Lister lister, Collection<String> roots, Predicate<String> entered) {
    this.lister = lister;
    this.entered = entered;
    this.roots = new ArrayDeque<>(roots);
  }

  /**
   * Goes on by at most one page.
   *
   * @param seen told each file's path and what the lister says of it
   * @return false when everything has been seen
   */
  boolean step(BiConsumer<String, HdfsFileStatus> seen) throws IOException {
    while (true) {
      Level level = path.peek();
      if (level == null) {
        if (roots.isEmpty()) {
          return false;
        }
        path.push(new Level(roots.poll()));
      } else if (!level.toEnter.isEmpty()) {
        path.push(new Level(level.toEnter.poll()));
      } else if (level.isListed) {
        path.pop();
      } else {
        listNext(level, seen);
        return true;
      }
    }
  }

  private void listNext(Level level, BiConsumer<String, HdfsFileStatus> seen) throws IOException {
    DirectoryListing page = lister.list(level.directory, level.lastName);
    if (page == null) {
      level.isListed = true;
      return;
    }
    for (HdfsFileStatus child : page.getPartialListing()) {
      String childPath = child.getFullPath(new Path(level.directory)).toUri().getPath();
      if (child.isDirectory()) {
        if (entered.test(childPath)) {
          level.toEnter.add(childPath);
        }
      } else if (!child.isSymlink()) {
        seen.accept(childPath, child);
      }
    }
    level.lastName = page.getLastName();
    level.isListed = !page.hasMore();
  }
}
