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
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.hdfs.ConfigKeys;

/**
 * Files encoded, read without replicas and repaired where everybody has to prove who he is and
 * DataNodes encrypt what they send.
 */
class EarKerberosIT {
  private static final int[] FOUR_RACKS = {2, 2, 2, 2};
  private static final int FILES = 12;

  @TempDir private static Path directory;
  private static MiniKdc kdc;

  @BeforeAll
  static void startKdc() throws Exception {
    Properties settings = MiniKdc.createConf();
    kdc = new MiniKdc(settings, directory.toFile());
    kdc.start();
    kdc.createPrincipal(keytab().toFile(), "hdfs/localhost", "HTTP/localhost", "anna");
  }

  @AfterAll
  static void stopKdc() {
    if (kdc != null) {
      kdc.stop();
    }
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }

  private static Path keytab() {
    return directory.resolve("keytab");
  }

  private static String principal(String name) {
    return name + '@' + kdc.getRealm();
  }

  private static Configuration conf() {
    Configuration conf = EarEncodingIT.conf();
    conf.set(ConfigKeys.EAR_PATHS, "/warehouse=rs-2-1");
    conf.setInt(ConfigKeys.EAR_RACK_LIMIT, 1);
    conf.setInt(ConfigKeys.EAR_ENCODE_CONCURRENT, 0);
    conf.setInt(ConfigKeys.EAR_REPAIR_CONCURRENT, 0); // so that reads have to decode
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, 500);
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_MAX_BLOCK_ACQUIRE_FAILURES_KEY, 1);
    SecurityUtil.setAuthenticationMethod(AuthenticationMethod.KERBEROS, conf);
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, principal("hdfs/localhost"));
    conf.set(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY, keytab().toString());
    conf.set(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, principal("hdfs/localhost"));
    conf.set(DFSConfigKeys.DFS_DATANODE_KEYTAB_FILE_KEY, keytab().toString());
    conf.set(
        DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_PRINCIPAL_KEY, principal("HTTP/localhost"));
    conf.set(DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_KEYTAB_KEY, keytab().toString());
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.set(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "privacy");
    // DataNodes have neither ports below 1024 nor certificates here.
    conf.setBoolean(DFSConfigKeys.IGNORE_SECURE_PORTS_FOR_TESTING_KEY, true);
    UserGroupInformation.setConfiguration(conf);
    return conf;
  }

  @Test
  void encodesDecodesAndRepairs() throws Exception {
    try (RackCluster cluster = RackCluster.start(conf(), FOUR_RACKS).awaitCoverage()) {
      assertEquals(
          AuthenticationMethod.KERBEROS,
          UserGroupInformation.getLoginUser().getAuthenticationMethod());
      UserGroupInformation anna =
          UserGroupInformation.loginUserFromKeytabAndReturnUGI(
              principal("anna"), keytab().toString());
      Configuration site = cluster.fs().getConf();
      org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path("/warehouse/anna");
      cluster.fs().mkdirs(home);
      cluster.fs().setOwner(home, "anna", "anna");
      try (FileSystem annas = as(anna, site)) {
        for (int i = 0; i < FILES; i++) {
          DFSTestUtil.createFile(annas, file(i), RackCluster.BLOCK_BYTES - i, (short) 3, i);
        }
      }

      ByteArrayOutputStream refused = new ByteArrayOutputStream();
      assertEquals(1, inTurn(anna, () -> encode(site, refused)));
      String why = refused.toString(StandardCharsets.UTF_8);
      assertTrue(why.contains("Superuser privilege"), why);
      ByteArrayOutputStream said = new ByteArrayOutputStream();
      assertEquals(0, encode(site, said), () -> said.toString(StandardCharsets.UTF_8));

      int lost = shrunk(cluster);
      byte[] bytes = DFSTestUtil.readFileAsBytes(cluster.fs(), file(lost));
      stop(cluster, block(cluster, lost).getLocations()[0].getDatanodeUuid());
      RackCluster.await(
          "its block is missing", () -> block(cluster, lost).getLocations().length == 0);
      assertThrows(IOException.class, () -> DFSTestUtil.readFileAsBytes(cluster.fs(), file(lost)));
      try (FileSystem annas = as(anna, DegradedReadIT.decoding(site))) {
        assertArrayEquals(bytes, DFSTestUtil.readFileAsBytes(annas, file(lost)));
      }

      cluster.mini().getConfiguration(0).setInt(ConfigKeys.EAR_REPAIR_CONCURRENT, 4);
      cluster.mini().restartNameNode(true);
      RackCluster.await("it is repaired", () -> block(cluster, lost).getLocations().length == 1);
      try (FileSystem annas = as(anna, site)) {
        assertArrayEquals(bytes, DFSTestUtil.readFileAsBytes(annas, file(lost)));
      }
    }
  }

  private static <T> T inTurn(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws Exception {
    return user.doAs(action);
  }

  private static FileSystem as(UserGroupInformation user, Configuration site) throws Exception {
    return inTurn(user, () -> FileSystem.newInstance(FileSystem.getDefaultUri(site), site));
  }

  private static int encode(Configuration site, ByteArrayOutputStream said) throws Exception {
    PrintStream to = new PrintStream(said, true, StandardCharsets.UTF_8);
    return ToolRunner.run(
        new Configuration(site), EarCommand.encode(to, to), new String[] {"--path", "/warehouse"});
  }

  private static org.apache.hadoop.fs.Path file(int number) {
    return new org.apache.hadoop.fs.Path("/warehouse/anna/file" + number);
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
