package org.rackweave.hdfs.namenode;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/** Whether a NameNode's caller is a superuser, which Hadoop keeps to its own package. */
public interface SuperuserCheck {
  /**
   * Lets superusers pass, and everybody where permissions are off.
   *
   * @param operation what the caller wants, for the audit log
   * @throws IOException when the caller whom this thread answers is none
   */
  void check(NameNode nameNode, String operation) throws IOException;
}
