package org.apache.hadoop.hdfs.server.namenode;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.rackweave.hdfs.InodePath;
import org.rackweave.hdfs.LockHolder;

/**
 * Bridge: files of replicated blocks by their inode. An inode that only snapshots hold still says
 * the path it had, and HDFS takes {@code /.reserved/.inodes/ID} for that path: a call that changes
 * it there changes another's file. Here it is not found.
 */
public final class CurrentFiles {
  private CurrentFiles() {}

  /** What is done to a file under the namesystem's write lock. */
  @FunctionalInterface
  public interface Change<T> {
    /**
     * @param file {@code null} when there is none of replicated blocks in the current tree
     */
    T of(INodeFile file) throws IOException;
  }

  /**
   * Changes a file in one hold of the write lock of an active NameNode, and makes it last.
   *
   * @throws IOException also when the NameNode is not active, or is in safe mode
   */
  public static <T> T change(NameNode nameNode, long fileId, Change<T> change) throws IOException {
    FSNamesystem namesystem = nameNode.getNamesystem();
    T result;
    namesystem.writeLock();
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot change inode " + fileId);
      INode inode = namesystem.getFSDirectory().getInode(fileId);
      boolean isFile = inode != null && inode.isFile() && !inode.asFile().isStriped();
      INodeFile file = isFile ? inode.asFile() : null;
      boolean isCurrent = isFile && path(namesystem.getFSDirectory(), file) != null;
      result = change.of(isCurrent ? file : null);
    } finally {
      namesystem.writeUnlock(LockHolder.NAME);
    }
    namesystem.getEditLog().logSync();
    return result;
  }

  /**
   * The way to a file in the current tree. The namesystem's lock is held.
   *
   * @return {@code null} when only snapshots hold it, or it is being deleted
   */
  public static INodesInPath path(FSDirectory directory, INodeFile file) {
    String name = file.getFullPathName();
    if (!name.startsWith(Path.SEPARATOR)) {
      return null; // it was renamed and deleted, and an older snapshot has it by its older name
    }
    try {
      INodesInPath path = directory.getINodesInPath(name, DirOp.READ);
      INode last = path.getLastINode();
      // Not the same object where a file was renamed under a snapshot.
      return last != null && last.getId() == file.getId() ? path : null;
    } catch (IOException e) {
      return null; // its directory is gone
    }
  }

  /**
   * Gives a file an extended attribute as the superuser does, from within {@link #change}.
   *
   * @param attribute its name with its prefix
   * @param value {@code null} takes it away
   */
  public static void setMark(NameNode nameNode, INodeFile file, String attribute, byte[] value)
      throws IOException {
    FSNamesystem namesystem = nameNode.getNamesystem();
    String path = InodePath.of(file.getId());
    if (value == null) {
      FSDirXAttrOp.removeXAttr(
          namesystem.getFSDirectory(),
          namesystem.getPermissionChecker(),
          path,
          XAttrHelper.buildXAttr(attribute),
          false);
    } else {
      FSDirXAttrOp.setXAttr(
          namesystem.getFSDirectory(),
          namesystem.getPermissionChecker(),
          path,
          XAttrHelper.buildXAttr(attribute, value),
          EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE),
          false);
    }
  }

  /** Does what {@code setReplication} does, from within {@link #change}. */
  public static boolean setReplication(NameNode nameNode, INodeFile file, int replication)
      throws IOException {
    FSNamesystem namesystem = nameNode.getNamesystem();
    try {
      return FSDirAttrOp.setReplication(
          namesystem.getFSDirectory(),
          namesystem.getPermissionChecker(),
          namesystem.getBlockManager(),
          InodePath.of(file.getId()),
          (short) replication);
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /**
   * The same, over the file's quota if need be. Replicas that a file had before it was encoded must
   * not be refused to it when its stripe is given up, least of all because of what others do; who
   * is over quota then just writes nothing new. Nor must they be refused because {@code
   * dfs.replication.max} has become less since: the file gets as many as it may have.
   */
  public static boolean raiseOverQuota(NameNode nameNode, INodeFile file, int replication)
      throws IOException {
    // Only an active NameNode gets here, which checks quotas; one that replays edits must never
    // begin to. The write lock keeps all others out who would ask for quota.
    FSDirectory directory = nameNode.getNamesystem().getFSDirectory();
    boolean wasChecking = !directory.shouldSkipQuotaChecks();
    directory.disableQuotaChecks();
    try {
      int most = nameNode.getNamesystem().getBlockManager().maxReplication;
      return setReplication(nameNode, file, Math.min(replication, most));
    } finally {
      if (wasChecking) {
        directory.enableQuotaChecks();
      }
    }
  }
}
