package org.rackweave.hdfs.ear;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * Raises factors of files as {@code setReplication} does, except that no quota stands against it.
 */
public interface FactorRaise {
  /**
   * Raises the factor of a file, as the user this thread acts for.
   *
   * @return false when there is no such file of replicated blocks
   */
  boolean raise(NameNode nameNode, long fileId, int replication) throws IOException;
}
