package org.rackweave.sim.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;
import org.rackweave.sim.network.FlowNetwork;
import org.rackweave.sim.report.Sample;

/**
 * How unevenly a set of links is loaded: the coefficient of variation of their average use in each
 * interval of 10 seconds (Sinbad, section 4.3), true to the byte.
 */
final class LinkImbalance {
  private static final long INTERVAL_NANOS = SimTime.ofMs(10_000);

  private final EventLoop loop;
  private final FlowNetwork network;
  private final IntUnaryOperator linkAt;
  private final double[] carried;
  private final List<Double> variations = new ArrayList<>();

  LinkImbalance(EventLoop loop, FlowNetwork network, int links, IntUnaryOperator linkAt) {
    this.loop = loop;
    this.network = network;
    this.linkAt = linkAt;
    carried = new double[links];
  }

  /** Measures from one time to another. */
  void watch(long fromNanos, long untilNanos) {
    loop.at(
        fromNanos,
        () -> {
          use();
          loop.after(INTERVAL_NANOS, () -> measure(untilNanos));
        });
  }

  private void measure(long untilNanos) {
    double[] use = use();
    if (new Sample(use).max() > 0) {
      variations.add(new Sample(use).variation());
    }
    if (loop.nowNanos() + INTERVAL_NANOS <= untilNanos) {
      loop.after(INTERVAL_NANOS, () -> measure(untilNanos));
    }
  }

  /** What each link has carried since the last call, as a share of what it can carry. */
  private double[] use() {
    double[] use = new double[carried.length];
    for (int i = 0; i < use.length; i++) {
      int link = linkAt.applyAsInt(i);
      double now = network.carriedBytes(link);
      use[i] = (now - carried[i]) / network.capacity(link);
      carried[i] = now;
    }
    return use;
  }

  double[] variations() {
    return variations.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
