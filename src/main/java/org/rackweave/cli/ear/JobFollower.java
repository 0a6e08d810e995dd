package org.rackweave.cli.ear;

import java.io.IOException;
import java.io.PrintStream;
import org.rackweave.cli.ear.yarn.NameNodeQuery;

/**
 * Shows how far a job in the NameNode is until it is over. Ctrl-C cancels the job, and no other.
 *
 * <p>Used once, by one thread.
 */
final class JobFollower {
  private static final long LOOK_MS = 500;

  private final NameNodeQuery nameNode;
  private final JobProgress progress;
  private final PrintStream err;

  JobFollower(NameNodeQuery nameNode, JobProgress progress, PrintStream err) {
    this.nameNode = nameNode;
    this.progress = progress;
    this.err = err;
  }

  /**
   * Waits for the end of a job that has begun.
   *
   * @throws IOException when the NameNode does not answer, or does not know this job any more
   */
  JobView follow(JobView begun) throws IOException, InterruptedException {
    Thread onCancel = new Thread(() -> cancel(begun), "rackweave-cancel");
    Runtime.getRuntime().addShutdownHook(onCancel);
    JobView view = begun;
    while (!view.isOver()) {
      progress.show(view);
      Thread.sleep(LOOK_MS);
      view = ask("job", begun);
    }
    forget(onCancel);
    progress.end();
    return view;
  }

  private JobView ask(String what, JobView job) throws IOException {
    return JobView.of(nameNode.ask(what, "id=" + job.id()));
  }

  private static void forget(Thread onCancel) {
    try {
      Runtime.getRuntime().removeShutdownHook(onCancel);
    } catch (IllegalStateException e) {
      return; // it runs, and the job was faster
    }
  }

  /** Has the NameNode break the job off. */
  void cancel(JobView job) {
    try {
      JobView view = ask("cancel", job);
      err.println(view.isOver() ? "\nit was over already: " + view.state() : "\ncancelled");
    } catch (IOException e) {
      err.println("\nnot cancelled: " + e.getMessage());
    }
  }
}
