package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.rackweave.hdfs.InodePath;

/**
 * The mark on a file that is to keep its replicas although its blocks are encoded: because somebody
 * asked for more than one by {@code setrep}, or had it decoded. An extended attribute, which only
 * superusers see, so that it lasts as long as the file.
 */
public final class ReplicaMark {
  /** Name of the attribute; its value says nothing. */
  public static final String ATTRIBUTE = "trusted.rackweave.keep-replicas";

  private ReplicaMark() {}

  /** Marks a file, as the superuser. */
  static void set(ClientProtocol nameNode, long fileId) throws IOException {
    nameNode.setXAttr(
        InodePath.of(fileId),
        XAttrHelper.buildXAttr(ATTRIBUTE, new byte[0]),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  /** Takes the mark off a file that has it, as the superuser. */
  static void clear(ClientProtocol nameNode, long fileId) throws IOException {
    XAttr mark = XAttrHelper.buildXAttr(ATTRIBUTE);
    nameNode.removeXAttr(InodePath.of(fileId), mark);
  }
}
