package org.rackweave.sim.workload;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * What the nodes of a storage system do besides recovering, as Dayu's authors measured it (section
 * 2.2): it takes less than half of the bandwidth on average; in one timeslot it varies over nodes
 * by 40 to 60 % of its mean, over hours hardly; from one timeslot to the next it changes by less
 * than 14.4 % of the bandwidth in more than 95 % of the cases, and by up to two thirds in the rest.
 *
 * <p>The process that does so, for each node and direction on its own: the load returns slowly to
 * the mean while it wanders by {@value #WANDER} of the bandwidth a slot, and in {@value #JUMPS} of
 * the slots it jumps to a level drawn afresh.
 */
public final class NodeForeground implements Workload {

  /** Probability of a jump. */
  static final double JUMPS = 0.05;

  /** Standard deviation of a change that is no jump, as a fraction of the bandwidth. */
  static final double WANDER = 0.06;

  /** Largest change in one slot, as a fraction of the bandwidth (observation 5). */
  static final double CHANGE_MAX = 2.0 / 3;

  /** Something is always left: no measured link is ever entirely taken. */
  static final double LOAD_MAX = 0.95;

  private final int nodes;
  private final Shape shape;
  private final long seed;

  /**
   * @param bandwidthBytesPerSec of a node in each direction
   * @param mean average load as a fraction of it, 0 to 0.95
   * @param deviation of the load over nodes in one slot, relative to the mean; the paper has 0.4 to
   *     0.6
   * @param slotNanos length of a timeslot; the paper has 15 s
   * @param durationNanos no slot begins at this moment or later
   */
  public record Shape(
      double bandwidthBytesPerSec,
      double mean,
      double deviation,
      long slotNanos,
      long durationNanos) {}

  public NodeForeground(int nodes, Shape shape, SplittableRandom random) {
    this.nodes = nodes;
    this.shape = shape;
    this.seed = random.nextLong();
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    return Stream.empty();
  }

  @Override
  public Stream<TimedRequest> requests() {
    SplittableRandom random = new SplittableRandom(seed);
    double[] in = new double[nodes];
    double[] out = new double[nodes];
    long[] slot = {0};
    Deque<TimedRequest> ahead = new ArrayDeque<>(nodes);
    return Streamed.until(
        () -> {
          long at = slot[0] * shape.slotNanos();
          if (ahead.isEmpty() && at < shape.durationNanos()) {
            for (int node = 0; node < nodes; node++) {
              in[node] = slot[0] == 0 ? level(random) : next(in[node], random);
              out[node] = slot[0] == 0 ? level(random) : next(out[node], random);
              ahead.add(load(at, node, in[node], out[node]));
            }
            slot[0]++;
          }
          return ahead.poll();
        });
  }

  private TimedRequest load(long at, int node, double in, double out) {
    double bandwidth = shape.bandwidthBytesPerSec();
    return new TimedRequest.NodeLoad(at, node, in * bandwidth, out * bandwidth);
  }

  private double level(SplittableRandom random) {
    return clip(shape.mean() * (1 + shape.deviation() * random.nextGaussian()));
  }

  private double next(double load, SplittableRandom random) {
    if (random.nextDouble() < JUMPS) {
      double change = level(random) - load;
      return load + Math.max(-CHANGE_MAX, Math.min(CHANGE_MAX, change));
    }
    double spread = shape.mean() * shape.deviation();
    // A walk whose long-run deviation is the spread: 2 (1 - stay) spread^2 = wander^2.
    double wander = Math.min(WANDER, spread);
    double stay = spread == 0 ? 1 : 1 - wander * wander / (2 * spread * spread);
    double shock = spread * Math.sqrt(1 - stay * stay) * random.nextGaussian();
    double change = (1 - stay) * (shape.mean() - load) + shock;
    return clip(load + Math.max(-CHANGE_MAX, Math.min(CHANGE_MAX, change)));
  }

  private static double clip(double load) {
    return Math.max(0, Math.min(LOAD_MAX, load));
  }
}
