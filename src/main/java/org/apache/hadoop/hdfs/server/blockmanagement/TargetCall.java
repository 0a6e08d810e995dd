package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.Node;

/**
 * What HDFS asks {@code chooseTarget}.
 *
 * @param path of the block's file
 * @param replicas to be chosen
 * @param writer client or source of the block, {@code null} for one outside the cluster
 * @param existing replicas there are
 * @param returnExisting whether they are to be in the answer
 * @param excluded nodes not to be chosen; {@code null} for none
 * @param blockSizeBytes largest size the block can grow to
 * @param storagePolicy of the file
 * @param flags the client's; {@code null} where no client writes
 */
record TargetCall(
    String path,
    int replicas,
    Node writer,
    List<DatanodeStorageInfo> existing,
    boolean returnExisting,
    Set<Node> excluded,
    long blockSizeBytes,
    BlockStoragePolicy storagePolicy,
    EnumSet<AddBlockFlag> flags) {

  /** HDFS passes flags for blocks that a client writes and for nothing else. */
  boolean isNewBlock() {
    return flags != null;
  }

  boolean hasFlag(AddBlockFlag flag) {
    return flags != null && flags.contains(flag);
  }
}
