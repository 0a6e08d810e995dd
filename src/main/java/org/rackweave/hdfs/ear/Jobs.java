package org.rackweave.hdfs.ear;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.rackweave.hdfs.DaemonThreads;
import org.rackweave.hdfs.ear.JobStatus.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Long work on encoded files that an operator asked for, one job at a time. How the last {@value
 * #KEPT} went can be asked. Soft state: a job ends with the NameNode's being active, and may be
 * begun again at any time. Thread-safe.
 */
public final class Jobs implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);

  /** What is to be done. */
  interface Job {
    /** As the command is called. */
    String name();

    /**
     * Does it.
     *
     * @param status told how far it is; asked whether it is to go on
     */
    void run(JobStatus status) throws IOException, InterruptedException;
  }

  /** Jobs remembered: a client that follows one asks every half a second. */
  static final int KEPT = 16;

  private final Deque<JobStatus> last = new ArrayDeque<>();
  private JobStatus current;
  private long nextId;

  /**
   * @param firstId of the jobs; different after a restart, so that no command takes one job for
   *     another
   */
  Jobs(long firstId) {
    nextId = firstId;
  }

  /**
   * Begins a job.
   *
   * @throws IllegalStateException when there is one that is not over
   */
  synchronized JobStatus start(Job job) {
    if (current != null && current.state() == State.RUNNING) {
      throw new IllegalStateException(
          "job " + current.id() + " (" + current.name() + ") is not over; wait, or cancel it");
    }
    JobStatus status = new JobStatus(nextId++, job.name());
    current = status;
    last.addLast(status);
    if (last.size() > KEPT) {
      last.removeFirst();
    }
    DaemonThreads.of("rackweave-job", () -> run(job, status)).start();
    return status;
  }

  private static void run(Job job, JobStatus status) {
    try {
      job.run(status);
      status.end(State.DONE, "");
    } catch (InterruptedException e) {
      status.end(State.CANCELLED, "it was cancelled");
    } catch (IOException | RuntimeException | Error e) {
      LOG.warn("Job {} failed", status.name(), e);
      status.end(State.FAILED, e.toString());
    } finally {
      if (status.state() == State.RUNNING) {
        // Otherwise no other could ever begin.
        status.end(State.FAILED, "see the NameNode's log");
      }
    }
  }

  /** How the last job stands, {@code null} when there was none. */
  synchronized JobStatus current() {
    return current;
  }

  /**
   * How a job stands.
   *
   * @throws IllegalStateException when it is not known
   */
  synchronized JobStatus job(long id) {
    return last.stream()
        .filter(status -> status.id() == id)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "job "
                        + id
                        + " is not known: it was another NameNode's, or before a restart, or "
                        + KEPT
                        + " others have begun since"));
  }

  /**
   * Breaks off the job that runs, if any; what it did stays done. Its thread is never interrupted:
   * that may happen while it writes to the edit log, where an interrupt is lost, or closes the
   * log's file, and the NameNode ends itself.
   */
  synchronized void cancel() {
    if (current != null) {
      current.cancel();
    }
  }

  @Override
  public void close() {
    cancel();
  }
}
