package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.DegradedReadFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.InvalidBlockTokenException;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.hdfs.AgentKeys;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.client.DecodedBlockReader;
import org.rackweave.hdfs.datanode.AlteredReplica;
import org.rackweave.hdfs.datanode.DecodeFigures;
import org.rackweave.hdfs.degraded.DecodeRequest;
import org.rackweave.hdfs.degraded.Decoders;
import org.rackweave.hdfs.ear.EncodedStripes;

/** Blocks without a replica read by clients, in a stripe of files of two owners. */
class DegradedReadIT {
  private static final int[] NINE_RACKS = {2, 2, 2, 2, 2, 2, 2, 2, 2};
  private static final int FILES = 40;
  private static final int FILE_BYTES = RackCluster.BLOCK_BYTES - 777;
  private static final FsPermission OWNER_ONLY = new FsPermission((short) 0600);
  private static final List<String> USERS = List.of("anna", "bert");

  static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 1);
    conf.set(AgentKeys.DECODE_ADDRESS, "127.0.0.1:0");
    conf.setInt(ConfigKeys.EAR_REPAIR_CONCURRENT, 0); // so that reads have to decode
    return conf;
  }

  static Configuration decoding(Configuration conf) {
    Configuration client = new Configuration(conf);
    client.set("fs.hdfs.impl", DegradedReadFileSystem.class.getName());
    client.set("fs.AbstractFileSystem.hdfs.impl", "org.apache.hadoop.fs.DegradedReadHdfs");
    client.setBoolean("fs.hdfs.impl.disable.cache", true);
    return client;
  }

  private static <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {user}).doAs(action);
  }

  private static Path path(int file) {
    return new Path("/warehouse/" + USERS.get(file % 2) + "/file" + file);
  }

  private static byte[] bytes(int file) {
    byte[] bytes = new byte[FILE_BYTES - file];
    MixedRandom.of(file).nextBytes(bytes);
    return bytes;
  }

  private static void write(RackCluster cluster) throws Exception {
    for (String user : USERS) {
      Path home = new Path("/warehouse/" + user);
      cluster.fs().mkdirs(home);
      cluster.fs().setOwner(home, user, user);
    }
    for (int i = 0; i < FILES; i++) {
      Path file = path(i);
      byte[] bytes = bytes(i);
      as(
          USERS.get(i % 2),
          () -> {
            FileSystem fs = FileSystem.newInstance(cluster.fs().getUri(), cluster.fs().getConf());
            try (OutputStream out = fs.create(file, (short) 3)) {
              out.write(bytes);
            }
            fs.setPermission(file, OWNER_ONLY);
            return null;
          });
    }
  }

  private static LocatedBlock block(RackCluster cluster, int file) {
    try {
      return DFSTestUtil.getAllBlocks(cluster.fs(), path(file)).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A stripe of files of both, of which nothing but one replica each is left: anna's, bert's. */
  private static int[] mixedStripe(RackCluster cluster) {
    int[] found = new int[2];
    RackCluster.await(
        "a stripe of both owners' files, shrunk",
        () -> {
          Map<Long, Map<Integer, Integer>> byParity = new HashMap<>();
          for (int i = 0; i < FILES; i++) {
            int file = i;
            LocatedBlock block = block(cluster, file);
            EncodedStripes encoded = cluster.context().stripes().encoded();
            if (block.getLocations().length == 1) {
              encoded
                  .of(block.getBlock().getBlockId())
                  .ifPresent(
                      stripe ->
                          byParity
                              .computeIfAbsent(stripe.parityFile(), id -> new LinkedHashMap<>())
                              .put(file % 2, file));
            }
          }
          for (Map<Integer, Integer> stripe : byParity.values()) {
            if (stripe.size() == 2) {
              found[0] = stripe.get(0);
              found[1] = stripe.get(1);
              return true;
            }
          }
          return false;
        });
    return found;
  }

  @Test
  void aClientGetsWhatItMayReadDecodedAndNothingElse() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      write(cluster);
      int[] stripe = mixedStripe(cluster);
      int annas = stripe[0];
      int berts = stripe[1];
      Configuration conf = decoding(cluster.fs().getConf());
      stop(cluster, block(cluster, berts).getLocations()[0].getDatanodeUuid());
      RackCluster.await(
          "its block is missing", () -> block(cluster, berts).getLocations().length == 0);
      byte[] expected = bytes(berts);
      long decodedBefore = DecodeFigures.rangesDecoded();
      List<Socket> idle = eightIdleClientsOfEachDataNode(cluster, path(berts));
      ExtendedBlock annasBlock = block(cluster, annas).getBlock();

      as(
          "bert",
          () -> {
            FileSystem fs = FileSystem.newInstance(cluster.fs().getUri(), conf);
            assertEquals(DegradedReadFileSystem.class, fs.getClass());
            try (FSDataInputStream in = fs.open(path(berts))) {
              assertArrayEquals(expected, in.readAllBytes());
              in.seek(1000);
              byte[] some = new byte[5000];
              in.readFully(some);
              assertArrayEquals(Arrays.copyOfRange(expected, 1000, 6000), some);
              in.readFully(40_000, some);
              assertArrayEquals(Arrays.copyOfRange(expected, 40_000, 45_000), some);
              in.readFully(expected.length - 3, some, 0, 3);
              assertArrayEquals(
                  Arrays.copyOfRange(expected, expected.length - 3, expected.length),
                  Arrays.copyOf(some, 3));
            }
            assertTrue(DecodeFigures.rangesDecoded() > decodedBefore);
            FileContext context = FileContext.getFileContext(cluster.fs().getUri(), conf);
            try (FSDataInputStream in = context.open(path(berts))) {
              assertArrayEquals(expected, in.readAllBytes());
            }
            assertThrows(AccessControlException.class, () -> fs.open(path(annas)));
            assertThrows(
                IOException.class,
                () -> ((DistributedFileSystem) fs).getXAttr(path(annas), Decoders.ATTRIBUTE));
            assertTokenOpensOneBlockOnly((DistributedFileSystem) fs, path(berts), annasBlock);
            return null;
          });
      for (Socket one : idle) {
        one.close();
      }
      assertThrows(IOException.class, () -> DFSTestUtil.readFileAsBytes(cluster.fs(), path(berts)));

      for (String destruction : List.of("-delete", "-move")) {
        String said = fsck(cluster, "/", destruction);
        assertTrue(said.contains("Refused by Rackweave"), said);
        assertTrue(cluster.fs().exists(path(berts)), destruction);
      }
    }
  }

  /** They ask for nothing, and each DataNode serves eight at a time. */
  private static List<Socket> eightIdleClientsOfEachDataNode(RackCluster cluster, Path file)
      throws IOException {
    Set<DatanodeID> decoders = new HashSet<>();
    RackCluster.await(
        "all DataNodes that are left decode",
        () -> {
          try {
            decoders.addAll(Decoders.decode(cluster.fs().getXAttr(file, Decoders.ATTRIBUTE)));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return decoders.size() == cluster.mini().getDataNodes().size();
        });
    List<Socket> idle = new ArrayList<>();
    for (DatanodeID decoder : decoders) {
      for (int i = 0; i < 8; i++) {
        idle.add(new Socket(decoder.getIpAddr(), decoder.getXferPort()));
      }
    }
    return idle;
  }

  @Test
  void aClientNeverGetsWhatWasMadeOfAnAlteredReplica() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), NINE_RACKS).awaitCoverage()) {
      write(cluster);
      int[] stripe = mixedStripe(cluster);
      int altered = stripe[0];
      int lost = stripe[1];
      AlteredReplica.alter(cluster.mini(), block(cluster, altered).getBlock(), 30_000);
      stop(cluster, block(cluster, lost).getLocations()[0].getDatanodeUuid());
      RackCluster.await(
          "its block is missing", () -> block(cluster, lost).getLocations().length == 0);
      FileSystem fs =
          FileSystem.newInstance(cluster.fs().getUri(), decoding(cluster.fs().getConf()));
      byte[] expected = bytes(lost);
      long disproved = DecodeFigures.disproved();
      // Sources are drawn: some reads meet the altered one.
      RackCluster.await(
          "HDFS knows of the altered replica",
          () -> {
            assertTrue(RackCluster.reads(fs, path(lost), expected));
            return block(cluster, altered).isCorrupt();
          });
      assertTrue(DecodeFigures.disproved() > disproved);
    }
  }

  static String fsck(RackCluster cluster, String... args) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    ToolRunner.run(
        new DFSck(cluster.mini().getConfiguration(0), new PrintStream(said, true)), args);
    return said.toString(StandardCharsets.UTF_8);
  }

  /** With the token of a block one can read, one asks for another of the same stripe. */
  private static void assertTokenOpensOneBlockOnly(
      DistributedFileSystem fs, Path own, ExtendedBlock others) throws IOException {
    List<DatanodeID> decoders = Decoders.decode(fs.getXAttr(own, Decoders.ATTRIBUTE));
    assertTrue(!decoders.isEmpty());
    LocatedBlock mine = fs.getClient().getLocatedBlocks(own.toString(), 0).get(0);
    DecodeRequest request = new DecodeRequest(others, mine.getBlockToken(), 0, 100);
    var peer =
        fs.getClient()
            .newConnectedPeer(
                NetUtils.createSocketAddr(decoders.get(0).getXferAddr()),
                mine.getBlockToken(),
                decoders.get(0));
    try {
      assertThrows(InvalidBlockTokenException.class, () -> DecodedBlockReader.open(peer, request));
    } finally {
      IOUtils.closeStream(peer);
    }
  }

  private static void stop(RackCluster cluster, String uuid) {
    for (int i = 0; i < cluster.mini().getDataNodes().size(); i++) {
      if (cluster.mini().getDataNodes().get(i).getDatanodeUuid().equals(uuid)) {
        cluster.mini().stopDataNode(i);
        return;
      }
    }
  }
}
