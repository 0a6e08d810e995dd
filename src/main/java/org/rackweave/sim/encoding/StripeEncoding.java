package org.rackweave.sim.encoding;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.network.Path;

/**
 * Tasks that encode stripes, as the paper's simulator and testbed do (sections IV and V): read the
 * k blocks in parallel, write n - k parity blocks in parallel, relocate what cannot stay, and go on
 * to the next stripe. Then one replica of each data block is left.
 *
 * <p>Arithmetic takes no time. A node that fails under a task is not noticed by it.
 */
public final class StripeEncoding {
  private final EventLoop loop;
  private final Cluster cluster;
  private final EncodingChoice choice;
  private final Settings settings;
  private final Consumer<EncodedStripe> whenEncoded;
  private int underWay;

  /**
   * What encoding is about.
   *
   * @param blockBytes size of every block
   * @param relocates whether blocks that cannot stay are moved, or left against the rack limit
   */
  public record Settings(long blockBytes, boolean relocates) {}

  /** One stripe in the hands of a task. */
  private record Job(
      EncodingTask task, ReplicatedStripe stripe, EncodingSteps steps, long startedNanos) {}

  public StripeEncoding(
      EventLoop loop,
      Cluster cluster,
      EncodingChoice choice,
      Settings settings,
      Consumer<EncodedStripe> whenEncoded) {
    this.loop = loop;
    this.cluster = cluster;
    this.choice = choice;
    this.settings = settings;
    this.whenEncoded = whenEncoded;
  }

  /** Lets all tasks run from a moment on. */
  public void begin(List<EncodingTask> tasks, long atNanos) {
    underWay += tasks.size();
    loop.at(atNanos, () -> tasks.forEach(this::next));
  }

  /** Tasks that have stripes left, or have not begun. */
  public int underWay() {
    return underWay;
  }

  private void next(EncodingTask task) {
    ReplicatedStripe stripe = task.stripes().poll();
    if (stripe == null) {
      underWay--;
      return;
    }
    Job job = new Job(task, stripe, choice.choose(stripe, task.node()), loop.nowNanos());
    EncodingSteps steps = job.steps();
    List<Hop> downloads = new ArrayList<>();
    for (int source : steps.sources()) {
      downloads.add(new Hop(source, steps.encoder(), true));
    }
    together(downloads, () -> upload(job));
  }

  private void upload(Job job) {
    List<Hop> uploads = new ArrayList<>();
    for (int target : job.steps().parityTargets()) {
      uploads.add(new Hop(job.steps().encoder(), target, false));
    }
    together(uploads, () -> relocate(job));
  }

  private void relocate(Job job) {
    EncodingSteps steps = job.steps();
    List<Hop> moves = new ArrayList<>();
    for (int block = 0; settings.relocates() && block < steps.homes().length; block++) {
      if (steps.homes()[block] != steps.keepers()[block]) {
        moves.add(new Hop(steps.keepers()[block], steps.homes()[block], false));
      }
    }
    together(moves, () -> finish(job));
  }

  private void finish(Job job) {
    EncodingSteps steps = job.steps();
    int[][] data = job.stripe().data();
    for (int block = 0; block < data.length; block++) {
      for (int node : data[block]) {
        cluster.drop(node, settings.blockBytes());
      }
      int stays = settings.relocates() ? steps.homes()[block] : steps.keepers()[block];
      cluster.store(stays, settings.blockBytes());
    }
    for (int target : steps.parityTargets()) {
      cluster.store(target, settings.blockBytes());
    }
    whenEncoded.accept(
        new EncodedStripe(
            job.startedNanos(),
            loop.nowNanos(),
            (double) settings.blockBytes() * data.length,
            acrossRacks(steps.encoder(), steps.sources()),
            acrossRacks(steps.encoder(), steps.parityTargets()),
            steps.relocations()));
    next(job.task());
  }

  private int acrossRacks(int encoder, int[] others) {
    ClusterTopology topology = cluster.topology();
    int across = 0;
    for (int other : others) {
      across += topology.rackOf(other) == topology.rackOf(encoder) ? 0 : 1;
    }
    return across;
  }

  /**
   * One block from a node to a node, maybe the same.
   *
   * @param toMemory whether it is read and not written again
   */
  private record Hop(int from, int to, boolean toMemory) {}

  private void together(List<Hop> hops, Runnable then) {
    if (hops.isEmpty()) {
      then.run();
      return;
    }
    int[] left = {hops.size()};
    for (Hop hop : hops) {
      start(
          hop,
          () -> {
            if (--left[0] == 0) {
              then.run();
            }
          });
    }
  }

  private void start(Hop hop, Runnable whenDone) {
    Optional<Path> path = hop.toMemory() ? readPath(hop) : writePath(hop);
    if (path.isEmpty()) {
      loop.after(0, whenDone);
      return;
    }
    cluster.reading(hop.from(), 1);
    cluster.writing(hop.to(), 1);
    cluster
        .network()
        .start(
            path.get(),
            settings.blockBytes(),
            () -> {
              cluster.reading(hop.from(), -1);
              cluster.writing(hop.to(), -1);
              whenDone.run();
            });
  }

  private Optional<Path> readPath(Hop hop) {
    return cluster.links().read(hop.from(), cluster.nextReadDisk(hop.from()), hop.to());
  }

  private Optional<Path> writePath(Hop hop) {
    int[] target = {hop.to()};
    return cluster.links().pipeline(hop.from(), target, cluster.nextDisks(target), false);
  }
}
