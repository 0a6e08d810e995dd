package org.rackweave.hdfs.ear;

import java.net.InetAddress;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosName;

/**
 * Tells whether the caller whom this thread answers is the registered DataNode that it says it is.
 * Everybody may ask a NameNode for its version, on the back of which DataNodes ask us: HDFS looks
 * at who calls only where {@code hadoop.security.authorization} is on, and never at the UUID.
 */
final class RegisteredCaller {
  private final DatanodeManager datanodes;
  private final Configuration conf;

  RegisteredCaller(DatanodeManager datanodes, Configuration conf) {
    this.datanodes = datanodes;
    this.conf = conf;
  }

  /** Whether a DataNode with this UUID is registered, and the call comes from it. */
  boolean is(String datanodeUuid) {
    DatanodeDescriptor known = datanodes.getDatanode(datanodeUuid);
    InetAddress from = Server.getRemoteIp();
    if (known == null || !known.isRegistered() || from == null) {
      return false;
    }
    UserGroupInformation user = Server.getRemoteUser();
    return from.getHostAddress().equals(known.getIpAddr())
        && (!UserGroupInformation.isSecurityEnabled()
            || isDataNode(
                conf.getTrimmed(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, ""),
                user == null ? "" : user.getUserName()));
  }

  /**
   * Whether a user may be a DataNode. Its machine's name, which the DataNode and a look-up of its
   * address may tell differently, is not compared: the address has been.
   *
   * @param principal of DataNodes as it is configured, empty when the NameNode is not told
   */
  static boolean isDataNode(String principal, String user) {
    if (principal.isEmpty()) {
      return true;
    }
    KerberosName wanted = new KerberosName(principal);
    KerberosName is = new KerberosName(user);
    boolean isOfAnyHost = SecurityUtil.HOSTNAME_PATTERN.equals(wanted.getHostName());
    return Objects.equals(wanted.getServiceName(), is.getServiceName())
        && Objects.equals(wanted.getRealm(), is.getRealm())
        && (isOfAnyHost
            ? is.getHostName() != null
            : Objects.equals(wanted.getHostName(), is.getHostName()));
  }
}
