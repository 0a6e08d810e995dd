package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.util.Time;
import org.rackweave.hdfs.DaemonThreads;

/**
 * What bounds the waiting of threads that answer clients: at most a quarter of them waits, each a
 * bounded time, and no more work is queued for them than there are. A call that finds no room is
 * told to try again. Thread-safe.
 */
final class HandlerWaitLimit implements AutoCloseable {
  private static final long LOOK_MS = 100;

  private final Semaphore places;
  private final LongSupplier waitMs;
  private final ThreadPoolExecutor superuser;

  /**
   * @param handlers threads that answer clients
   * @param waitMs for how long one waits at most
   */
  HandlerWaitLimit(int handlers, LongSupplier waitMs) {
    int most = Math.max(1, handlers / 4);
    this.waitMs = waitMs;
    places = new Semaphore(most);
    superuser =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.MILLISECONDS,
            new ArrayBlockingQueue<>(most),
            DaemonThreads.named("rackweave-superuser"));
  }

  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /** The right of the present thread to wait, until it is closed. */
  final class Place implements AutoCloseable {
    private final String path;
    private final long deadlineMs = Time.monotonicNow() + waitMs.getAsLong();

    private Place(String path) {
      this.path = path;
    }

    /** Waits for something, and says whether it came to pass in time. */
    boolean await(BooleanSupplier done) throws InterruptedIOException {
      try {
        while (!done.getAsBoolean()) {
          if (Time.monotonicNow() >= deadlineMs) {
            return false;
          }
          Thread.sleep(LOOK_MS);
        }
        return true;
      } catch (InterruptedException e) {
        throw interrupted();
      }
    }

    /**
     * Has work done as the NameNode itself: a client's thread acts for the client, who may have no
     * right to it.
     *
     * @throws RetriableException when it was not done in time, and will not be unless it has begun
     */
    void asSuperuser(Work work) throws IOException {
      FutureTask<Void> task =
          new FutureTask<>(
              () ->
                  SecurityUtil.doAsLoginUser(
                      () -> {
                        work.run();
                        return null;
                      }));
      try {
        superuser.execute(task);
        task.get(Math.max(LOOK_MS, deadlineMs - Time.monotonicNow()), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        throw interrupted();
      } catch (TimeoutException | RejectedExecutionException e) {
        throw new RetriableException("the NameNode is too busy to prepare " + path);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException cause) {
          throw cause;
        }
        throw new IllegalStateException(e.getCause());
      } finally {
        superuser.remove(task);
      }
    }

    @Override
    public void close() {
      places.release();
    }
  }

  private static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted");
  }

  /**
   * Lets the present thread wait.
   *
   * @param path the file for which
   * @throws RetriableException when too many wait already
   */
  Place enter(String path) throws RetriableException {
    if (!places.tryAcquire()) {
      throw new RetriableException(
          path + " may be encoded, and too many calls wait for replicas of such files; try again");
    }
    return new Place(path);
  }

  @Override
  public void close() {
    superuser.shutdown();
  }
}
