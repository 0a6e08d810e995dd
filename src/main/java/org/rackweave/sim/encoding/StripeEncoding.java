package org.rackweave.sim.encoding;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.rackweave.model.ClusterTopology;
import org.rackweave.sim.cluster.Cluster;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.network.Path;
import org.rackweave.sim.scenario.EncodingSpec;

/**
 * Tasks that encode stripes, as the paper's simulator and testbed do (sections IV and V): read the
 * k blocks in parallel, write n - k parity blocks in parallel, relocate what cannot stay, and go on
 * to the next stripe. Then one replica of each data block is left.
 *
 * <p>A node that fails under a task is not noticed by it.
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
   * @param rackLimit most blocks of an encoded stripe in a rack
   * @param arithmeticBytesPerSec data that a task computes parity of; infinite for no time at all
   * @param relocates whether blocks that cannot stay are moved, or left against the rack limit
   */
  public record Settings(
      long blockBytes, int rackLimit, double arithmeticBytesPerSec, boolean relocates) {
    public static Settings of(EncodingSpec spec) {
      return new Settings(
          spec.blockBytes(), spec.rackLimit(), spec.arithmeticBytesPerSec(), spec.relocation());
    }
  }

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
    together(downloads, () -> compute(job));
  }

  private void compute(Job job) {
    double seconds = dataBytes(job) / settings.arithmeticBytesPerSec();
    if (seconds > 0) {
      loop.after(SimTime.ofSeconds(seconds), () -> upload(job));
    } else {
      upload(job);
    }
  }

  private double dataBytes(Job job) {
    return (double) settings.blockBytes() * job.stripe().data().length;
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
            steps.encoder(),
            dataBytes(job),
            acrossRacks(steps.encoder(), steps.sources()),
            acrossRacks(steps.encoder(), steps.parityTargets()),
            crowdedOut(steps)));
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
   * Blocks too many on a node or in a rack, were every kept replica to stay: counted from the
   * places alone, and not from what either choice says of itself.
   */
  private int crowdedOut(EncodingSteps steps) {
    Map<Integer, List<Integer>> inRack = new HashMap<>();
    IntStream.concat(IntStream.of(steps.keepers()), IntStream.of(steps.parityTargets()))
        .forEach(
            node ->
                inRack
                    .computeIfAbsent(cluster.topology().rackOf(node), rack -> new ArrayList<>())
                    .add(node));
    int crowded = 0;
    for (List<Integer> nodes : inRack.values()) {
      int stay = Math.min(settings.rackLimit(), new HashSet<>(nodes).size());
      crowded += Math.max(0, nodes.size() - stay);
    }
    return crowded;
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
