package org.rackweave.hdfs.namenode;

import java.io.IOException;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** Keeps a namespace as it is, also while its NameNode starts or is a standby. */
public interface NamespaceHold {
  /**
   * Whether there are files somewhere below a directory; looks at a bounded number of inodes, and
   * says so when it has found none by then.
   *
   * @param child names of the directory's own children that are looked into
   */
  boolean hasFilesBelow(NameNode nameNode, String directory, Predicate<String> child);

  /** Enters safe mode as an operator does, and so until somebody leaves it. */
  void enterSafeMode(NameNode nameNode) throws IOException;
}
