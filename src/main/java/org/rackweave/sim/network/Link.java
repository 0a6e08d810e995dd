package org.rackweave.sim.network;

import java.util.Arrays;

/**
 * One direction of a wire, or a disk: who shares it, how much a flow can get of it, what it has
 * carried.
 *
 * <p>The {@link #level} is the max-min fair share: no flow gets more here, and those that get that
 * much are <i>limited</i> by this link. A link with room to spare has the level {@link #OPEN}.
 * Flows limited here have all received the same number of bytes since any common instant, {@link
 * #service}; that makes the end of the first of them a division, whatever their number.
 */
final class Link {
  static final double OPEN = Double.POSITIVE_INFINITY;

  private static final int CHANGES_UNTIL_ROUNDED = 64;

  final int id;
  double capacity;
  double level = OPEN;

  /** Bytes per second that flows are given here; never above capacity but by rounding. */
  double load;

  /** Bundles that cross the link, in no order, and at which of a bundle's places this link is. */
  Bundle[] bundles = {};

  private int[] places = {};
  int bundleCount;

  /** Bundles limited here, by the service at which their first flow ends. */
  final IndexedHeap<Bundle> finishing = new IndexedHeap<>();

  final IndexedHeap.Entry<Link> nextFinish = new IndexedHeap.Entry<>(this);

  /** Flows that crossed the link and are no more, and the bytes they received. */
  long endedFlows;

  double endedFlowsBytes;

  private int changes;
  private double carriedBytes;
  private double serviceBytes;
  private long sinceNanos;

  /** Scratch of {@link FairShares}: its turn, and the link's state in it. */
  final IndexedHeap.Entry<Link> turn = new IndexedHeap.Entry<>(this);

  int stamp;
  double newLevel;
  double left;
  int open;
  Bundle held;
  int fringeStamp;
  double more;

  Link(int id, double capacity) {
    this.id = id;
    this.capacity = capacity;
  }

  boolean isSaturated() {
    return level != OPEN;
  }

  /** Brings the counters up to date; before any change of load or level. */
  void advance(long nowNanos) {
    if (nowNanos != sinceNanos) {
      double seconds = (nowNanos - sinceNanos) * 1e-9;
      carriedBytes += load * seconds;
      if (level != OPEN) {
        serviceBytes += level * seconds;
      }
      sinceNanos = nowNanos;
    }
  }

  /** Bytes that have crossed the link up to a time not before the last change. */
  double carriedBytes(long nowNanos) {
    return carriedBytes + load * (nowNanos - sinceNanos) * 1e-9;
  }

  /** Bytes that each flow limited here would have received since the start. */
  double serviceBytes(long nowNanos) {
    return level == OPEN ? serviceBytes : serviceBytes + level * (nowNanos - sinceNanos) * 1e-9;
  }

  /** Adds the load up anew now and then, so that the rounding of changes does not add up. */
  void roundLoad() {
    if (changes++ % CHANGES_UNTIL_ROUNDED == 0) {
      load = 0;
      for (int i = 0; i < bundleCount; i++) {
        load += bundles[i].load;
      }
    }
  }

  void attach(Bundle bundle, int place) {
    if (bundleCount == bundles.length) {
      int longer = Math.max(4, bundleCount * 2);
      bundles = Arrays.copyOf(bundles, longer);
      places = Arrays.copyOf(places, longer);
    }
    bundles[bundleCount] = bundle;
    places[bundleCount] = place;
    bundle.slots[place] = bundleCount++;
  }

  void detach(Bundle bundle, int place) {
    int slot = bundle.slots[place];
    int last = --bundleCount;
    bundles[slot] = bundles[last];
    places[slot] = places[last];
    bundles[slot].slots[places[slot]] = slot;
    bundles[last] = null;
    load = last == 0 ? 0 : load; // what rounding left over ends with the last bundle
  }
}
