package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
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
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DegradedReadFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.Nightly;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;

/**
 * Files written, appended to, cut off, joined, renamed, deleted and kept in snapshots while they
 * are encoded, DataNodes are killed and the NameNode is restarted: no byte is ever lost. {@code
 * -Drackweave.test.chaos.steps} sets how many steps, {@code -Drackweave.test.chaos.seed} repeats a
 * run.
 */
@Nightly
class EarChaosIT {
  private static final int[] NINE_RACKS = {2, 2, 2, 2, 2, 2, 2, 2, 2};
  private static final int BLOCK_BYTES = RackCluster.BLOCK_BYTES;
  private static final Path WAREHOUSE = new Path("/warehouse");
  private static final int DOWN_MAX = 2;
  private static final int FILES_LEAST = 30;
  private static final long ENCODED_WITHIN_MS = 15_000;
  private static final long READ_WITHIN_MS = 90_000;

  private final long seed = Long.getLong("rackweave.test.chaos.seed", System.nanoTime());
  private final Random random = MixedRandom.of(seed);
  private final Map<Path, byte[]> expected = new LinkedHashMap<>();

  /** Content of files in each snapshot, by the snapshot's name. */
  private final Map<String, Map<Path, byte[]>> snapshots = new LinkedHashMap<>();

  private final List<DataNodeProperties> down = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private RackCluster cluster;
  private FileSystem fs;
  private int names;
  private int encodedMost;

  private static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.set(ConfigKeys.EAR_AUDIT_INTERVAL, "1s");
    conf.set(ConfigKeys.EAR_SEAL_AGE, "2s");
    conf.set(ConfigKeys.EAR_SAFE_MODE_GRACE, "2s");
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_EXTENSION_KEY, 500);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_RECONSTRUCTION_PENDING_TIMEOUT_SEC_KEY, 3);
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 1);
    conf.set(AgentKeys.DECODE_ADDRESS, "127.0.0.1:0");
    conf.set("fs.hdfs.impl", DegradedReadFileSystem.class.getName());
    return conf;
  }

  @Test
  void noByteIsEverLost() throws Exception {
    System.out.println("chaos, seed " + seed);
    int steps = Integer.getInteger("rackweave.test.chaos.steps", 200);
    cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage();
    try {
      fs = FileSystem.newInstance(cluster.fs().getUri(), cluster.fs().getConf());
      fs.mkdirs(WAREHOUSE);
      ((DistributedFileSystem) fs).allowSnapshot(WAREHOUSE);
      for (int i = 0; i < 20; i++) {
        write();
      }
      for (int step = 0; step < steps; step++) {
        step();
        readOne();
      }
      while (!down.isEmpty()) {
        bringUp();
      }
      readAll();
      assertTrue(encodedMost > 30, encodedMost + " blocks were encoded at most");
      System.out.println("chaos, " + expected.size() + " files: " + counts());
    } catch (AssertionError | Exception e) {
      throw new AssertionError("seed " + seed + ", " + counts() + "\n" + String.join("\n", log), e);
    } finally {
      cluster.close();
    }
  }

  private String counts() {
    PlacementContext context = cluster.context();
    return context == null ? "no NameNode" : String.valueOf(context.stripes().counts());
  }

  private void step() throws Exception {
    if (expected.size() < FILES_LEAST) {
      write();
      return;
    }
    switch (random.nextInt(18)) {
      case 0, 1, 2 -> write();
      case 3, 4 -> append();
      case 5 -> truncate();
      case 6 -> deleteSome(1);
      case 7 -> deleteSome(5);
      case 8 -> rename();
      case 9 -> setReplication();
      case 10 -> concat();
      case 11 -> snapshot();
      case 12, 13 -> failOrBringUp();
      case 14, 15, 16 -> letThemBeEncoded();
      default -> {
        if (random.nextInt(4) == 0) {
          restartNameNode();
        }
      }
    }
  }

  /** Until four fifths of all blocks are encoded, which dead DataNodes may prevent. */
  private void letThemBeEncoded() throws IOException {
    long blocks = 0;
    for (byte[] bytes : expected.values()) {
      blocks += (bytes.length + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }
    long wanted = blocks * 4 / 5;
    long deadline = System.currentTimeMillis() + ENCODED_WITHIN_MS;
    while (cluster.context().stripes().encoded().blockCount() < wanted
        && System.currentTimeMillis() < deadline) {
      readOne();
    }
    encodedMost = Math.max(encodedMost, cluster.context().stripes().encoded().blockCount());
    did(cluster.context().stripes().encoded().blockCount() + " of " + blocks + " are encoded");
  }

  private void did(String what) {
    log.add(String.format("%tT %s", System.currentTimeMillis(), what));
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private Path any() {
    List<Path> all = new ArrayList<>(expected.keySet());
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  private void write() throws IOException {
    Path file = new Path(WAREHOUSE, "file" + names++);
    byte[] bytes = bytes(1 + random.nextInt(random.nextBoolean() ? BLOCK_BYTES : 6 * BLOCK_BYTES));
    did("write " + file + " of " + bytes.length);
    try (OutputStream out = fs.create(file, (short) 3)) {
      out.write(bytes);
    }
    expected.put(file, bytes);
  }

  private void append() throws IOException {
    Path file = any();
    if (file == null) {
      return;
    }
    byte[] more = bytes(1 + random.nextInt(BLOCK_BYTES));
    did("append " + more.length + " to " + file);
    try (OutputStream out = fs.append(file)) {
      assertEquals(true, out instanceof HdfsDataOutputStream);
      out.write(more);
    }
    byte[] before = expected.get(file);
    byte[] after = Arrays.copyOf(before, before.length + more.length);
    System.arraycopy(more, 0, after, before.length, more.length);
    expected.put(file, after);
  }

  private void truncate() throws IOException {
    Path file = any();
    if (file == null) {
      return;
    }
    int length = random.nextInt(expected.get(file).length + 1);
    did("truncate " + file + " to " + length);
    fs.truncate(file, length);
    DistributedFileSystem hdfs = (DistributedFileSystem) fs;
    RackCluster.await(
        "truncated " + file,
        () -> {
          try {
            // HDFS asks the next DataNode when the first that was to cut the block is dead.
            return hdfs.isFileClosed(file) || hdfs.recoverLease(file);
          } catch (IOException e) {
            return false;
          }
        });
    expected.put(file, Arrays.copyOf(expected.get(file), length));
  }

  private void deleteSome(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Path file = any();
      if (file != null) {
        did("delete " + file);
        fs.delete(file, false);
        expected.remove(file);
      }
    }
  }

  private void rename() throws IOException {
    Path file = any();
    if (file != null) {
      Path to = new Path(WAREHOUSE, "renamed" + names++);
      did("rename " + file + " to " + to);
      fs.rename(file, to);
      expected.put(to, expected.remove(file));
    }
  }

  private void setReplication() throws IOException {
    Path file = any();
    if (file != null) {
      short replication = (short) (2 + random.nextInt(3));
      did("setrep " + replication + " of " + file);
      fs.setReplication(file, replication);
    }
  }

  private void concat() throws IOException {
    Path target = any();
    Path source = any();
    // What a snapshot holds cannot be joined.
    if (target == null
        || target.equals(source)
        || expected.get(target).length == 0
        || expected.get(source).length == 0
        || !snapshots.isEmpty()) {
      return;
    }
    did("concat " + source + " to " + target);
    fs.concat(target, new Path[] {source});
    byte[] first = expected.get(target);
    byte[] second = expected.remove(source);
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    expected.put(target, both);
  }

  private void snapshot() throws IOException {
    if (snapshots.isEmpty() || (snapshots.size() < 2 && random.nextBoolean())) {
      String name = "s" + names++;
      did("snapshot " + name);
      fs.createSnapshot(WAREHOUSE, name);
      snapshots.put(name, new LinkedHashMap<>(expected));
    } else {
      String name = snapshots.keySet().iterator().next();
      did("delete snapshot " + name);
      fs.deleteSnapshot(WAREHOUSE, name);
      snapshots.remove(name);
    }
  }

  private void failOrBringUp() throws Exception {
    if (down.size() == DOWN_MAX || (!down.isEmpty() && random.nextBoolean())) {
      bringUp();
    } else {
      int node = random.nextInt(cluster.mini().getDataNodes().size());
      did("stop " + cluster.mini().getDataNodes().get(node).getDisplayName());
      down.add(cluster.mini().stopDataNode(node));
    }
  }

  private void bringUp() throws Exception {
    DataNodeProperties node = down.remove(0);
    did("start " + node.getDatanode().getDisplayName());
    cluster.mini().restartDataNode(node);
    cluster.mini().waitActive();
  }

  private void restartNameNode() throws Exception {
    did("restart the NameNode");
    cluster.mini().restartNameNode(true);
    RackCluster.await(
        "stripes are known",
        () -> cluster.context() != null && cluster.context().stripes().searchCount() > 0);
  }

  private void readOne() throws IOException {
    Path file = any();
    if (file != null) {
      assertReadsBack(file, expected.get(file));
    }
  }

  private void readAll() throws Exception {
    for (Map.Entry<Path, byte[]> file : expected.entrySet()) {
      assertReadsBack(file.getKey(), file.getValue());
    }
    for (Map.Entry<String, Map<Path, byte[]>> snapshot : snapshots.entrySet()) {
      Path root = new Path(WAREHOUSE, ".snapshot/" + snapshot.getKey());
      for (Map.Entry<Path, byte[]> file : snapshot.getValue().entrySet()) {
        assertReadsBack(new Path(root, file.getKey().getName()), file.getValue());
      }
    }
  }

  /** At once, or when a dead DataNode is known to be dead and its blocks are decoded. */
  private void assertReadsBack(Path file, byte[] bytes) throws IOException {
    long deadline = System.currentTimeMillis() + READ_WITHIN_MS;
    while (true) {
      try (FSDataInputStream in = fs.open(file)) {
        assertArrayEquals(bytes, in.readAllBytes(), file.toString());
        return;
      } catch (IOException e) {
        if (System.currentTimeMillis() > deadline) {
          throw e;
        }
      }
    }
  }
}
