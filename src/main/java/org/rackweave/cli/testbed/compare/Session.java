package org.rackweave.cli.testbed.compare;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.rackweave.cli.Progress;
import org.rackweave.cli.testbed.Layout;
import org.rackweave.cli.testbed.Testbed;
import org.rackweave.cli.testbed.TestbedPolicy;
import org.rackweave.cli.testbed.compare.worker.Report.Done;
import org.rackweave.cli.testbed.compare.worker.Task;

/**
 * What an experiment works with.
 *
 * @param testbed the cluster
 * @param workers the workers on its hosts
 * @param files its files, as the NameNode knows them
 * @param progress told how far things are
 */
record Session(Testbed testbed, Workers workers, ClusterFiles files, Progress progress)
    implements Closeable {

  private static final String WARM_UP = "/warm-up";
  private static final int WARM_UP_WRITES = 3;
  private static final int WARM_UP_GAP_MS = 1_500;
  private static final long WARM_UP_BYTES = 4L << 20;
  private static final long WARM_UP_SECONDS = 120;
  private static final long DELETE_SECONDS = 120;
  private static final Duration RESTART_DEADLINE = Duration.ofSeconds(90);

  /** About how long {@link #start} takes. */
  static final long START_MS = 14_000;

  /**
   * Starts the workers and has everybody write a little, so that no run pays for a virtual machine
   * that has just started.
   *
   * @param loaders whether hosts without DataNode take part
   */
  static Session start(Testbed testbed, boolean loaders, Progress progress)
      throws IOException, InterruptedException {
    Workers workers = Workers.start(testbed, loaders);
    Session session = new Session(testbed, workers, new ClusterFiles(testbed), progress);
    try {
      session.warmUp();
      return session;
    } catch (IOException | InterruptedException | RuntimeException e) {
      session.close();
      throw e;
    }
  }

  private void warmUp() throws IOException, InterruptedException {
    testbed.usePolicy(TestbedPolicy.STOCK);
    files.makeDirectory(WARM_UP);
    HostTasks tasks = new HostTasks(layout());
    int hosts = layout().dataNodes().size();
    for (int writer = 0; writer < hosts; writer++) {
      for (int i = 0; i < WARM_UP_WRITES; i++) {
        String name = writer + "-" + i;
        long atMs = (long) WARM_UP_GAP_MS * i + (long) WARM_UP_GAP_MS * writer / hosts;
        tasks.add(
            writer,
            new Task.Write(
                name, atMs, WARM_UP + "/" + name, WARM_UP_BYTES, WARM_UP_BYTES, List.of()));
      }
    }
    perform(tasks, WARM_UP_SECONDS);
    files.deleteAll(WARM_UP, WARM_UP_SECONDS);
  }

  /**
   * Has workers do something that is not measured.
   *
   * @return what they have done
   * @throws IOException if a task fails, or the time is over
   */
  List<Done> perform(HostTasks tasks, long deadlineSeconds)
      throws IOException, InterruptedException {
    workers.begin(tasks.byHost());
    try {
      return workers.await(tasks.count(), deadlineSeconds);
    } finally {
      workers.stop();
    }
  }

  /**
   * Empties the cluster.
   *
   * @param killed the DataNode's host that is started again before, null for none
   * @param directory what is deleted
   */
  void restore(String killed, String directory) throws IOException, InterruptedException {
    if (killed != null) {
      progress.update("restarting " + killed);
      testbed.startDataNode(killed);
      testbed.awaitLiveDataNodes(layout().dataNodes().size(), RESTART_DEADLINE);
      files.awaitBlocksOf(killed, RESTART_DEADLINE.toSeconds());
    }
    files.deleteAll(directory, DELETE_SECONDS);
  }

  /** Time between two regular heartbeats of a DataNode. */
  long heartbeatSec() {
    return testbed
        .controlConf()
        .getTimeDuration(
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
            DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_DEFAULT,
            TimeUnit.SECONDS);
  }

  Layout layout() {
    return testbed.layout();
  }

  @Override
  public void close() throws IOException {
    workers.close();
    files.close();
  }
}
