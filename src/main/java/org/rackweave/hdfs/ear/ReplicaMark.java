package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.rackweave.hdfs.InodeMark;
import org.rackweave.hdfs.InodePath;

/**
 * What somebody wishes of the replicas of a file whose blocks are encoded: by {@code setrep}, or by
 * having it decoded. An extended attribute, which only superusers see, so that it lasts as long as
 * the file.
 */
public enum ReplicaMark {
  /** Nothing: it has the replicas that its stripes need. */
  NONE(null),
  /** It keeps its replicas. */
  KEEP(new byte[0]),
  /** It is to have one, and gets no more when its stripe is given up. */
  ONE(new byte[] {'1'});

  /** Name of the attribute. */
  public static final String ATTRIBUTE = "trusted.rackweave.keep-replicas";

  private final byte[] value;

  ReplicaMark(byte[] value) {
    this.value = value;
  }

  /** The mark of a file; its NameNode's lock is the caller's. */
  public static ReplicaMark of(INode file) {
    XAttr mark = InodeMark.of(file, ATTRIBUTE);
    if (mark == null) {
      return NONE;
    }
    return Arrays.equals(ONE.value, mark.getValue()) ? ONE : KEEP;
  }

  /** The mark that a factor set by somebody asks for. */
  static ReplicaMark ofFactor(int replication) {
    return replication > 1 ? KEEP : ONE;
  }

  /** Marks a file, which has another mark, as the superuser. */
  void put(ClientProtocol nameNode, long fileId) throws IOException {
    if (this == NONE) {
      nameNode.removeXAttr(InodePath.of(fileId), XAttrHelper.buildXAttr(ATTRIBUTE));
    } else {
      nameNode.setXAttr(
          InodePath.of(fileId),
          XAttrHelper.buildXAttr(ATTRIBUTE, value),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
    }
  }
}
