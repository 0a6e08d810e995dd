package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/** What a NameNode knows of blocks and their files, and how it sheds replicas of our choice. */
public interface BlockLookup extends WithheldReplicas.DeletionQueue {

  /**
   * A replicated block of a file.
   *
   * @param isComplete whether nobody writes it
   * @param expectedReplicas in service that HDFS sees to: its factor, less what is in maintenance
   * @param replicas DataNodes in service that have a sound replica that is to stay
   * @param leaving DataNodes that have a sound replica and are decommissioned or in maintenance, or
   *     are about to be: it can be read, but is not to stay
   * @param others DataNodes that have another: one that is to be deleted, or is unsound, or on a
   *     DataNode that is dead. None of them, nor of those leaving, can be given the block anew
   */
  record StoredBlock(
      long id,
      long generationStamp,
      long lengthBytes,
      long fileId,
      boolean isComplete,
      int expectedReplicas,
      List<DatanodeDescriptor> replicas,
      List<DatanodeDescriptor> leaving,
      List<DatanodeDescriptor> others) {

    /** Whether it can be read from some DataNode. */
    boolean isReadable() {
      return !(replicas.isEmpty() && leaving.isEmpty());
    }

    /** Whether a DataNode has a replica that is not to stay there. */
    boolean hasPassingReplicaOn(DatanodeDescriptor datanode) {
      return leaving.contains(datanode) || others.contains(datanode);
    }
  }

  /**
   * A file of replicated blocks.
   *
   * @param path in the current tree, {@link #NO_PATH} when only snapshots hold the file
   * @param replication the file's own factor
   * @param heldReplication what is kept of each block however low the file's own factor gets: one,
   *     or more when a snapshot wants it
   * @param heldBy path of such a snapshot, empty when there is none
   * @param isOpen whether somebody writes it
   * @param blockBytes length of its blocks but the last
   * @param lengthBytes of all its blocks
   * @param modifiedMs when somebody last wrote it, wall clock
   * @param accessedMs when somebody last read it, as precisely as the NameNode keeps that; 0 if not
   * @param mark what somebody wishes of its replicas
   * @param isLazyPersist whether HDFS deletes it when none of the replicas of a block is alive
   */
  record StoredFile(
      long id,
      String path,
      int replication,
      int heldReplication,
      String heldBy,
      boolean isOpen,
      long blockBytes,
      long lengthBytes,
      long modifiedMs,
      long accessedMs,
      ReplicaMark mark,
      boolean isLazyPersist,
      List<Long> blockIds) {
    /** Where a file is that only snapshots hold. */
    public static final String NO_PATH = "";

    /** Whether it can be changed: nothing that only snapshots hold can. */
    public boolean isCurrent() {
      return !path.equals(NO_PATH);
    }

    /** Whether none of its replicas may be taken away. */
    public boolean keepsReplicas() {
      return mark == ReplicaMark.KEEP || isLazyPersist;
    }

    /**
     * Whether a block has one replica, and can get back those it had: nobody wishes it so, and it
     * is not a block that only a snapshot keeps.
     */
    boolean canGetBack(long blockId) {
      return replication == 1 && mark != ReplicaMark.ONE && hasNow(blockId);
    }

    /** Whether a block is of the file as it is now, not only as a snapshot keeps it. */
    boolean hasNow(long blockId) {
      return isCurrent() && blockIds.contains(blockId);
    }
  }

  /**
   * Looks up blocks, in one short hold of the namesystem's read lock.
   *
   * @return in the order asked, {@code null} for a block that is not there or not replicated
   */
  List<StoredBlock> blocks(List<Long> blockIds);

  /** Whether there is such a block, in some file. */
  boolean isStored(long blockId);

  /**
   * Some of the blocks that HDFS misses: none of their replicas is left, or sound.
   *
   * @param from how many of HDFS's list to pass over
   * @param max most that are looked at, in one hold of the lock
   */
  MissingBlocks missing(int from, int max);

  /**
   * A part of HDFS's list of missing blocks.
   *
   * @param isLast whether the list ends here
   */
  record MissingBlocks(List<StoredBlock> blocks, boolean isLast) {}

  /** A place on a DataNode. */
  record Storage(StorageType type, String id) {}

  /**
   * Where a file's storage policy wants a replica that is the only one.
   *
   * @param mayFallBack whether also where the policy wants it when there is no such storage
   * @return what it wants most first; never storage that forgets
   */
  List<StorageType> storageTypes(long fileId, boolean mayFallBack);

  /** The name of a file's storage policy, empty when it is the default or the file is gone. */
  Optional<String> storagePolicy(long fileId);

  /**
   * A place on a DataNode.
   *
   * @param types what may be taken, what is wanted most first
   * @param bytes for which it has to have room
   * @return empty when it has no such storage that works and has room
   */
  Optional<Storage> storageOn(DatanodeDescriptor datanode, List<StorageType> types, long bytes);

  /**
   * Whether a DataNode has a place for a block as its file's storage policy asks, or falls back.
   */
  default boolean hasStorage(DatanodeDescriptor datanode, StoredBlock block) {
    return storageOn(datanode, storageTypes(block.fileId(), true), block.lengthBytes()).isPresent();
  }

  /**
   * Looks up a file.
   *
   * @return {@code null} when there is no such file of replicated blocks
   */
  StoredFile file(long fileId);

  /**
   * Marks a file of the current tree.
   *
   * @return whether there is such a file
   */
  boolean mark(long fileId, ReplicaMark mark) throws IOException;

  /**
   * Lowers a file's factor to one, keeping of each block the replica that was chosen, in one hold
   * of the write lock that does what {@code setReplication} does.
   *
   * @param keepers by block id, for every block of the file the replica that stays, and for every
   *     other one of its stripes, parity too, the replica that is counted on
   * @return whether it was done; not when the file or any of these replicas is not as it was, when
   *     a DataNode that has one is stale, or when HDFS would keep another replica
   */
  boolean shrink(StoredFile file, Map<Long, DatanodeDescriptor> keepers) throws IOException;

  /**
   * Raises the factor of a file as {@code setReplication} does, as the user this thread acts for,
   * except that no quota stands against it.
   *
   * @return false when there is no such file of replicated blocks
   */
  boolean raise(long fileId, int replication) throws IOException;

  /** A DataNode that has been silent for so long is stale. */
  long staleMs();
}
