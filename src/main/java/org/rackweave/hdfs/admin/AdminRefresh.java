package org.rackweave.hdfs.admin;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.Server;
import org.rackweave.hdfs.AuditLog;
import org.rackweave.hdfs.DaemonThreads;
import org.rackweave.hdfs.hook.Hook;
import org.rackweave.hdfs.hook.HookGuard;

/**
 * Hadoop's way to a handler, for superusers only: HDFS asks who may refresh only where {@code
 * hadoop.security.authorization} is on, and lets everybody unless told otherwise. Answers have code
 * 0 and are JSON; code 2 says what was asked wrongly, 1 what cannot be now, or has failed. Hadoop
 * logs every answer, so none may have a secret.
 */
public final class AdminRefresh implements RefreshHandler {
  private static final int NOT_NOW = 1;
  private static final int USAGE = 2;
  private static final long LOOK_MS = 10;

  /** Who looks at a page asks again soon. */
  private static final long READ_WAIT_MS = 1000;

  private final AdminHandler handler;
  private final Superusers superusers;
  private final boolean takesTime;
  private final ReentrantLock turn = new ReentrantLock();

  /** Who may pass. */
  @FunctionalInterface
  public interface Superusers {
    /**
     * Lets superusers pass.
     *
     * @param operation what the caller wants, for the audit log
     * @throws IOException when the caller whom this thread answers is none
     */
    void check(String operation) throws IOException;
  }

  private AdminRefresh(AdminHandler handler, Superusers superusers, boolean takesTime) {
    this.handler = handler;
    this.superusers = superusers;
    this.takesTime = takesTime;
  }

  /** For a handler whose calls wait for no other command. */
  public static AdminRefresh atOnce(AdminHandler handler, Superusers superusers) {
    return new AdminRefresh(handler, superusers, false);
  }

  /**
   * For a handler that may take its time. HDFS calls all of a process's handlers under one lock,
   * the registry's, and whoever wants to switch Rackweave off would wait for it: the handler runs
   * on another thread, and this one lets go of the lock until that is done. Calls of one handler
   * still come one after another.
   */
  public static AdminRefresh inTurn(AdminHandler handler, Superusers superusers) {
    return new AdminRefresh(handler, superusers, true);
  }

  @Override
  public RefreshResponse handleRefresh(String identifier, String[] args) {
    try {
      superusers.check("refresh " + identifier);
    } catch (IOException e) {
      return new RefreshResponse(NOT_NOW, e.getMessage());
    }
    List<String> words = List.of(args);
    return HookGuard.call(
        Hook.COMMAND,
        new RefreshResponse(NOT_NOW, "failed; see the NameNode's log"),
        () -> takesTime ? elsewhere(words) : respond(words));
  }

  /**
   * Answers somebody whom another way has let in; in turn with commands that may take time.
   *
   * @throws IllegalStateException when a command takes its time now
   */
  public AdminAnswer read(List<String> words) throws IOException {
    try {
      if (!turn.tryLock(READ_WAIT_MS, TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("another command is under way; ask again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    try {
      return handler.answer(words);
    } finally {
      turn.unlock();
    }
  }

  private RefreshResponse elsewhere(List<String> words) throws Exception {
    InetAddress caller = Server.getRemoteIp();
    FutureTask<RefreshResponse> answer =
        new FutureTask<>(
            () -> {
              AuditLog.answerTo(caller);
              turn.lock();
              try {
                return respond(words);
              } finally {
                turn.unlock();
              }
            });
    DaemonThreads.of("rackweave-command", answer).start();
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

  private RefreshResponse respond(List<String> words) {
    try {
      return new RefreshResponse(0, handler.answer(words).json());
    } catch (IllegalArgumentException e) {
      return new RefreshResponse(USAGE, e.getMessage());
    } catch (IllegalStateException | IOException e) {
      return new RefreshResponse(NOT_NOW, e.getMessage());
    } catch (RuntimeException | Error e) {
      HookGuard.failed(Hook.COMMAND, e);
      return new RefreshResponse(NOT_NOW, "failed, see the NameNode's log: " + e);
    }
  }
}
