package org.rackweave.hdfs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;

/**
 * What an operator has said for a whole namespace: an extended attribute of its root directory,
 * which only superusers see. It outlives restarts, and every NameNode reads it from the edits.
 */
public final class RootMark {
  private static final String ROOT = "/";

  private final FSNamesystem namesystem;
  private final NamenodeProtocols nameNode;
  private final String name;

  /**
   * @param name of the attribute, with the prefix {@code trusted.}
   */
  public RootMark(NameNode nameNode, String name) {
    namesystem = nameNode.getNamesystem();
    this.nameNode = nameNode.getRpcServer();
    this.name = name;
  }

  public String name() {
    return name;
  }

  /** What was said, {@code null} for nothing. */
  public String read() throws IOException {
    namesystem.readLock();
    try {
      INode root = namesystem.getFSDirectory().getINode(ROOT, FSDirectory.DirOp.READ);
      XAttr mark = InodeMark.of(root, name);
      if (mark == null) {
        return null;
      }
      return mark.getValue() == null ? "" : new String(mark.getValue(), StandardCharsets.UTF_8);
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  /**
   * Writes it down, and returns when the edit log has it.
   *
   * @param said {@code null} for nothing any more
   * @throws IOException when this NameNode may not write, and nothing has changed
   * @throws UnsupportedOperationException when extended attributes are off
   */
  public void write(String said) throws IOException {
    String before = read();
    if (said == null ? before == null : said.equals(before)) {
      return;
    }
    if (said == null) {
      nameNode.removeXAttr(ROOT, XAttrHelper.buildXAttr(name));
    } else {
      nameNode.setXAttr(
          ROOT,
          XAttrHelper.buildXAttr(name, said.getBytes(StandardCharsets.UTF_8)),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }
  }
}
