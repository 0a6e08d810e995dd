package org.rackweave.sim.run;

import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.network.FlowNetwork;

/** What a set of links carries in each of many intervals of equal length, true to the byte. */
final class LinkUse {
  private final EventLoop loop;
  private final FlowNetwork network;
  private final IntUnaryOperator linkAt;
  private final long intervalNanos;
  private final Consumer<double[]> seen;
  private final double[] carried;

  /**
   * @param links how many
   * @param linkAt number of each
   * @param intervalNanos above 0
   * @param seen gets the average load of each link in each interval, as a share of its capacity
   */
  LinkUse(
      EventLoop loop,
      FlowNetwork network,
      int links,
      IntUnaryOperator linkAt,
      long intervalNanos,
      Consumer<double[]> seen) {
    this.loop = loop;
    this.network = network;
    this.linkAt = linkAt;
    this.intervalNanos = intervalNanos;
    this.seen = seen;
    carried = new double[links];
  }

  /** Measures from one time to another. */
  void watch(long fromNanos, long untilNanos) {
    loop.at(
        fromNanos,
        () -> {
          use();
          loop.after(intervalNanos, () -> measure(untilNanos));
        });
  }

  private void measure(long untilNanos) {
    seen.accept(use());
    if (loop.nowNanos() + intervalNanos <= untilNanos) {
      loop.after(intervalNanos, () -> measure(untilNanos));
    }
  }

  /** Average load since the last call. */
  private double[] use() {
    double seconds = intervalNanos / 1e9;
    double[] use = new double[carried.length];
    for (int i = 0; i < use.length; i++) {
      int link = linkAt.applyAsInt(i);
      double now = network.carriedBytes(link);
      use[i] = (now - carried[i]) / network.capacity(link) / seconds;
      carried[i] = now;
    }
    return use;
  }
}
