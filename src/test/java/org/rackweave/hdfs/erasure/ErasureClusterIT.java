package org.rackweave.hdfs.erasure;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.hdfs.namenode.RackCluster;

/**
 * HDFS's striped files coded by ours and by Hadoop's coders in turn: writes, reconstruction by
 * DataNodes, and reads with as many units lost as the code bears.
 */
class ErasureClusterIT {
  private static final String RAW_CODERS = "io.erasurecode.codec.rs.rawcoders";
  private static final String POLICY = "RS-3-2-1024k";
  private static final int UNITS = 5;
  private static MiniDFSCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    Configuration conf = with(RackCluster.stockConf(), "rs_rackweave");
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 2 << 20);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(UNITS + 1).build();
    cluster.waitActive();
    cluster.getFileSystem().enableErasureCodingPolicy(POLICY);
    cluster.getFileSystem().setErasureCodingPolicy(new Path("/"), POLICY);
  }

  @AfterAll
  static void stop() {
    cluster.shutdown(true);
  }

  /** One coder and none to fall back on. */
  private static Configuration with(Configuration conf, String rawCoder) {
    Configuration copy = new Configuration(conf);
    copy.set(RAW_CODERS, rawCoder);
    return copy;
  }

  private static byte[] content(int seed) {
    byte[] bytes = new byte[(9 << 20) + 12_345];
    MixedRandom.of(seed).nextBytes(bytes);
    return bytes;
  }

  private static void write(FileSystem client, Path file, int seed) throws IOException {
    try (FSDataOutputStream out = client.create(file)) {
      out.write(content(seed));
    }
  }

  private static void assertReads(FileSystem client, Path file, int seed) throws IOException {
    byte[] expected = content(seed);
    byte[] read = new byte[expected.length];
    try (FSDataInputStream in = client.open(file)) {
      in.readFully(0, read);
    }
    assertArrayEquals(expected, read, file::toString);
  }

  private static boolean hasAllUnits(Path file) {
    try {
      for (LocatedBlock group : DFSTestUtil.getAllBlocks(cluster.getFileSystem(), file)) {
        if (group.getLocations().length < UNITS) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void lose(int dataNode) throws IOException {
    DatanodeID id = cluster.getDataNodes().get(dataNode).getDatanodeId();
    cluster.stopDataNode(dataNode);
    cluster.setDataNodeDead(id);
  }

  @Test
  void readsBackWhatEitherCoderWroteAndOursReconstructed() throws Exception {
    try (DistributedFileSystem ours = client("rs_rackweave");
        DistributedFileSystem hadoops = client("rs_java")) {
      Path byOurs = new Path("/by-ours");
      Path byHadoops = new Path("/by-hadoops");
      write(ours, byOurs, 1);
      write(hadoops, byHadoops, 2);
      RackCluster.await("both files whole", () -> hasAllUnits(byOurs) && hasAllUnits(byHadoops));

      lose(0);
      RackCluster.await("lost units rebuilt", () -> hasAllUnits(byOurs) && hasAllUnits(byHadoops));

      lose(1);
      lose(2);
      for (DistributedFileSystem client : new DistributedFileSystem[] {ours, hadoops}) {
        assertReads(client, byOurs, 1);
        assertReads(client, byHadoops, 2);
      }
    }
  }

  private static DistributedFileSystem client(String rawCoder) throws IOException {
    Configuration conf = with(cluster.getConfiguration(0), rawCoder);
    return (DistributedFileSystem) FileSystem.newInstance(cluster.getURI(), conf);
  }
}
