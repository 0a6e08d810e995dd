package org.apache.hadoop.hdfs.server.blockmanagement;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.namenode.CurrentFiles;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.INodesInPath;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.rackweave.hdfs.InodeMark;
import org.rackweave.hdfs.LockHolder;
import org.rackweave.hdfs.ear.BlockLookup;
import org.rackweave.hdfs.ear.KeptReplica;
import org.rackweave.hdfs.ear.ReplicaMark;

/** Bridge: blocks and files in the memory of one NameNode. */
public final class NameNodeBlocks implements BlockLookup {
  private final NameNode nameNode;
  private final Namesystem namesystem;
  private final BlockManager blockManager;
  private final FSDirectory directory;

  public NameNodeBlocks(NameNode nameNode) {
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
      return isInFile(new Block(blockId));
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  @Override
  public List<Block> ofNoFile(List<Block> blocks) {
    namesystem.readLock();
    try {
      return blocks.stream().filter(block -> !isInFile(block)).toList();
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  private boolean isInFile(Block block) {
    BlockInfo stored = blockManager.getStoredBlock(block);
    return stored != null && !stored.isDeleted();
  }

  @Override
  public void deleteLater(String datanodeUuid, List<Block> replicas) {
    DatanodeDescriptor datanode = blockManager.getDatanodeManager().getDatanode(datanodeUuid);
    if (datanode == null || !datanode.isAlive()) {
      return;
    }
    namesystem.readLock(); // that this NameNode does not cease to be active meanwhile
    try {
      replicas.forEach(replica -> blockManager.addToInvalidates(replica, datanode));
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
        if (block != null && block.replicas().isEmpty() && block.leaving().isEmpty()) {
          missing.add(block);
        }
      }
      return new MissingBlocks(missing, !listed.hasNext());
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  @Override
  public Optional<Storage> storageOn(
      DatanodeDescriptor datanode, List<StorageType> types, long bytes) {
    return Arrays.stream(datanode.getStorageInfos())
        .filter(storage -> storage.getState() == DatanodeStorage.State.NORMAL)
        .filter(storage -> types.contains(storage.getStorageType()))
        .filter(storage -> storage.getRemaining() >= bytes)
        .min(
            Comparator.comparingInt(
                    (DatanodeStorageInfo storage) -> types.indexOf(storage.getStorageType()))
                .thenComparing(
                    Comparator.comparingLong(DatanodeStorageInfo::getRemaining).reversed()))
        .map(storage -> new Storage(storage.getStorageType(), storage.getStorageID()));
  }

  @Override
  public List<StorageType> storageTypes(long fileId, boolean mayFallBack) {
    BlockStoragePolicy policy = policyOf(fileId);
    List<StorageType> types = new ArrayList<>(policy.chooseStorageTypes((short) 1));
    if (mayFallBack && !types.isEmpty()) {
      types.add(policy.getReplicationFallback(EnumSet.copyOf(types)));
    }
    types.removeIf(type -> type == null || !isLasting(type));
    return types.isEmpty() ? List.of(StorageType.DEFAULT) : types;
  }

  @Override
  public Optional<String> storagePolicy(long fileId) {
    BlockStoragePolicy policy = policyOf(fileId);
    boolean isUsual =
        policy.getId() == blockManager.getStoragePolicySuite().getDefaultPolicy().getId();
    boolean isLasting =
        policy.chooseStorageTypes((short) 1).stream().allMatch(NameNodeBlocks::isLasting);
    return isUsual || !isLasting ? Optional.empty() : Optional.of(policy.getName());
  }

  /** What HDFS's scrubber of such files deletes them by. */
  private boolean isLazyPersist(INodeFile file) {
    return file.getStoragePolicyID() == HdfsConstants.StoragePolicy.LAZY_PERSIST.value();
  }

  private static boolean isLasting(StorageType type) {
    return !type.isTransient() && type != StorageType.PROVIDED;
  }

  private BlockStoragePolicy policyOf(long fileId) {
    namesystem.readLock();
    try {
      INodeFile file = inode(fileId);
      BlockStoragePolicy own =
          file == null ? null : blockManager.getStoragePolicy(file.getStoragePolicyID());
      return own == null ? blockManager.getStoragePolicySuite().getDefaultPolicy() : own;
    } finally {
      namesystem.readUnlock(LockHolder.NAME);
    }
  }

  private StoredBlock block(BlockInfo block) {
    if (block == null || block.isStriped() || block.isDeleted()) {
      return null;
    }
    List<DatanodeDescriptor> replicas = new ArrayList<>();
    List<DatanodeDescriptor> leaving = new ArrayList<>();
    List<DatanodeDescriptor> others = new ArrayList<>();
    for (DatanodeStorageInfo storage : blockManager.getStorages(block)) {
      DatanodeDescriptor datanode = storage.getDatanodeDescriptor();
      if (!isReadable(block, storage)) {
        others.add(datanode);
      } else {
        (datanode.isInService() ? replicas : leaving).add(datanode);
      }
    }
    return new StoredBlock(
        block.getBlockId(),
        block.getGenerationStamp(),
        block.getNumBytes(),
        block.getBlockCollectionId(),
        block.isComplete(),
        blockManager.getExpectedLiveRedundancyNum(block, blockManager.countNodes(block)),
        replicas,
        leaving,
        others);
  }

  /** Blocks of a disk that has failed stay listed until HDFS's monitor comes to them. */
  private boolean isReadable(BlockInfo block, DatanodeStorageInfo storage) {
    DatanodeDescriptor datanode = storage.getDatanodeDescriptor();
    return storage.getState() == DatanodeStorage.State.NORMAL
        && datanode.isAlive()
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
      INodesInPath path = CurrentFiles.path(directory, file);
      SnapshotHold held = SnapshotHold.of(file, path);
      return new StoredFile(
          fileId,
          path == null ? StoredFile.NO_PATH : path.getPath(),
          file.getFileReplication(),
          held.replication(),
          held.snapshot(),
          file.isUnderConstruction(),
          file.getPreferredBlockSize(),
          file.computeFileSize(),
          file.getModificationTime(),
          file.getAccessTime(),
          ReplicaMark.of(file),
          isLazyPersist(file),
          blockIds);
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
    BlockPlacementPolicy policy = blockManager.getBlockPlacementPolicy();
    if (!(policy instanceof RackweaveBlockPlacementPolicy)) {
      throw new IOException(
          DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY
              + " = '"
              + policy.getClass().getName()
              + "': allowed is "
              + RackweaveBlockPlacementPolicy.class.getName()
              + " where replicas of encoded blocks are to go, since others choose which ones");
    }
    return CurrentFiles.change(
        nameNode,
        file.id(),
        inode ->
            inode != null
                && !inode.isUnderConstruction()
                && !isHeld(inode)
                && !isLazyPersist(inode)
                && canShed(inode, keepers)
                && shrink(inode, keepers));
  }

  @Override
  public boolean mark(long fileId, ReplicaMark mark) throws IOException {
    return CurrentFiles.change(
        nameNode,
        fileId,
        file -> {
          if (file != null) {
            setMark(file, mark);
          }
          return file != null;
        });
  }

  private void setMark(INodeFile file, ReplicaMark mark) throws IOException {
    if (mark != ReplicaMark.NONE || InodeMark.of(file, ReplicaMark.ATTRIBUTE) != null) {
      CurrentFiles.setMark(nameNode, file, ReplicaMark.ATTRIBUTE, mark.value());
    }
  }

  @Override
  public boolean raise(long fileId, int replication) throws IOException {
    return CurrentFiles.change(
        nameNode,
        fileId,
        file -> file != null && CurrentFiles.raiseOverQuota(nameNode, file, replication));
  }

  /** Whether a snapshot, which may be younger than the decision, wants more than one replica. */
  private boolean isHeld(INodeFile file) {
    return SnapshotHold.of(file, CurrentFiles.path(directory, file)).replication() > 1;
  }

  /** Lowers the file's factor when there is nothing left to shed, or HDFS would choose. */
  private boolean shrink(INodeFile file, Map<Long, DatanodeDescriptor> keepers) throws IOException {
    blockManager.verifyReplication(file.getName(), (short) 1, null);
    if (ReplicaMark.of(file) == ReplicaMark.NONE) {
      setMark(file, ReplicaMark.NONE); // one for one replica, set before, would count again
    }
    short before = file.getPreferredBlockReplication();
    boolean isDone = false;
    try {
      for (BlockInfo block : file.getBlocks()) {
        try (KeptReplica kept = KeptReplica.on(keepers.get(block.getBlockId()))) {
          blockManager.setReplication(before, (short) 1, block);
        }
      }
      isDone = CurrentFiles.setReplication(nameNode, file, 1);
      return isDone;
    } finally {
      if (!isDone) {
        for (BlockInfo block : file.getBlocks()) {
          blockManager.setReplication((short) 1, before, block);
        }
      }
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
    DatanodeStorageInfo storage =
        block == null || block.isDeleted() ? null : block.findStorageInfo(keeper);
    return storage != null
        && isReadable(block, storage)
        && keeper.isInService()
        && !keeper.isStale(staleMs());
  }

  @Override
  public long staleMs() {
    return blockManager.getDatanodeManager().getStaleInterval();
  }
}
