package org.rackweave.sim.network;

import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the rates of all flows max-min fair while flows come and go, touching no more of the
 * network than a change reaches.
 *
 * <p><b>Goal.</b> No flow can be given more without taking from one that has no more than it. That
 * is so exactly when every flow crosses a saturated link where none has more (its limit).
 *
 * <p><b>Algorithm.</b> A <i>region</i> of links is solved with every link outside held at its
 * level, as if that were a law. Progressive filling: the water rises in all flows of the region
 * together; a link whose capacity is used up stops its flows, a link outside stops those that reach
 * its level. Then the law is checked: a flow whose rate changed may upset a link outside, namely if
 * that was saturated (its flows can share anew) or is now over its capacity. Such links join the
 * region and it is solved again. At the end no law is broken, inside or outside, so the whole is
 * max-min fair; a region that grows to the whole network is the textbook's water-filling.
 *
 * <p>Example: links A, B, C of 10 each, flows AB, B, C. The end of flow B makes B the region. Held
 * by nothing (A is open), AB rises to 10: A carries 10, which it can, C is never looked at.
 *
 * <p>The first region is small: of a flow that ended, its saturated links; of one that began, its
 * saturated links or, if it has none, the one with least room.
 */
final class FairShares {
  /** How far above its capacity rounding may put a link, as a fraction and in bytes per second. */
  private static final double TOLERANCE = 1e-9;

  private static final double TOLERANCE_BYTES_PER_SEC = 1e-6;

  /** Rates closer than this, as a fraction, are the same rate computed in another order. */
  private static final double SAME = 1e-12;

  private final List<Link> region = new ArrayList<>();
  private final List<Bundle> bundles = new ArrayList<>();
  private final List<Bundle> changed = new ArrayList<>();
  private final List<Link> fringe = new ArrayList<>();
  private final IndexedHeap<Link> turns = new IndexedHeap<>();
  private int stamp;
  private int fringeStamp;
  private long bundlesSolved;

  /** Bundles whose rate was computed, over all settlements: the work done. */
  long bundlesSolved() {
    return bundlesSolved;
  }

  /** Links whose level may have changed, valid until the next settlement. */
  List<Link> region() {
    return region;
  }

  /** Bundles whose rate, limit or number of flows has changed, valid until the next settlement. */
  List<Bundle> changed() {
    return changed;
  }

  /**
   * Computes new rates and levels; the caller carries them out.
   *
   * @param upset saturated links that lost a flow or changed capacity
   * @param grown bundles that gained a flow
   */
  void solve(Iterable<Link> upset, Iterable<Bundle> grown) {
    stamp++;
    region.clear();
    bundles.clear();
    upset.forEach(this::enter);
    for (Bundle bundle : grown) {
      if (bundle.flowCount > 0) {
        enterWhereFull(bundle);
      }
    }
    do {
      fill();
    } while (widen());
  }

  private void enterWhereFull(Bundle bundle) {
    Link narrowest = bundle.links[0];
    boolean full = false;
    for (Link link : bundle.links) {
      if (link.isSaturated()) {
        enter(link);
        full = true;
      } else if (link.capacity - link.load < narrowest.capacity - narrowest.load) {
        narrowest = link;
      }
    }
    if (!full) {
      enter(narrowest);
    }
  }

  private void enter(Link link) {
    if (link.stamp == stamp) {
      return;
    }
    link.stamp = stamp;
    region.add(link);
    for (int i = 0; i < link.bundleCount; i++) {
      Bundle bundle = link.bundles[i];
      if (bundle.stamp != stamp) {
        bundle.stamp = stamp;
        bundles.add(bundle);
      }
    }
  }

  private boolean isInside(Link link) {
    return link.stamp == stamp;
  }

  /** Progressive filling of the region. */
  private void fill() {
    for (Link link : region) {
      link.left = link.capacity;
      link.open = 0;
      link.newLevel = Link.OPEN;
    }
    changed.clear();
    bundles.forEach(this::pour);
    for (Link link : region) {
      if (link.open > 0) {
        turns.put(link.turn, link.left / link.open);
      }
    }
    bundlesSolved += bundles.size();
    while (!turns.isEmpty()) {
      Link link = turns.first().owner;
      if (!isInside(link)) {
        turns.remove(link.turn);
        stopHeld(link);
      } else if (link.open == 0) {
        turns.remove(link.turn);
      } else {
        stopAtCapacity(link);
      }
    }
  }

  /** Counts a bundle at its links inside and finds the link outside that holds it lowest. */
  private void pour(Bundle bundle) {
    bundle.isFixed = false;
    int flows = bundle.flowCount;
    Link lowest = null;
    double level = Link.OPEN;
    for (Link link : bundle.links) {
      if (isInside(link)) {
        link.open += flows;
      } else if (link.level < level) {
        level = link.level;
        lowest = link;
      }
    }
    if (lowest != null) {
      bundle.nextHeld = lowest.held;
      lowest.held = bundle;
      if (!lowest.turn.isQueued()) {
        turns.put(lowest.turn, level);
      }
    }
  }

  private void stopHeld(Link outside) {
    for (Bundle bundle = outside.held; bundle != null; bundle = bundle.nextHeld) {
      if (!bundle.isFixed) {
        fix(bundle, outside.level, outside);
      }
    }
    outside.held = null;
  }

  private void stopAtCapacity(Link link) {
    double share = Math.max(0, link.left) / link.open;
    turns.remove(link.turn);
    IndexedHeap.Entry<Link> next = turns.first();
    if (next != null && share > next.key()) {
      turns.put(link.turn, share); // others stopped early and left it more
      return;
    }
    link.newLevel = share;
    for (int i = 0; i < link.bundleCount; i++) {
      if (!link.bundles[i].isFixed) {
        fix(link.bundles[i], share, link);
      }
    }
  }

  private void fix(Bundle bundle, double rate, Link limit) {
    int flows = bundle.flowCount;
    bundle.isFixed = true;
    bundle.newRate = isSame(rate, bundle.rate) ? bundle.rate : rate;
    bundle.newLimit = limit;
    if (bundle.newRate != bundle.rate || limit != bundle.limit || flows != bundle.settledFlows) {
      changed.add(bundle);
    }
    for (Link link : bundle.links) {
      if (isInside(link)) {
        link.left -= flows * rate;
        link.open -= flows;
      }
    }
  }

  private static boolean isSame(double a, double b) {
    return Math.abs(a - b) <= SAME * b;
  }

  /** Takes in the links outside that the new rates upset; false when there are none. */
  private boolean widen() {
    fringeStamp++;
    fringe.clear();
    for (Bundle bundle : changed) {
      double more = bundle.flowCount * bundle.newRate - bundle.load;
      if (more != 0) {
        for (Link link : bundle.links) {
          if (!isInside(link)) {
            addToFringe(link, more);
          }
        }
      }
    }
    int before = region.size();
    for (Link link : fringe) {
      if (link.isSaturated() || isTooMuch(link, link.load + link.more)) {
        enter(link);
      }
    }
    return region.size() > before;
  }

  /** Whether a load is more than a link can carry, rounding aside. */
  static boolean isTooMuch(Link link, double load) {
    return load > link.capacity * (1 + TOLERANCE) + TOLERANCE_BYTES_PER_SEC;
  }

  private void addToFringe(Link link, double more) {
    if (link.fringeStamp != fringeStamp) {
      link.fringeStamp = fringeStamp;
      link.more = 0;
      fringe.add(link);
    }
    link.more += more;
  }
}
