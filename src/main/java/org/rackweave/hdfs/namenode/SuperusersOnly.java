package org.rackweave.hdfs.namenode;

import java.io.IOException;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshResponse;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * Keeps all but superusers from a refresh handler. HDFS does not: it asks who may refresh only
 * where {@code hadoop.security.authorization} is on, and lets everybody unless told otherwise.
 */
final class SuperusersOnly implements RefreshHandler {
  private static final int REFUSED = 1;

  private final RefreshHandler handler;
  private final NameNodeBridge nameNode;

  SuperusersOnly(RefreshHandler handler, NameNodeBridge nameNode) {
    this.handler = handler;
    this.nameNode = nameNode;
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] args) {
    try {
      nameNode.checkSuperuser("refresh " + identifier);
    } catch (IOException e) {
      return new RefreshResponse(REFUSED, e.getMessage());
    }
    return HookGuard.call(
        Hook.COMMAND,
        new RefreshResponse(REFUSED, "failed; the NameNode's log says more"),
        () -> handler.handleRefresh(identifier, args));
  }
}
