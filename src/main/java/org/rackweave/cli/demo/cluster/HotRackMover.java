package org.rackweave.cli.demo.cluster;

import java.io.Closeable;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.experiment.HotSchedule;

/** Makes the racks of a schedule hot, period by period; closing it cools all of them down. */
public final class HotRackMover implements Closeable {

  private final EmbeddedCluster cluster;
  private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

  /** Begins with the first period at once. */
  public HotRackMover(EmbeddedCluster cluster, HotSchedule schedule) {
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
