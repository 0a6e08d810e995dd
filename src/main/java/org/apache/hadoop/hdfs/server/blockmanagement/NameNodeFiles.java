package org.apache.hadoop.hdfs.server.blockmanagement;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.CurrentFiles;
import org.apache.hadoop.hdfs.server.namenode.DirectoryWithQuotaFeature;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodeId;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.rackweave.eafr.FileKind;
import org.rackweave.hdfs.InodeMark;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.eafr.FileLookup;

/** Bridge: files, their factors and their replicas in the memory of one NameNode. */
public final class NameNodeFiles implements FileLookup {
  private final Namesystem namesystem;
  private final BlockManager blockManager;
  private final FSDirectory directory;

  public NameNodeFiles(NameNode nameNode) {
    namesystem = nameNode.getNamesystem();
    blockManager = nameNode.getNamesystem().getBlockManager();
    directory = nameNode.getNamesystem().getFSDirectory();
  }

  @Override
  public void fileIds(long[] blockIds, int from, int count, long[] fileIds) {
    namesystem.readLock();
    try {
      Block key = new Block();
      for (int i = 0; i < count; i++) {
        key.setBlockId(blockIds[from + i]);
        BlockInfo block = blockManager.getStoredBlock(key);
        fileIds[i] =
            block == null || block.isStriped() || block.isDeleted()
                ? NO_FILE
                : block.getBlockCollectionId();
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  @Override
  public List<FoundFile> files(List<Long> fileIds) {
    List<FoundFile> found = new ArrayList<>(fileIds.size());
    namesystem.readLock();
    try {
      for (long id : fileIds) {
        found.add(file(id));
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
    return found;
  }

  private FoundFile file(long id) {
    INodeFile file = inode(id);
    if (file == null) {
      return null;
    }
    INodesInPath path = CurrentFiles.path(directory, file);
    return path == null
        ? null
        : new FoundFile(
            id,
            path.getPath(),
            file.getFileReplication(),
            kind(file, path),
            file.computeFileSize(),
            file.getModificationTime(),
            file.numBlocks(),
            InodeMark.valueOf(file, FileLookup.MARK));
  }

  private static FileKind kind(INodeFile file, INodesInPath nodes) {
    if (file.isStriped()) {
      return FileKind.ERASURE_CODED;
    }
    if (file.isUnderConstruction()) {
      return FileKind.BEING_WRITTEN;
    }
    return file.isWithSnapshot() || file.isInLatestSnapshot(nodes.getLatestSnapshotId())
        ? FileKind.IN_SNAPSHOT
        : FileKind.REPLICATED;
  }

  private INodeFile inode(long id) {
    INode inode = directory.getInode(id);
    return inode == null || !inode.isFile() ? null : inode.asFile();
  }

  @Override
  public Replicas replicas(long fileId, int blocksMax) {
    namesystem.readLock();
    try {
      INodeFile file = inode(fileId);
      if (file == null || file.isStriped() || file.numBlocks() > blocksMax) {
        return null;
      }
      BlockInfo[] blocks = file.getBlocks();
      long[] blockIds = new long[blocks.length];
      List<List<DatanodeDescriptor>> holders = new ArrayList<>(blocks.length);
      int[] asleep = new int[blocks.length];
      for (int i = 0; i < blocks.length; i++) {
        blockIds[i] = blocks[i].getBlockId();
        List<DatanodeDescriptor> sound = sound(blocks[i]);
        holders.add(sound.stream().filter(node -> node.isAlive() && node.isInService()).toList());
        asleep[i] = (int) sound.stream().filter(DatanodeDescriptor::isMaintenance).count();
      }
      return new Replicas(blockIds, holders, asleep);
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  private List<DatanodeDescriptor> sound(BlockInfo block) {
    List<DatanodeDescriptor> holders = new ArrayList<>(block.getCapacity());
    for (int i = 0; i < block.getCapacity(); i++) {
      DatanodeDescriptor datanode = block.getDatanode(i);
      if (datanode != null
          && !blockManager.isReplicaCorrupt(block, datanode)
          && !blockManager.isExcess(datanode, block)) {
        holders.add(datanode);
      }
    }
    return holders;
  }

  @Override
  public long fileAt(String path) {
    namesystem.readLock();
    try {
      INode inode = directory.getINode(path);
      return inode == null || !inode.isFile() || inode.asFile().isStriped()
          ? NO_FILE
          : inode.getId();
    } catch (IOException e) {
      return NO_FILE;
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  @Override
  public long firstInode() {
    return INodeId.ROOT_INODE_ID;
  }

  @Override
  public long lastInode() {
    return directory.getLastInodeId();
  }

  @Override
  public void scan(long after, int count, Wanted wanted, List<Long> found) {
    namesystem.readLock();
    try {
      for (long id = after + 1; id <= after + count; id++) {
        INodeFile file = inode(id);
        if (file != null
            && !file.isStriped()
            && wanted.wants(
                id, file.getFileReplication(), InodeMark.valueOf(file, FileLookup.MARK) != null)) {
          found.add(id);
        }
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  @Override
  public int oneReplicaInSnapshots(long after, int count) {
    int found = 0;
    namesystem.readLock();
    try {
      for (long id = after + 1; id <= after + count; id++) {
        INodeFile file = inode(id);
        found += file != null && !file.isStriped() && SnapshotHold.wantsOneOfMore(file) ? 1 : 0;
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
    return found;
  }

  @Override
  public int pendingBlocks() {
    return blockManager.neededReconstruction.getLowRedundancyBlockCount()
        + blockManager.pendingReconstruction.size();
  }

  @Override
  public List<QuotaRoom> quotas(long fileId) {
    List<QuotaRoom> rooms = new ArrayList<>();
    namesystem.readLock();
    try {
      INodeFile file = inode(fileId);
      for (INodeDirectory above = file == null ? null : file.getParent();
          above != null;
          above = above.getParent()) {
        DirectoryWithQuotaFeature quota = above.getDirectoryWithQuotaFeature();
        long limit = above.getQuotaCounts().getStorageSpace();
        if (quota != null && limit >= 0) {
          rooms.add(
              new QuotaRoom(above.getId(), limit - quota.getSpaceConsumed().getStorageSpace()));
        }
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
    return rooms;
  }
}
