package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.test.GenericTestUtils;
import org.rackweave.MixedRandom;
import org.rackweave.ear.StripeRecord;
import org.rackweave.erasure.JavaArithmetic;
import org.rackweave.erasure.MatrixCoder;
import org.rackweave.erasure.ReedSolomonCode;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.ear.EncodedStripes;

/** Files that are encoded while things go wrong, and what must be so again when they are mended. */
final class EncodedWarehouse {
  static final String DIRECTORY = "/warehouse";
  static final int DATA_BLOCKS = 4;
  static final int PARITY_BLOCKS = 2;
  static final int[] SIX_RACKS = {2, 2, 2, 2, 2, 2};
  private static final int SETTLED_WITHIN_MS = 120_000;

  private final FileSystem fs;
  private final Supplier<NameNode> active;
  private final Random random;
  private final Map<Path, byte[]> files = new LinkedHashMap<>();
  private int names;

  /**
   * @param active the NameNode that is asked how things stand
   */
  EncodedWarehouse(FileSystem fs, Supplier<NameNode> active, long seed) {
    this.fs = fs;
    this.active = active;
    random = MixedRandom.of(seed);
  }

  static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.set(ConfiguredRules.CODES, DIRECTORY + "=rs-4-2");
    conf.set(ConfigKeys.EAR_SEAL_AGE, "1s");
    conf.set(ConfigKeys.EAR_AUDIT_INTERVAL, "1s");
    conf.set(ConfigKeys.EAR_SAFE_MODE_GRACE, "2s");
    conf.setInt(ConfigKeys.EAR_MARGIN, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 3);
    return conf;
  }

  /** A cluster with as many racks as a stripe has blocks. */
  static MiniDFSCluster.Builder cluster(Configuration conf) {
    String[] racks = RackCluster.racks(SIX_RACKS);
    return new MiniDFSCluster.Builder(conf)
        .numDataNodes(racks.length)
        .racks(racks)
        .enableManagedDfsDirsRedundancy(false);
  }

  Map<Path, byte[]> files() {
    return files;
  }

  /** Writes files of some whole blocks and a part of one. */
  List<Path> write(int count, int wholeBlocks) throws IOException {
    return write(count, wholeBlocks, Set.of());
  }

  /**
   * @param attributes the files' extended attributes, which they have before they have bytes
   */
  List<Path> write(int count, int wholeBlocks, Set<String> attributes) throws IOException {
    List<Path> written = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[wholeBlocks * RackCluster.BLOCK_BYTES + 1 + random.nextInt(60_000)];
      random.nextBytes(bytes);
      Path file = new Path(DIRECTORY, "file" + names++);
      try (FSDataOutputStream out = fs.create(file, (short) 3)) {
        for (String attribute : attributes) {
          fs.setXAttr(file, attribute, new byte[0]);
        }
        out.write(bytes);
      }
      files.put(file, bytes);
      written.add(file);
    }
    return written;
  }

  void append(Path file, byte[] more) throws IOException {
    try (FSDataOutputStream out = fs.append(file)) {
      out.write(more);
    }
    byte[] before = files.get(file);
    byte[] after = Arrays.copyOf(before, before.length + more.length);
    System.arraycopy(more, 0, after, before.length, more.length);
    files.put(file, after);
  }

  /** Whether a file wants one replica of each block, and has more of some. */
  boolean isShrunkInNameOnly(Path file) {
    try {
      if (fs.getFileStatus(file).getReplication() != 1) {
        return false;
      }
      for (BlockLocation block : fs.getFileBlockLocations(file, 0, Long.MAX_VALUE)) {
        if (block.getHosts().length > 1) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void delete(Path file) throws IOException {
    fs.delete(file, false);
    files.remove(file);
  }

  /**
   * Deletes files.
   *
   * @param isOfGivingUp whether so many that a stripe is given up; otherwise one, which leaves a
   *     stripe of which it has a single block
   */
  void deleteSome(boolean isOfGivingUp) throws IOException {
    List<Path> some = isOfGivingUp ? allButOneFileOfAStripe() : List.of(fileAloneInAStripe());
    for (Path file : some) {
      delete(file);
    }
  }

  /** The files of two members or more of a stripe that has another, which has given replicas up. */
  private List<Path> allButOneFileOfAStripe() throws IOException {
    for (Map<Path, Integer> stripe : membersByFile()) {
      int members = stripe.values().stream().mapToInt(Integer::intValue).sum();
      for (Path left : stripe.keySet()) {
        // One with a block that is not encoded has its replicas, and gets none back.
        if (members - stripe.get(left) >= 2 && fs.getFileStatus(left).getReplication() == 1) {
          return stripe.keySet().stream().filter(file -> !file.equals(left)).toList();
        }
      }
    }
    throw new AssertionError("no stripe has a shrunk file and two others: " + membersByFile());
  }

  private Path fileAloneInAStripe() throws IOException {
    for (Map<Path, Integer> stripe : membersByFile()) {
      for (Path file : stripe.keySet()) {
        if (stripe.get(file) == 1) {
          return file;
        }
      }
    }
    throw new AssertionError("all files have their blocks in pairs in " + membersByFile());
  }

  /** Of each stripe, how many of its members each file has. */
  private List<Map<Path, Integer>> membersByFile() throws IOException {
    Map<Long, Path> owners = new HashMap<>();
    for (Path file : files.keySet()) {
      for (var block : DFSTestUtil.getAllBlocks(fs, file)) {
        owners.put(block.getBlock().getBlockId(), file);
      }
    }
    List<Map<Path, Integer>> stripes = new ArrayList<>();
    for (StripeRecord stripe : flaws().records().values()) {
      Map<Path, Integer> members = new TreeMap<>();
      for (StripeRecord.Member member : stripe.members()) {
        if (owners.containsKey(member.blockId())) {
          members.merge(owners.get(member.blockId()), 1, Integer::sum);
        }
      }
      if (!members.isEmpty()) {
        stripes.add(members);
      }
    }
    return stripes;
  }

  StripeFlaws flaws() {
    return new StripeFlaws(active.get(), files.keySet());
  }

  EncodedStripes encoded() {
    return RackCluster.contextOf(active.get()).stripes().encoded();
  }

  /**
   * Waits until all that can be encoded is, with nothing lost, doubled, left over or less safe than
   * it should be; then reads everything.
   */
  void awaitSound(String after) throws Exception {
    List<List<String>> last = new ArrayList<>(List.of(List.of()));
    try {
      GenericTestUtils.waitFor(
          () -> {
            last.set(0, flaws().find());
            return last.get(0).isEmpty();
          },
          100,
          SETTLED_WITHIN_MS);
    } catch (Exception e) {
      PlacementContext context = RackCluster.contextOf(active.get());
      String counts = context == null ? "" : context.stripes().counts().toString();
      throw new AssertionError(after + ": " + String.join("\n  ", last.get(0)) + "\n" + counts, e);
    }
    assertBytes(after);
  }

  /** Every file is as it was written, and every stripe's parity as its members make it. */
  void assertBytes(String after) throws IOException {
    Map<Long, byte[]> blocks = new LinkedHashMap<>();
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      byte[] read = DFSTestUtil.readFileAsBytes(fs, file.getKey());
      assertArrayEquals(file.getValue(), read, after + ": " + file.getKey());
      int at = 0;
      for (var block : DFSTestUtil.getAllBlocks(fs, file.getKey())) {
        int end = at + (int) block.getBlockSize();
        blocks.put(block.getBlock().getBlockId(), Arrays.copyOfRange(read, at, end));
        at = end;
      }
    }
    for (Map.Entry<Path, StripeRecord> stripe : flaws().records().entrySet()) {
      assertParity(after, stripe.getKey(), stripe.getValue(), blocks);
    }
  }

  private void assertParity(
      String after, Path parity, StripeRecord record, Map<Long, byte[]> blocks) throws IOException {
    if (record.members().stream().anyMatch(StripeRecord.Member::hasLeft)) {
      return; // its bytes are not to be had any more
    }
    int length = (int) record.parityBytes();
    ByteBuffer[] data = new ByteBuffer[DATA_BLOCKS];
    for (int i = 0; i < DATA_BLOCKS; i++) {
      boolean isThere = i < record.members().size();
      data[i] =
          ByteBuffer.wrap(isThere ? blocks.get(record.members().get(i).blockId()) : new byte[0]);
    }
    ByteBuffer[] made = new ByteBuffer[PARITY_BLOCKS];
    Arrays.setAll(made, i -> ByteBuffer.allocate(length));
    new MatrixCoder(new ReedSolomonCode(DATA_BLOCKS, PARITY_BLOCKS), new JavaArithmetic())
        .encode(data, made, length);
    try (FSDataInputStream in = fs.open(parity)) {
      byte[] stored = in.readAllBytes();
      int blockBytes = stored.length / PARITY_BLOCKS; // with checksums behind the parity
      for (int i = 0; i < PARITY_BLOCKS; i++) {
        byte[] block = Arrays.copyOfRange(stored, i * blockBytes, i * blockBytes + length);
        assertArrayEquals(made[i].array(), block, after + ": parity " + i + " of " + record);
      }
    }
  }
}
