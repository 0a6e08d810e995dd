package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import org.rackweave.hdfs.namenode.SuperuserCheck;

/** Bridge: a NameNode's own check, which writes those it refuses to the audit log. */
public final class NameNodeSuperusers implements SuperuserCheck {
  @Override
  public void check(NameNode nameNode, String operation) throws IOException {
    nameNode.getNamesystem().checkSuperuserPrivilege(operation);
  }
}
