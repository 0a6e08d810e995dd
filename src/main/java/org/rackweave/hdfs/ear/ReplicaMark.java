package org.rackweave.hdfs.ear;

import java.util.Arrays;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.rackweave.hdfs.InodeMark;

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

  /**
   * The mark of a file; its NameNode's lock is the caller's. Who has set a higher factor since does
   * not want one replica any more.
   */
  public static ReplicaMark of(INodeFile file) {
    XAttr mark = InodeMark.of(file, ATTRIBUTE);
    if (mark == null) {
      return NONE;
    }
    if (!Arrays.equals(ONE.value, mark.getValue())) {
      return KEEP;
    }
    return file.getFileReplication() > 1 ? NONE : ONE;
  }

  /** The mark that a factor set by somebody asks for. */
  static ReplicaMark ofFactor(int replication) {
    return replication > 1 ? KEEP : ONE;
  }

  /** What the attribute is set to, {@code null} for no attribute. */
  public byte[] value() {
    return value == null ? null : value.clone();
  }
}
