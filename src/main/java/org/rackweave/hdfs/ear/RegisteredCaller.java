package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;

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
  boolean is(String datanodeUuid) throws IOException {
    DatanodeDescriptor known = datanodes.getDatanode(datanodeUuid);
    InetAddress from = Server.getRemoteIp();
    if (known == null || !known.isRegistered() || from == null) {
      return false;
    }
    String principal =
        UserGroupInformation.isSecurityEnabled()
            ? SecurityUtil.getServerPrincipal(
                conf.get(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY), from)
            : null;
    UserGroupInformation user = Server.getRemoteUser();
    return isFrom(known.getIpAddr(), principal, from, user == null ? "" : user.getUserName());
  }

  /**
   * Whether a call is a DataNode's, as HDFS would have it of a registration.
   *
   * @param registeredIp the address that HDFS saw it register from
   * @param principal of DataNodes at the address of the call, {@code null} when nobody has to prove
   *     who he is, or the NameNode is not told
   */
  static boolean isFrom(String registeredIp, String principal, InetAddress from, String user) {
    return from.getHostAddress().equals(registeredIp)
        && (principal == null || principal.equals(user));
  }
}
