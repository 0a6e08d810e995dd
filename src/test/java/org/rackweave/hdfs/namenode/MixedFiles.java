package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.rackweave.MixedRandom;

/**
 * Files of three owners that nobody else may read, from a few bytes to many blocks, and what is in
 * them. The same seed gives the same files.
 */
final class MixedFiles {
  private static final List<String> OWNERS = List.of("anna", "bert", "carla");
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);
  private static final int BLOCK_BYTES = RackCluster.BLOCK_BYTES;
  private static final short REPLICATION = 3;
  private static final int BLOCKS_MOST = 12;

  private final Random random;
  private final Map<Path, byte[]> contents = new LinkedHashMap<>();

  MixedFiles(long seed) {
    random = MixedRandom.of(seed);
  }

  static String ownerOf(Path file) {
    return file.getParent().getName();
  }

  private static <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {user}).doAs(action);
  }

  /** Writes files of a third each: less than a block, whole blocks, blocks and a rest. */
  void write(DistributedFileSystem fs, int count) throws Exception {
    for (String owner : OWNERS) {
      Path home = new Path("/warehouse/" + owner);
      fs.mkdirs(home);
      fs.setOwner(home, owner, owner);
    }
    for (int i = 0; i < count; i++) {
      int blocks = 1 + random.nextInt(BLOCKS_MOST);
      int rest = 1 + random.nextInt(BLOCK_BYTES - 1);
      writeOne(
          fs,
          switch (i % 3) {
            case 0 -> rest;
            case 1 -> blocks * BLOCK_BYTES;
            default -> blocks * BLOCK_BYTES + rest;
          });
    }
  }

  /** Writes one more file, of an owner by chance. */
  void writeOne(DistributedFileSystem fs, int bytes) throws Exception {
    String owner = OWNERS.get(random.nextInt(OWNERS.size()));
    Path file = new Path("/warehouse/" + owner + "/file" + contents.size());
    byte[] content = new byte[bytes];
    random.nextBytes(content);
    as(
        owner,
        () -> {
          try (FileSystem owners = FileSystem.newInstance(fs.getUri(), fs.getConf());
              OutputStream out = owners.create(file, REPLICATION)) {
            out.write(content);
            owners.setPermission(file, OWNER_ONLY);
          }
          return null;
        });
    contents.put(file, content);
  }

  int count() {
    return contents.size();
  }

  long bytes() {
    return contents.values().stream().mapToLong(content -> content.length).sum();
  }

  /** Blocks of all files in the order in which they were written, as the NameNode has them now. */
  List<LocatedBlock> blocks(DistributedFileSystem fs) throws IOException {
    List<LocatedBlock> blocks = new ArrayList<>();
    for (Path file : contents.keySet()) {
      blocks.addAll(DFSTestUtil.getAllBlocks(fs, file));
    }
    return blocks;
  }

  /** The same files elsewhere. */
  void writeAgain(DistributedFileSystem fs) throws IOException {
    for (Map.Entry<Path, byte[]> file : contents.entrySet()) {
      try (OutputStream out = fs.create(file.getKey(), REPLICATION)) {
        out.write(file.getValue());
      }
    }
  }

  /**
   * Reads every byte of every file once, as its owner, and compares it.
   *
   * @return bytes read
   */
  long readBack(URI nameNode, Configuration client, String when) throws Exception {
    long[] bytes = {0};
    for (String owner : OWNERS) {
      as(
          owner,
          () -> {
            try (FileSystem fs = FileSystem.newInstance(nameNode, client)) {
              for (Map.Entry<Path, byte[]> file : contents.entrySet()) {
                if (ownerOf(file.getKey()).equals(owner)) {
                  bytes[0] += readBack(fs, file.getKey(), file.getValue(), when);
                }
              }
            }
            return null;
          });
    }
    return bytes[0];
  }

  private static long readBack(FileSystem fs, Path file, byte[] content, String when)
      throws IOException {
    byte[] read;
    try (FSDataInputStream in = fs.open(file)) {
      read = in.readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(when + ": " + file + " cannot be read", e);
    }
    assertArrayEquals(content, read, () -> when + ": " + file + " " + Arrays.hashCode(content));
    return read.length;
  }
}
