package org.rackweave.sim.recovery;

import java.util.Arrays;
import org.rackweave.model.ClusterTopology;

/**
 * Copies under way, as flows over the links of nodes and of racks. Each runs at the rate it was
 * given; where a link cannot carry that, its copies share it max-min fairly ({@link CappedShares}).
 *
 * <p>Time passes in steps. Rates are worked out at the beginning of each; what a copy that ends
 * leaves free is given to others with the next. So no rate is ever too high, and some are too low
 * for no longer than a step. With steps of 0 each step ends with the first copy to end, which is
 * exact and slow.
 *
 * <p>Bytes are counted twice, at the copies and at the links, and each step is checked: no link
 * carries more than it can, and the links carry what the copies get. O(copies) a step.
 * Single-threaded.
 */
final class CopyFlows {
  static final int NONE = -1;

  /** Of a copy's bytes: what rounding may leave of it. */
  private static final double DONE = 1e-9;

  private static final double ROUNDING = 1 + 1e-6;
  private static final int LINKS_OF_COPY = 4;

  private final RecoveryLinks links;
  private final Capacities limits;
  private final double stepSec;
  private final int[] from;
  private final int[] to;
  private final double[] size;
  private final double[] left;
  private final double[] limit;
  private final int[] active;
  private int activeCount;
  private double[] rates = {};
  private final double[] capacities;
  private final double[] carried;
  private final CappedShares shares;
  private final ActiveFlows view = new ActiveFlows();
  private double lastEndSec = Double.NaN;

  /** What links carry for copies. */
  @FunctionalInterface
  interface Capacities {
    /**
     * @param wanted bytes per second that all copies over the link together may have
     */
    double of(int link, double wanted);
  }

  /** Hears what happens. */
  interface Listener {
    /** A copy has all its bytes. */
    void ended(int copy, double atSec);

    /**
     * A step has passed.
     *
     * @param fromSec its beginning
     * @param toSec its end; the end of the last copy when that was the last of all
     * @param bytes that crossed each link in it; not to be kept
     */
    void stepped(double fromSec, double toSec, double[] bytes);

    /** Whether anything will happen once the copies under way have ended. */
    boolean goesOn();
  }

  /**
   * @param limits what links carry for copies, asked at the beginning of each step
   * @param copies how many there can be
   * @param stepSec length of a step, 0 for exact
   */
  CopyFlows(RecoveryLinks links, Capacities limits, int copies, double stepSec) {
    this.links = links;
    this.limits = limits;
    this.stepSec = stepSec;
    from = new int[copies];
    to = new int[copies];
    Arrays.fill(to, NONE);
    size = new double[copies];
    left = new double[copies];
    limit = new double[copies];
    active = new int[copies];
    capacities = new double[links.count()];
    carried = new double[links.count()];
    shares = new CappedShares(links.count());
  }

  boolean isUnderWay(int copy) {
    return to[copy] != NONE;
  }

  int underWay() {
    return activeCount;
  }

  int from(int copy) {
    return from[copy];
  }

  int to(int copy) {
    return to[copy];
  }

  double left(int copy) {
    return left[copy];
  }

  /** Bytes per second that a copy has at most. */
  double limit(int copy) {
    return limit[copy];
  }

  /**
   * Begins a copy, or begins it again from its first byte.
   *
   * @param bytesPerSec at most; may be infinite
   */
  void begin(int copy, int source, int destination, double bytes, double bytesPerSec) {
    if (source == destination || !(bytes > 0)) {
      throw new IllegalArgumentException(
          "copy " + copy + " of " + bytes + " bytes from " + source + " to " + destination);
    }
    if (!isUnderWay(copy)) {
      active[activeCount++] = copy;
    }
    from[copy] = source;
    to[copy] = destination;
    size[copy] = bytes;
    left[copy] = bytes;
    limit[copy] = bytesPerSec;
  }

  /** Lets a copy go on from another source, or at another rate; 0 lets it stand still. */
  void goOn(int copy, int source, double bytesPerSec) {
    from[copy] = source;
    limit[copy] = bytesPerSec;
  }

  /**
   * Lets time pass, with capacities as they are.
   *
   * @return when it stopped: earlier than asked if nothing is under way and nothing goes on
   */
  double advance(double fromSec, double toSec, Listener listener) {
    double now = fromSec;
    while (now < toSec) {
      if (activeCount == 0 && !listener.goesOn()) {
        return now;
      }
      shareLinks();
      now = step(now, Math.min(toSec, now + stepLength()), listener);
    }
    return now;
  }

  private void shareLinks() {
    if (rates.length < activeCount) {
      rates = new double[Math.max(activeCount, 2 * rates.length)];
    }
    shares.solve(view, rates, capacities);
  }

  private double stepLength() {
    if (stepSec > 0) {
      return stepSec;
    }
    double soonest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < activeCount; i++) {
      soonest = Math.min(soonest, left[active[i]] / rates[i]);
    }
    // Rounding must not make time stand still.
    return Math.max(soonest, 1e-9);
  }

  private double step(double now, double until, Listener listener) {
    Arrays.fill(carried, 0);
    double length = until - now;
    double moved = 0;
    double rounded = 0;
    lastEndSec = now;
    int still = 0;
    int before = activeCount;
    for (int i = 0; i < before; i++) {
      int copy = active[i];
      double bytes = rates[i] * length;
      boolean ends = left[copy] <= bytes + size[copy] * DONE;
      bytes = ends ? left[copy] : bytes;
      carry(copy, bytes);
      moved += bytes;
      left[copy] -= bytes;
      if (ends) {
        double at = rates[i] > 0 ? Math.min(until, now + bytes / rates[i]) : now;
        lastEndSec = Math.max(lastEndSec, at);
        to[copy] = NONE;
        rounded += size[copy] * DONE;
        listener.ended(copy, at);
      } else {
        active[still++] = copy;
      }
    }
    activeCount = still;
    check(length, moved, rounded);
    double end = still == 0 && before > 0 && !listener.goesOn() ? lastEndSec : until;
    listener.stepped(now, end, carried);
    return end;
  }

  private void carry(int copy, double bytes) {
    carried[links.out(from[copy])] += bytes;
    carried[links.in(to[copy])] += bytes;
    if (links.racksNarrow()) {
      int fromRack = links.topology().rackOf(from[copy]);
      int toRack = links.topology().rackOf(to[copy]);
      if (fromRack != toRack) {
        carried[links.rackOut(fromRack)] += bytes;
        carried[links.rackIn(toRack)] += bytes;
      }
    }
  }

  private void check(double length, double moved, double rounded) {
    double sent = 0;
    double received = 0;
    for (int link = 0; link < carried.length; link++) {
      if (carried[link] > capacities[link] * length * ROUNDING + rounded + 1e-3) {
        throw new IllegalStateException(
            "link "
                + link
                + " carried "
                + carried[link]
                + " bytes in "
                + length
                + " s of "
                + capacities[link]
                + " B/s");
      }
    }
    for (int node = 0; node < links.topology().nodeCount(); node++) {
      sent += carried[links.out(node)];
      received += carried[links.in(node)];
    }
    double tolerance = moved * (ROUNDING - 1) + 1e-3;
    if (Math.abs(sent - moved) > tolerance || Math.abs(received - moved) > tolerance) {
      throw new IllegalStateException(
          "copies got " + moved + " bytes, nodes sent " + sent + " and received " + received);
    }
  }

  /** The copies under way, as the shares see them. */
  private final class ActiveFlows implements CappedShares.Flows {
    @Override
    public int count() {
      return activeCount;
    }

    @Override
    public double limit(int flow) {
      return limit[active[flow]];
    }

    @Override
    public int linksMax() {
      return links.racksNarrow() ? LINKS_OF_COPY : 2;
    }

    @Override
    public double capacity(int link, double wanted) {
      return limits.of(link, wanted);
    }

    @Override
    public int link(int flow, int place) {
      int copy = active[flow];
      switch (place) {
        case 0:
          return links.out(from[copy]);
        case 1:
          return links.in(to[copy]);
        default:
          ClusterTopology topology = links.topology();
          int fromRack = topology.rackOf(from[copy]);
          int toRack = topology.rackOf(to[copy]);
          if (fromRack == toRack) {
            return NONE;
          }
          return place == 2 ? links.rackOut(fromRack) : links.rackIn(toRack);
      }
    }
  }
}
