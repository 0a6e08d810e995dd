package org.rackweave.hdfs;

/** Paths that name a file by its inode, and so wherever it has been renamed to. */
public final class InodePath {
  /** What all of them begin with. */
  public static final String PREFIX = "/.reserved/.inodes/";

  private InodePath() {}

  public static String of(long inode) {
    return PREFIX + inode;
  }
}
