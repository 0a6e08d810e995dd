package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.rackweave.Nightly;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.work.WorkCodec;

/**
 * Files encoded, read without replicas and repaired where everybody has to prove who he is and
 * DataNodes encrypt what they send.
 */
class EarKerberosIT {
  private static final int[] FOUR_RACKS = {2, 2, 2, 2};
  private static final int FILES = 12;

  @RegisterExtension static final KerberosRealm realm = new KerberosRealm("anna");

  private static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.set(ConfiguredRules.CODES, "/warehouse=rs-2-1");
    conf.set(ConfigKeys.PAPER, "ear.rack-limit=1");
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 0);
    conf.setInt(ConfigKeys.EAR_REPAIR_CONCURRENT, 0); // so that reads have to decode
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 1);
    realm.secure(conf);
    return conf;
  }

  @Nightly
  @Test
  void encodesDecodesAndRepairs() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), FOUR_RACKS).awaitCoverage()) {
      UserGroupInformation anna = realm.login("anna");
      Configuration site = cluster.fs().getConf();
      KerberosRealm.home(cluster.fs(), "/warehouse/anna", "anna");
      try (FileSystem annas = KerberosRealm.as(anna, site)) {
        for (int i = 0; i < FILES; i++) {
          DFSTestUtil.createFile(annas, file(i), RackCluster.BLOCK_BYTES - i, (short) 3, i);
        }
      }

      ByteArrayOutputStream refused = new ByteArrayOutputStream();
      assertEquals(1, anna.doAs((PrivilegedExceptionAction<Integer>) () -> encode(site, refused)));
      String why = refused.toString(StandardCharsets.UTF_8);
      assertTrue(why.contains("Superuser privilege"), why);
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      assertEquals(0, encode(site, said), () -> said.toString(StandardCharsets.UTF_8));

      try (NameNodeAdmin nameNode = NameNodeAdmin.connect(site)) {
        byte[] work = nameNode.work("/r0", WorkCodec.encode(List.of()));
        assertEquals(List.of(), WorkCodec.reply(work).orders());
      }

      int lost = shrunk(cluster);
      byte[] bytes = DFSTestUtil.readFileAsBytes(cluster.fs(), file(lost));
      stop(cluster, block(cluster, lost).getLocations()[0].getDatanodeUuid());
      RackCluster.await(
          "its block is missing", () -> block(cluster, lost).getLocations().length == 0);
      assertThrows(IOException.class, () -> DFSTestUtil.readFileAsBytes(cluster.fs(), file(lost)));
      try (FileSystem annas = KerberosRealm.as(anna, DegradedReadIT.decoding(site))) {
        assertArrayEquals(bytes, DFSTestUtil.readFileAsBytes(annas, file(lost)));
      }

      cluster.mini().getConfiguration(0).setInt(ConfigKeys.EAR_REPAIR_CONCURRENT, 4);
      cluster.mini().restartNameNode(true);
      RackCluster.await("it is repaired", () -> block(cluster, lost).getLocations().length == 1);
      try (FileSystem annas = KerberosRealm.as(anna, site)) {
        // A call may be the first to notice that her connection ended with the old NameNode.
        RackCluster.await("anna reads it", () -> RackCluster.reads(annas, file(lost), bytes));
      }
    }
  }

  private static int encode(Configuration site, ByteArrayOutputStream said) throws Exception {
    PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);
    return ToolRunner.run(
        new Configuration(site), EarCommand.encode(to, to), new String[] {"--path", "/warehouse"});
  }

  private static Path file(int number) {
    return new Path("/warehouse/anna/file" + number);
  }

  private static LocatedBlock block(RackCluster cluster, int file) {
    try {
      return DFSTestUtil.getAllBlocks(cluster.fs(), file(file)).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file of which one replica is left. */
  private static int shrunk(RackCluster cluster) {
    int[] found = {-1};
    RackCluster.await(
        "a file that has given up replicas",
        () -> {
          for (int i = 0; i < FILES && found[0] < 0; i++) {
            found[0] = block(cluster, i).getLocations().length == 1 ? i : -1;
          }
          return found[0] >= 0;
        });
    return found[0];
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
