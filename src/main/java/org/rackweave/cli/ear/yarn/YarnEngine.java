package org.rackweave.cli.ear.yarn;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.rackweave.hdfs.DaemonThreads;

/**
 * The yarn engine: fetches from the NameNode what there is to encode, rack by rack, and has it done
 * by MapReduce jobs bound to these racks. Everything it knows may get lost: what it does not
 * mention to the NameNode for a minute is not encoded, and found again later. When YARN or the
 * NameNode have failed it for too long it ends its jobs and says so to the NameNode, whose
 * DataNodes do the rest; the NameNode also finds that out by itself, when it hears nothing for a
 * minute.
 */
public final class YarnEngine implements AutoCloseable {
  private static final long LOOK_MS = 500;
  private static final long FINISH_MS = 30_000;
  static final int FAILURES_MAX = 20;

  /** Stock waits a quarter of an hour for a ResourceManager that is not there. */
  private static final int CONNECT_MS = 20_000;

  private static final int CONNECT_RETRY_MS = 2_000;

  /** Stock waits for ever until a job is submitted, and until it is killed. */
  private static final long POLL_MS = 60_000;

  private static final long EXIT_SECONDS = 30;

  private final RackHosts hosts;
  private final RackQueue.Means means;
  private final long lookMs;
  private final Map<String, RackQueue> queues = new TreeMap<>();
  private final Thread thread = DaemonThreads.of("rackweave-yarn", this::run);
  private final Runnable onExit = this::exit;
  private volatile boolean isClosed;
  private long servedJob;

  /**
   * @param lookMs between two looks
   */
  YarnEngine(RackHosts hosts, RackQueue.Means means, long lookMs) {
    this.hosts = hosts;
    this.means = means;
    this.lookMs = lookMs;
  }

  /**
   * Looks for NodeManagers in the racks of HDFS.
   *
   * @param given the cluster's settings
   * @param jobsPerRack jobs at a time, at least 1
   * @param complaints told what an operator has to know
   * @throws IOException when there is no YARN, or no NameNode
   */
  public static YarnEngine connect(
      Configuration given,
      NameNodeQuery nameNode,
      WorkSource work,
      int jobsPerRack,
      Consumer<String> complaints)
      throws IOException {
    JobConf site = new JobConf(new YarnConfiguration(given));
    site.setInt(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, CONNECT_MS);
    site.setInt(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, CONNECT_RETRY_MS);
    site.setLong(
        YarnConfiguration.YARN_CLIENT_APPLICATION_CLIENT_PROTOCOL_POLL_TIMEOUT_MS, POLL_MS);
    YarnClient yarn = YarnClient.createYarnClient();
    yarn.init(site);
    yarn.start();
    try {
      RackHosts hosts = RackHosts.of(yarn, nameNode);
      hosts.complaints().forEach(complaints);
      DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(site);
      Batch.deleteForgotten(fs, Time.now());
      YarnFigures figures = new YarnFigures(complaints);
      return new YarnEngine(
          hosts,
          new RackQueue.Means(nameNode, work, yarn, site, fs, jobsPerRack, figures),
          LOOK_MS);
    } catch (IOException | RuntimeException e) {
      yarn.stop();
      throw e;
    }
  }

  /** The racks whose stripes it encodes. */
  public Set<String> racks() {
    return hosts.byRack().keySet();
  }

  /**
   * Begins; returns at once.
   *
   * @param job of the NameNode whose stripes it encodes
   */
  public void start(long job) {
    servedJob = job;
    // Before Hadoop closes its file systems, ours among them.
    ShutdownHookManager.get()
        .addShutdownHook(
            onExit, FileSystem.SHUTDOWN_HOOK_PRIORITY + 1, EXIT_SECONDS, TimeUnit.SECONDS);
    thread.start();
  }

  private void run() {
    int failures = 0;
    while (!isClosed) {
      try {
        failures = stepped(failures == 0) ? 0 : failures + 1;
        if (failures == FAILURES_MAX) {
          giveUp();
          return;
        }
        Thread.sleep(lookMs);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** Otherwise the NameNode would wait a minute for what nobody does, again and again. */
  private void giveUp() {
    means.figures().complain("no more stripes are encoded by YARN; DataNodes encode the rest");
    abandon();
    try {
      means.nameNode().ask("leave", "id=" + servedJob);
    } catch (IOException e) {
      means.figures().complain("the NameNode is not told, and sees it later: " + e.getMessage());
    }
  }

  /** Whether it went well; the NameNode or YARN may be back in a moment. */
  private boolean stepped(boolean isNews) throws InterruptedException {
    try {
      step();
      return true;
    } catch (IOException | RuntimeException e) {
      if (isNews) {
        means.figures().complain("not now: " + e.getMessage());
      }
      return false;
    }
  }

  private synchronized void step() throws IOException, InterruptedException {
    for (JsonNode offer : means.nameNode().ask("offers").path("racks")) {
      String rack = offer.asText();
      if (hosts.byRack().containsKey(rack)) {
        queues.computeIfAbsent(rack, one -> new RackQueue(one, hosts.byRack().get(one), means));
      }
    }
    IOException failure = null;
    for (RackQueue queue : queues.values()) {
      try {
        queue.step();
      } catch (IOException e) {
        failure = e; // which is no reason to let the other racks down
      }
    }
    queues.values().removeIf(RackQueue::isForgettable);
    notifyAll();
    if (failure != null) {
      throw failure;
    }
  }

  /** Waits until jobs are over whose stripes are, a little. */
  public synchronized void finish() throws InterruptedException {
    long deadlineMs = Time.monotonicNow() + FINISH_MS;
    for (long left = FINISH_MS;
        left > 0 && thread.isAlive() && !queues.values().stream().allMatch(RackQueue::isIdle);
        left = deadlineMs - Time.monotonicNow()) {
      wait(left);
    }
  }

  /** Does not wait for what goes on to end by itself. */
  private void exit() {
    isClosed = true;
    thread.interrupt();
    abandon();
  }

  private synchronized void abandon() {
    queues.values().forEach(RackQueue::abandon);
    queues.clear();
  }

  /** What came out, by name. */
  public Map<String, Long> figures() {
    return means.figures().figures();
  }

  /** What came out, for people. */
  public List<String> lines() {
    return means.figures().lines();
  }

  /** Ends the jobs that run. */
  @Override
  public void close() {
    exit();
    if (ShutdownHookManager.get().isShutdownInProgress()) {
      return; // the hook has run, or does
    }
    ShutdownHookManager.get().removeShutdownHook(onExit);
    means.yarn().stop();
    try {
      means.fs().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
