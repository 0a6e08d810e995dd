package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiff;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * What snapshots keep of a file's blocks however low its own factor gets. The namesystem's lock is
 * held.
 *
 * @param replication replicas of each block, at least one
 * @param snapshot path of a snapshot that wants so many, empty when one replica suffices
 */
record SnapshotHold(int replication, String snapshot) {
  private static final SnapshotHold NONE = new SnapshotHold(1, "");

  /** Files that were renamed into a directory may be held by a snapshot of the one before. */
  private static final String ELSEWHERE = "a snapshot of a directory it was in before";

  /**
   * @param path of the file, {@code null} when only snapshots hold it
   */
  static SnapshotHold of(INodeFile file, INodesInPath path) {
    SnapshotHold most = NONE;
    if (path != null
        && file.getFileReplication() > 1
        && file.isInLatestSnapshot(path.getLatestSnapshotId())) {
      most = new SnapshotHold(file.getFileReplication(), nameOf(path.getLatestSnapshotId(), path));
    }
    if (!file.isWithSnapshot()) {
      return most;
    }
    for (FileDiff diff : file.getDiffs()) {
      int replication = file.getFileReplication(diff.getSnapshotId());
      if (replication > most.replication()) {
        most = new SnapshotHold(replication, nameOf(diff.getSnapshotId(), path));
      }
    }
    // HDFS's own word, which counts the present factor, too.
    int preferred = file.getPreferredBlockReplication();
    return preferred > most.replication() ? new SnapshotHold(preferred, most.snapshot()) : most;
  }

  /** Whether some snapshot wants one replica of a file that has more now. */
  static boolean wantsOneOfMore(INodeFile file) {
    if (file.getFileReplication() <= 1 || !file.isWithSnapshot()) {
      return false;
    }
    for (FileDiff diff : file.getDiffs()) {
      if (file.getFileReplication(diff.getSnapshotId()) == 1) {
        return true;
      }
    }
    return false;
  }

  private static String nameOf(int snapshotId, INodesInPath path) {
    for (int i = path == null ? -1 : path.length() - 1; i >= 0; i--) {
      INode inode = path.getINode(i);
      if (inode != null && inode.isDirectory() && inode.asDirectory().isSnapshottable()) {
        Snapshot found =
            inode.asDirectory().getDirectorySnapshottableFeature().getSnapshotById(snapshotId);
        if (found != null) {
          return Snapshot.getSnapshotPath(inode.getFullPathName(), found.getRoot().getLocalName());
        }
      }
    }
    return ELSEWHERE;
  }
}
