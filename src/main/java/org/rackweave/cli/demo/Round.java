package org.rackweave.cli.demo;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.rackweave.cli.demo.cluster.EmbeddedCluster;
import org.rackweave.cli.demo.cluster.LinkMonitor;
import org.rackweave.cli.experiment.BlockWrite;
import org.rackweave.cli.experiment.HotSchedule;
import org.rackweave.cli.experiment.LinkWindow;

/**
 * One policy, one set of writes, one course of the background load. Background load comes first and
 * alone, so that both policies meet the same settled state; it stays until the last write is done.
 */
final class Round {

  /** A write that takes this long is stuck. */
  private static final long DEADLINE_MS = 180_000;

  private final DemoSettings settings;
  private final HotSchedule schedule;
  private final List<Arrival> arrivals;

  /** What a round measures before anybody looks at the files. */
  record Trace(
      List<BlockWrite> blocks,
      List<WrittenFile> files,
      List<LinkWindow> windows,
      double backgroundLoad) {}

  /** Makes the racks of a schedule hot, period by period; closing it cools all of them down. */
  private static final class HotRackMover implements Closeable {
    private final EmbeddedCluster cluster;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    /** Begins with the first period at once. */
    HotRackMover(EmbeddedCluster cluster, HotSchedule schedule) {
      this.cluster = cluster;
      cluster.setHotRacks(schedule.hotAt(0));
      for (int period = 1; period < schedule.periods().size(); period++) {
        Set<Integer> racks = schedule.periods().get(period);
        long atMs = (long) period * schedule.periodMs();
        var unused = clock.schedule(() -> cluster.setHotRacks(racks), atMs, TimeUnit.MILLISECONDS);
      }
    }

    @Override
    public void close() {
      clock.shutdownNow();
      cluster.setHotRacks(Set.of());
    }
  }

  Round(DemoSettings settings, HotSchedule schedule, List<Arrival> arrivals) {
    this.settings = settings;
    this.schedule = schedule;
    this.arrivals = arrivals;
  }

  /**
   * Runs the round and returns when all files are written.
   *
   * @param directory where the files go in HDFS
   */
  Trace run(Lab lab, String directory) throws IOException, InterruptedException {
    Queue<BlockWrite> blocks = new ConcurrentLinkedQueue<>();
    lab.deliverBlocksTo(blocks::add);
    long startNs = System.nanoTime();
    long movedBefore = lab.background().movedBytes();
    ExecutorService copiers = Executors.newCachedThreadPool();
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    try (HotRackMover mover = new HotRackMover(lab.cluster(), schedule);
        LinkMonitor monitor = new LinkMonitor(lab.cluster(), schedule::hotAt)) {
      List<ScheduledFuture<Future<WrittenFile>>> begun = new ArrayList<>();
      for (int i = 0; i < arrivals.size(); i++) {
        Arrival arrival = arrivals.get(i);
        String path = directory + "/" + i + "-" + arrival.piece().name();
        begun.add(
            clock.schedule(
                () -> copiers.submit(() -> lab.writers().copy(arrival, path)),
                settings.settleMs() + arrival.atMs(),
                TimeUnit.MILLISECONDS));
      }
      List<WrittenFile> files = new ArrayList<>();
      for (ScheduledFuture<Future<WrittenFile>> arrival : begun) {
        files.add(await(arrival));
      }
      double seconds = (System.nanoTime() - startNs) / 1e9;
      double moved = lab.background().movedBytes() - movedBefore;
      double load = moved / (seconds * settings.hotNodes() * settings.linkBytesPerSec());
      return new Trace(List.copyOf(blocks), files, monitor.windows(), load);
    } finally {
      clock.shutdownNow();
      copiers.shutdownNow();
    }
  }

  private static WrittenFile await(ScheduledFuture<Future<WrittenFile>> arrival)
      throws IOException, InterruptedException {
    try {
      return arrival
          .get(DEADLINE_MS, TimeUnit.MILLISECONDS)
          .get(DEADLINE_MS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IOException("A write failed: " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("A write was not done after " + DEADLINE_MS / 1000 + " s", e);
    }
  }
}
