package org.rackweave.hdfs.eafr;

import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.FileKind;

/** What a NameNode knows of files and their replicas. Every call is one short hold of its lock. */
public interface FileLookup {
  /** In place of a file's inode. */
  long NO_FILE = 0;

  /** The extended attribute of files whose factor was changed, see {@link OwnFactor}. */
  String MARK = "trusted.rackweave.own-factor";

  /**
   * A file.
   *
   * @param factor its factor
   * @param kind what stands in the way of another one
   * @param lengthBytes of its blocks
   * @param modifiedMs when somebody last wrote it, wall clock
   * @param blocks how many it has
   * @param mark value of {@link #MARK}, {@code null} when it has none
   */
  record FoundFile(
      long id,
      String path,
      int factor,
      FileKind kind,
      long lengthBytes,
      long modifiedMs,
      int blocks,
      byte[] mark) {}

  /**
   * Replicas of some blocks.
   *
   * @param holders of each block the DataNodes in service with a sound replica that is to stay
   * @param asleep of each block how many sound replicas are on DataNodes that sleep, or are in
   *     maintenance for another reason: HDFS makes none in their place
   */
  record Replicas(long[] blockIds, List<List<DatanodeDescriptor>> holders, int[] asleep) {
    /** How many more HDFS will make of blocks with a factor; one of each is awake in any case. */
    long missing(int factor) {
      long missing = 0;
      for (int block = 0; block < asleep.length; block++) {
        missing += Math.max(0, Math.max(1, factor - asleep[block]) - holders.get(block).size());
      }
      return missing;
    }
  }

  /**
   * Says which of the files that a scan passes are wanted; asked under the lock, so it is quick.
   */
  @FunctionalInterface
  interface Wanted {
    boolean wants(long fileId, int factor, boolean marked);
  }

  /**
   * The room a directory's quota leaves.
   *
   * @param directory its inode
   */
  record QuotaRoom(long directory, long bytes) {}

  /**
   * Finds the files of blocks.
   *
   * @param from where in {@code blockIds} to begin
   * @param count how many, few enough for one hold of the lock
   * @param fileIds gets the inodes, from 0 on; {@link #NO_FILE} for a block that is not there or
   *     not replicated
   */
  void fileIds(long[] blockIds, int from, int count, long[] fileIds);

  /**
   * Looks up files.
   *
   * @param fileIds few enough for one hold of the lock
   * @return in the order asked, {@code null} for a file that is not there
   */
  List<FoundFile> files(List<Long> fileIds);

  /**
   * A file's replicas, {@code null} when it is not there or has more blocks than wanted.
   *
   * @param blocksMax most blocks, few enough for one hold of the lock
   */
  Replicas replicas(long fileId, int blocksMax);

  /** The inode that a path names, {@link #NO_FILE} when there is no file of replicated blocks. */
  long fileAt(String path);

  /** The root's inode; none has a smaller number. */
  long firstInode();

  /** The inode that was made last. */
  long lastInode();

  /**
   * Passes over inodes in the order of their numbers, few enough for one hold of the lock.
   *
   * @param after the last one passed before
   * @param count how many numbers to pass, used or not
   * @param found gets the wanted files of replicated blocks
   */
  void scan(long after, int count, Wanted wanted, List<Long> found);

  /**
   * Counts files of which a snapshot wants one replica and the current tree more: without a guard
   * HDFS deletes all others when the current file is deleted. Passes over inodes as {@link #scan}.
   */
  int oneReplicaInSnapshots(long after, int count);

  /** Blocks that HDFS copies or has to copy, for whatever reason. */
  int pendingBlocks();

  /** What the quotas of the directories above a file leave of space, for those that have one. */
  List<QuotaRoom> quotas(long fileId);
}
