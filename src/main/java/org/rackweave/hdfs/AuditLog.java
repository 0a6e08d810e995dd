package org.rackweave.hdfs;

import java.io.IOException;
import java.net.InetAddress;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;

/** What operators change, in HDFS's audit log and as HDFS words it. */
public final class AuditLog {
  /** Whom a thread answers that is not the RPC server's. */
  private static final ThreadLocal<InetAddress> CALLER = new ThreadLocal<>();

  private AuditLog() {}

  /** Has what this thread changes be the doing of a caller, {@code null} for nobody. */
  public static void answerTo(InetAddress caller) {
    CALLER.set(caller);
  }

  /**
   * Logs a change.
   *
   * @param command its name
   * @param path what it is for
   * @param now what it is changed to
   */
  public static void changed(String command, String path, Object now) throws IOException {
    InetAddress caller = Server.getRemoteIp();
    FSNamesystem.AUDIT_LOG.info(
        "allowed=true\tugi={}\tip={}\tcmd={}\tsrc={}\tdst={}\tperm=null\tproto=rpc",
        UserGroupInformation.getCurrentUser(),
        caller == null ? CALLER.get() : caller,
        command,
        path,
        now);
  }
}
