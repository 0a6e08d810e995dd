package org.rackweave.hdfs.namenode;

import java.net.InetAddress;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.Server;
import org.rackweave.hdfs.AuditLog;
import org.rackweave.hdfs.hook.HookTimer;

/**
 * A refresh handler that may take its time. HDFS calls all of a process's handlers under one lock,
 * the registry's, and whoever wants to switch Rackweave off would wait for it: the handler runs on
 * another thread, and this one lets go of the lock until that is done. Calls of one handler still
 * come one after another.
 */
final class UnlockedHandler implements RefreshHandler {
  private static final long LOOK_MS = 10;

  private final RefreshHandler handler;

  UnlockedHandler(RefreshHandler handler) {
    this.handler = handler;
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] args) {
    InetAddress caller = Server.getRemoteIp();
    FutureTask<RefreshResponse> answer =
        new FutureTask<>(
            () -> {
              AuditLog.answerTo(caller);
              return inTurn(identifier, args);
            });
    HookTimer.daemons("rackweave-command").newThread(answer).start();
    RefreshRegistry registry = RefreshRegistry.defaultRegistry();
    try {
      synchronized (registry) {
        while (!answer.isDone()) {
          registry.wait(LOOK_MS);
        }
      }
      return answer.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private synchronized RefreshResponse inTurn(String identifier, String[] args) {
    return handler.handleRefresh(identifier, args);
  }
}
