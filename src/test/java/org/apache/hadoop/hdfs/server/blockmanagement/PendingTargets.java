package org.apache.hadoop.hdfs.server.blockmanagement;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Where replicas are expected. */
public final class PendingTargets {
  private PendingTargets() {}

  /** DataNodes, by UUID, on which replicas of a file are. */
  public static List<String> of(BlockManager blocks, FileSystem fs, Path file) throws IOException {
    List<String> uuids = new ArrayList<>();
    for (LocatedBlock block : DFSTestUtil.getAllBlocks(fs, file)) {
      BlockInfo stored = blocks.getStoredBlock(block.getBlock().getLocalBlock());
      List<DatanodeStorageInfo> targets = blocks.pendingReconstruction.getTargets(stored);
      if (targets != null) {
        targets.forEach(target -> uuids.add(target.getDatanodeDescriptor().getDatanodeUuid()));
      }
    }
    return uuids;
  }
}
