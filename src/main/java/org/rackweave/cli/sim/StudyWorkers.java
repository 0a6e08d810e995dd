package org.rackweave.cli.sim;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.rackweave.hdfs.DaemonThreads;
import org.rackweave.sim.claims.ClaimStudy;

/**
 * Does the runs of {@link ClaimStudy}, as many at a time as there are threads, and tells of each.
 */
final class StudyWorkers implements ClaimStudy.Workers, AutoCloseable {
  private final ExecutorService threads;
  private final PrintStream out;
  private final boolean terminal;

  StudyWorkers(int threads, PrintStream out, boolean terminal) {
    this.threads = Executors.newFixedThreadPool(threads, DaemonThreads.numbered("simulation"));
    this.out = out;
    this.terminal = terminal;
  }

  @Override
  public <T> List<T> all(List<ClaimStudy.Task<T>> tasks) throws InterruptedException {
    List<Future<T>> futures = new ArrayList<>();
    for (ClaimStudy.Task<T> task : tasks) {
      futures.add(threads.submit(task.run()::get));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      try {
        results.add(future.get());
      } catch (ExecutionException e) {
        throw new IllegalStateException(
            tasks.get(results.size()).name() + " failed: " + e.getCause().getMessage(),
            e.getCause());
      }
      tell(results.size(), tasks);
    }
    return results;
  }

  private <T> void tell(int done, List<ClaimStudy.Task<T>> tasks) {
    String line = "run " + done + " of " + tasks.size() + ", " + tasks.get(done - 1).name();
    if (!terminal) {
      out.println(line);
    } else {
      out.printf("\r%-78s", line);
      if (done == tasks.size()) {
        out.println();
      }
      out.flush();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
