package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DegradedReadFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.MixedRandom;
import org.rackweave.Nightly;

/**
 * HDFS's own tools, and files of an encryption zone, where every client of the cluster decodes what
 * is missing.
 */
@Nightly
class DegradedReadToolsIT {
  private static final int[] NINE_RACKS = {2, 2, 2, 2, 2, 2, 2, 2, 2};
  private static final int FILES = 40;
  private static final Path ZONE = new Path("/warehouse/secret");
  private static final String KEY = "zone-key";
  private static final String BALANCER = "org.apache.hadoop.hdfs.server.balancer.Balancer$Cli";

  @TempDir private java.nio.file.Path directory;

  private Configuration conf() {
    Configuration conf = DegradedReadIT.decoding(DegradedReadIT.conf());
    conf.set(
        CommonConfigurationKeysPublic.HADOOP_SECURITY_KEY_PROVIDER_PATH,
        "jceks://file" + directory.resolve("keys.jceks"));
    return conf;
  }

  private static Path path(int file) {
    return new Path(ZONE, "file" + file);
  }

  private static byte[] bytes(int file) {
    byte[] bytes = new byte[RackCluster.BLOCK_BYTES - 100 - file];
    MixedRandom.of(file).nextBytes(bytes);
    return bytes;
  }

  private static void write(RackCluster cluster) throws Exception {
    DFSTestUtil.createKey(KEY, cluster.mini(), cluster.mini().getConfiguration(0));
    cluster.fs().mkdirs(ZONE);
    cluster.fs().createEncryptionZone(ZONE, KEY);
    for (int i = 0; i < FILES; i++) {
      try (OutputStream out = cluster.fs().create(path(i), (short) 3)) {
        out.write(bytes(i));
      }
    }
  }

  private static LocatedBlock block(RackCluster cluster, int file) {
    try {
      return DFSTestUtil.getAllBlocks(cluster.fs(), path(file)).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int oneThatIsEncoded(RackCluster cluster) {
    List<Integer> found = new ArrayList<>();
    RackCluster.await(
        "a file has one replica",
        () -> {
          for (int i = 0; i < FILES && found.isEmpty(); i++) {
            if (block(cluster, i).getLocations().length == 1) {
              found.add(i);
            }
          }
          return !found.isEmpty();
        });
    return found.get(0);
  }

  /** What a tool said and how it ended. */
  private record Said(int exit, String text) {}

  private static Said run(RackCluster cluster, Tool tool, String... args) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      int exit = ToolRunner.run(cluster.mini().getConfiguration(0), tool, args);
      return new Said(exit, said.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(out);
    }
  }

  @Test
  void toolsWorkAndAnEncryptedFileIsReadThroughAFailure() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      assertEquals(DegradedReadFileSystem.class, cluster.fs().getClass());
      write(cluster);
      int lost = oneThatIsEncoded(cluster);
      String holder = block(cluster, lost).getLocations()[0].getDatanodeUuid();
      for (int i = 0; i < cluster.mini().getDataNodes().size(); i++) {
        if (cluster.mini().getDataNodes().get(i).getDatanodeUuid().equals(holder)) {
          cluster.mini().stopDataNode(i);
        }
      }
      RackCluster.await(
          "its block is missing", () -> block(cluster, lost).getLocations().length == 0);

      assertArrayEquals(bytes(lost), DFSTestUtil.readFileAsBytes(cluster.fs(), path(lost)));
      assertFalse(
          Arrays.equals(bytes(lost), raw(cluster, lost)), "what is decoded is what was encrypted");

      Said report = run(cluster, new DFSAdmin(), "-report");
      assertEquals(0, report.exit(), report.text());
      assertTrue(report.text().contains("Live datanodes (17)"), report.text());
      String fsck = DegradedReadIT.fsck(cluster, "/");
      assertTrue(fsck.contains("MISSING"), fsck);
      Said balanced = run(cluster, balancer(), "-threshold", "50");
      assertEquals(0, balanced.exit(), balanced.text());
    }
  }

  /** Hadoop keeps it to itself. */
  private static Tool balancer() throws ReflectiveOperationException {
    var constructor = Class.forName(BALANCER).getDeclaredConstructor();
    constructor.setAccessible(true);
    return (Tool) constructor.newInstance();
  }

  private static byte[] raw(RackCluster cluster, int file) throws IOException {
    try (FSDataInputStream in = cluster.fs().open(new Path("/.reserved/raw" + path(file)))) {
      return in.readAllBytes();
    }
  }
}
