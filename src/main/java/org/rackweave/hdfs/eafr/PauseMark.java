package org.rackweave.hdfs.eafr;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.rackweave.hdfs.InodeMark;
import org.rackweave.hdfs.LockHolder;

/**
 * Keeps it durably that an operator has paused EAFR: an extended attribute of the root directory
 * ({@code hdfs dfs -getfattr -n trusted.rackweave.eafr-paused /}), so that it outlives restarts,
 * and whichever NameNode is active next knows it.
 */
final class PauseMark {
  static final String NAME = "trusted.rackweave.eafr-paused";

  private static final String ROOT = "/";

  private final FSNamesystem namesystem;
  private final NamenodeProtocols nameNode;

  PauseMark(NameNode nameNode) {
    namesystem = nameNode.getNamesystem();
    this.nameNode = nameNode.getRpcServer();
  }

  boolean isSet() throws IOException {
    namesystem.readLock();
    try {
      INode root = namesystem.getFSDirectory().getINode(ROOT, FSDirectory.DirOp.READ);
      return InodeMark.of(root, NAME) != null;
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  /**
   * Writes it down, and returns when the edit log has it.
   *
   * @throws IOException when this NameNode may not write, and nothing has changed
   */
  void set(boolean isPaused) throws IOException {
    if (isPaused == isSet()) {
      return;
    }
    XAttr mark = XAttrHelper.buildXAttr(NAME);
    if (isPaused) {
      nameNode.setXAttr(ROOT, mark, EnumSet.of(XAttrSetFlag.CREATE));
    } else {
      nameNode.removeXAttr(ROOT, mark);
    }
  }
}
