package org.rackweave.hdfs;

import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;

/** Extended attributes that Rackweave keeps at inodes; their NameNode's lock is the caller's. */
public final class InodeMark {
  private InodeMark() {}

  /** An inode's attribute of a name with its prefix, {@code null} for none. */
  public static XAttr of(INode inode, String name) {
    XAttrFeature attributes = inode.getXAttrFeature();
    return attributes == null ? null : attributes.getXAttr(name);
  }

  /** The value of an inode's attribute, {@code null} for no attribute or no value. */
  public static byte[] valueOf(INode inode, String name) {
    XAttr mark = of(inode, name);
    return mark == null ? null : mark.getValue();
  }
}
