package org.rackweave.hdfs.eafr;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.rackweave.eafr.FileKind;

/** A namespace in memory, whose files have one block each of the inode's number plus a million. */
final class FakeFiles implements FileLookup {
  static final long FIRST_BLOCK = 1_000_000;

  private final TreeMap<Long, FoundFile> files = new TreeMap<>();
  private final Map<Long, List<DatanodeDescriptor>> holders = new HashMap<>();
  final Set<Long> inSnapshots = new HashSet<>();
  int pending;
  int asleep;
  int longestScan;

  void add(long id, int factor, String mark) {
    files.put(
        id,
        new FoundFile(
            id,
            "/data/file" + id,
            factor,
            FileKind.REPLICATED,
            100,
            0,
            1,
            mark == null ? null : mark.getBytes(StandardCharsets.US_ASCII)));
  }

  @Override
  public void fileIds(long[] blockIds, int from, int count, long[] fileIds) {
    for (int i = 0; i < count; i++) {
      long id = blockIds[from + i] - FIRST_BLOCK;
      fileIds[i] = files.containsKey(id) ? id : NO_FILE;
    }
  }

  @Override
  public List<FoundFile> files(List<Long> fileIds) {
    List<FoundFile> found = new ArrayList<>();
    fileIds.forEach(id -> found.add(files.get(id)));
    return found;
  }

  /** Puts a file in place of the one with its inode. */
  void put(FoundFile file) {
    files.put(file.id(), file);
  }

  /** Says who has the block of a file. */
  void place(long id, DatanodeDescriptor... on) {
    holders.put(id, List.of(on));
  }

  void remove(long id) {
    files.remove(id);
  }

  @Override
  public Replicas replicas(long fileId, int blocksMax) {
    return holders.containsKey(fileId)
        ? new Replicas(
            new long[] {FIRST_BLOCK + fileId}, List.of(holders.get(fileId)), new int[] {asleep})
        : null;
  }

  @Override
  public long fileAt(String path) {
    for (FoundFile file : files.values()) {
      if (file.path().equals(path)) {
        return file.id();
      }
    }
    return NO_FILE;
  }

  @Override
  public long firstInode() {
    return 0;
  }

  @Override
  public long lastInode() {
    return files.isEmpty() ? 0 : files.lastKey();
  }

  @Override
  public void scan(long after, int count, Wanted wanted, List<Long> found) {
    longestScan = Math.max(longestScan, count);
    for (FoundFile file : files.subMap(after, false, after + count, true).values()) {
      if (wanted.wants(file.id(), file.factor(), file.mark() != null)) {
        found.add(file.id());
      }
    }
  }

  @Override
  public int oneReplicaInSnapshots(long after, int count) {
    return (int) inSnapshots.stream().filter(id -> id > after && id <= after + count).count();
  }

  @Override
  public int pendingBlocks() {
    return pending;
  }

  @Override
  public List<QuotaRoom> quotas(long fileId) {
    return List.of(new QuotaRoom(7, 150));
  }
}
