package org.rackweave.hdfs.datanode;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.ipc.RPC;

/**
 * Hadoop keeps the first RPC engine of a protocol for the life of the process. Tests share one, so
 * a cluster without an agent would keep all later ones from having any.
 */
public final class ChosenRpcEngine {
  private ChosenRpcEngine() {}

  /** Names the agent's engine in a configuration and makes Hadoop choose anew. */
  public static void agentOn(Configuration conf) {
    conf.set(HeartbeatRpcEngine.KEY, HeartbeatRpcEngine.class.getName());
    forget();
  }

  /** Makes Hadoop choose anew, under the lock that it takes itself for this map. */
  @SuppressWarnings({"unchecked", "LockOnNonEnclosingClassLiteral"})
  public static void forget() {
    try {
      Field engines = RPC.class.getDeclaredField("PROTOCOL_ENGINES");
      engines.setAccessible(true);
      synchronized (RPC.class) {
        ((Map<Class<?>, ?>) engines.get(null)).remove(DatanodeProtocolPB.class);
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("Hadoop keeps its RPC engines elsewhere", e);
    }
  }
}
