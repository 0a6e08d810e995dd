package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.minikdc.MiniKdc;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A Kerberos realm in which daemons are {@code hdfs}, the superuser, and some users have a key. A
 * test class registers it; all of its methods share it.
 */
final class KerberosRealm implements BeforeAllCallback, AfterAllCallback {
  private static final String DAEMONS = "hdfs/localhost";
  private static final String WEB = "HTTP/localhost";

  private final String[] users;
  private Path directory;
  private MiniKdc kdc;

  KerberosRealm(String... users) {
    this.users = users;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    directory = Files.createTempDirectory("realm");
    kdc = new MiniKdc(MiniKdc.createConf(), directory.toFile());
    kdc.start();
    List<String> names = new ArrayList<>(List.of(users));
    names.addAll(List.of(DAEMONS, WEB));
    kdc.createPrincipal(keytab().toFile(), names.toArray(String[]::new));
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (kdc != null) {
      kdc.stop();
    }
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
    FileUtil.fullyDelete(directory.toFile());
  }

  private Path keytab() {
    return directory.resolve("keytab");
  }

  private String principal(String name) {
    return name + '@' + kdc.getRealm();
  }

  /** Has everybody in a cluster prove who he is, and DataNodes encrypt what they send. */
  void secure(Configuration conf) {
    SecurityUtil.setAuthenticationMethod(AuthenticationMethod.KERBEROS, conf);
    conf.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, true);
    conf.set(DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, principal(DAEMONS));
    conf.set(DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY, keytab().toString());
    conf.set(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, principal(DAEMONS));
    conf.set(DFSConfigKeys.DFS_DATANODE_KEYTAB_FILE_KEY, keytab().toString());
    conf.set(DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_PRINCIPAL_KEY, principal(WEB));
    conf.set(DFSConfigKeys.DFS_WEB_AUTHENTICATION_KERBEROS_KEYTAB_KEY, keytab().toString());
    conf.setBoolean(DFSConfigKeys.DFS_BLOCK_ACCESS_TOKEN_ENABLE_KEY, true);
    conf.set(HdfsClientConfigKeys.DFS_DATA_TRANSFER_PROTECTION_KEY, "privacy");
    // DataNodes have neither ports below 1024 nor certificates here.
    conf.setBoolean(DFSConfigKeys.IGNORE_SECURE_PORTS_FOR_TESTING_KEY, true);
    UserGroupInformation.setConfiguration(conf);
  }

  /** A user of the realm with his own ticket, once a cluster runs. */
  UserGroupInformation login(String user) throws Exception {
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        principal(user), keytab().toString());
  }

  /** Makes a directory of a user's, in a cluster that has been secured. */
  static org.apache.hadoop.fs.Path home(FileSystem superusers, String path, String user)
      throws IOException {
    assertEquals(
        AuthenticationMethod.KERBEROS,
        UserGroupInformation.getLoginUser().getAuthenticationMethod());
    org.apache.hadoop.fs.Path home = new org.apache.hadoop.fs.Path(path);
    superusers.mkdirs(home);
    superusers.setOwner(home, user, user);
    return home;
  }

  /** A client of a user's own. */
  static DistributedFileSystem as(UserGroupInformation user, Configuration site) throws Exception {
    PrivilegedExceptionAction<FileSystem> open =
        () -> FileSystem.newInstance(FileSystem.getDefaultUri(site), site);
    return (DistributedFileSystem) user.doAs(open);
  }
}
