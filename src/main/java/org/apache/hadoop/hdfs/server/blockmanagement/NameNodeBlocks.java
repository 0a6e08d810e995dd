package org.apache.hadoop.hdfs.server.blockmanagement;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.rackweave.hdfs.InodeMark;
import org.rackweave.hdfs.InodePath;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.ear.BlockLookup;
import org.rackweave.hdfs.ear.KeptReplica;
import org.rackweave.hdfs.ear.ReplicaMark;

/** Bridge: blocks and files in the memory of one NameNode. */
public final class NameNodeBlocks implements BlockLookup {
  /** Named in {@code META-INF/services}. */
  public static final class Access implements BlockLookup.Access {
    @Override
    public BlockLookup of(NameNode nameNode) {
      return new NameNodeBlocks(nameNode);
    }
  }

  private final NameNode nameNode;
  private final Namesystem namesystem;
  private final BlockManager blockManager;
  private final FSDirectory directory;

  private NameNodeBlocks(NameNode nameNode) {
    this.nameNode = nameNode;
    namesystem = nameNode.getNamesystem();
    blockManager = nameNode.getNamesystem().getBlockManager();
    directory = nameNode.getNamesystem().getFSDirectory();
  }

  @Override
  public List<StoredBlock> blocks(List<Long> blockIds) {
    List<StoredBlock> found = new ArrayList<>(blockIds.size());
    namesystem.readLock();
    try {
      for (long id : blockIds) {
        found.add(block(blockManager.getStoredBlock(new Block(id))));
      }
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
    return found;
  }

  @Override
  public boolean isStored(long blockId) {
    namesystem.readLock();
    try {
      BlockInfo block = blockManager.getStoredBlock(new Block(blockId));
      return block != null && !block.isDeleted();
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  @Override
  public MissingBlocks missing(int from, int max) {
    List<StoredBlock> missing = new ArrayList<>();
    namesystem.readLock();
    try {
      Iterator<BlockInfo> listed = blockManager.getCorruptReplicaBlockIterator();
      for (int passed = 0; passed < from && listed.hasNext(); passed++) {
        listed.next();
      }
      for (int looked = 0; looked < max && listed.hasNext(); looked++) {
        StoredBlock block = block(listed.next());
        if (block != null && block.replicas().isEmpty()) {
          missing.add(block);
        }
      }
      return new MissingBlocks(missing, !listed.hasNext());
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  @Override
  public Optional<Storage> storageOn(DatanodeDescriptor datanode) {
    return Arrays.stream(datanode.getStorageInfos())
        .filter(storage -> storage.getState() == DatanodeStorage.State.NORMAL)
        .filter(storage -> storage.getStorageType() == StorageType.DISK)
        .max(Comparator.comparingLong(DatanodeStorageInfo::getRemaining))
        .map(storage -> new Storage(storage.getStorageType(), storage.getStorageID()));
  }

  private StoredBlock block(BlockInfo block) {
    if (block == null || block.isStriped() || block.isDeleted()) {
      return null;
    }
    List<DatanodeDescriptor> replicas = new ArrayList<>();
    List<DatanodeDescriptor> others = new ArrayList<>();
    for (int i = 0; i < block.getCapacity(); i++) {
      DatanodeDescriptor datanode = block.getDatanode(i);
      if (datanode != null) {
        (isSound(block, datanode) ? replicas : others).add(datanode);
      }
    }
    return new StoredBlock(
        block.getBlockId(),
        block.getGenerationStamp(),
        block.getNumBytes(),
        block.getBlockCollectionId(),
        block.isComplete(),
        replicas,
        others);
  }

  private boolean isSound(BlockInfo block, DatanodeDescriptor datanode) {
    return datanode.isAlive()
        && datanode.isInService()
        && !blockManager.isReplicaCorrupt(block, datanode)
        && !blockManager.isExcess(datanode, block);
  }

  @Override
  public StoredFile file(long fileId) {
    namesystem.readLock();
    try {
      INodeFile file = inode(fileId);
      if (file == null) {
        return null;
      }
      List<Long> blockIds = new ArrayList<>(file.numBlocks());
      for (BlockInfo block : file.getBlocks()) {
        blockIds.add(block.getBlockId());
      }
      SnapshotHold held =
          SnapshotHold.of(
              file, directory.getINodesInPath(file.getFullPathName(), FSDirectory.DirOp.READ));
      return new StoredFile(
          fileId,
          file.getFullPathName(),
          file.getFileReplication(),
          held.replication(),
          held.snapshot(),
          file.isUnderConstruction(),
          file.getPreferredBlockSize(),
          file.computeFileSize(),
          file.getModificationTime(),
          file.getAccessTime(),
          InodeMark.of(file, ReplicaMark.ATTRIBUTE) != null,
          blockIds);
    } catch (IOException e) {
      return null; // its directory is gone
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  private INodeFile inode(long fileId) {
    INode inode = directory.getInode(fileId);
    return inode == null || !inode.isFile() || inode.asFile().isStriped() ? null : inode.asFile();
  }

  @Override
  public boolean shrink(StoredFile file, Map<Long, DatanodeDescriptor> keepers) throws IOException {
    namesystem.writeLock();
    try {
      INodeFile inode = inode(file.id());
      if (inode == null || inode.isUnderConstruction() || !canShed(inode, keepers)) {
        return false;
      }
      short before = inode.getPreferredBlockReplication();
      for (BlockInfo block : inode.getBlocks()) {
        try (KeptReplica kept = KeptReplica.on(keepers.get(block.getBlockId()))) {
          blockManager.setReplication(before, (short) 1, block);
        }
      }
    } finally {
      namesystem.writeUnlock(LockHolder.NAME);
    }
    return persist(file);
  }

  /**
   * Makes the file's factor last, when there is nothing left to shed. By inode, since the file may
   * have another name by now. A crash before it leaves the file as it was, short of replicas.
   */
  private boolean persist(StoredFile file) throws IOException {
    boolean isDone = false;
    try {
      isDone = nameNode.getRpcServer().setReplication(InodePath.of(file.id()), (short) 1);
      return isDone;
    } finally {
      if (!isDone) {
        restore(file.id());
      }
    }
  }

  /** Wants as many replicas again as the file says. */
  private void restore(long fileId) {
    namesystem.writeLock();
    try {
      INodeFile inode = inode(fileId);
      if (inode != null) {
        for (BlockInfo block : inode.getBlocks()) {
          blockManager.setReplication((short) 1, inode.getPreferredBlockReplication(), block);
        }
      }
    } finally {
      namesystem.writeUnlock(LockHolder.NAME);
    }
  }

  private boolean canShed(INodeFile file, Map<Long, DatanodeDescriptor> keepers) {
    for (BlockInfo block : file.getBlocks()) {
      if (!keepers.containsKey(block.getBlockId()) || !block.isComplete()) {
        return false;
      }
      for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
        // HDFS would put off shedding, and later choose without asking us.
        if (storage.areBlockContentsStale()) {
          return false;
        }
      }
    }
    for (Map.Entry<Long, DatanodeDescriptor> keeper : keepers.entrySet()) {
      if (!canCountOn(keeper.getKey(), keeper.getValue())) {
        return false;
      }
    }
    return true;
  }

  /** Whether a DataNode has a sound replica, and has said lately that it lives. */
  private boolean canCountOn(long blockId, DatanodeDescriptor keeper) {
    BlockInfo block = blockManager.getStoredBlock(new Block(blockId));
    return block != null
        && !block.isDeleted()
        && block.findStorageInfo(keeper) != null
        && isSound(block, keeper)
        && !keeper.isStale(staleMs());
  }

  @Override
  public long staleMs() {
    return blockManager.getDatanodeManager().getStaleInterval();
  }
}
