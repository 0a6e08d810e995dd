package org.rackweave.sim.network;

/** Looks at every flow and link for what would not be max-min fair. */
final class FairnessAudit {
  /** Rounding allowed, as a fraction of a rate and in bytes per second. */
  private static final double TOLERANCE = 1e-6;

  private final Link[] links;

  FairnessAudit(Link[] links) {
    this.links = links;
  }

  /** The first thing wrong, or {@code null}. */
  String fault() {
    for (Link link : links) {
      double sum = 0;
      for (int i = 0; i < link.bundleCount; i++) {
        Bundle bundle = link.bundles[i];
        sum += bundle.flowCount * bundle.rate;
        if (!hasLimit(bundle)) {
          return bundle.path + " at " + bundle.rate + " B/s could be given more";
        }
      }
      if (Math.abs(sum - link.load) > slack(link)) {
        return "link " + link.id + " carries " + sum + " B/s and counts " + link.load;
      }
      if (sum > link.capacity + slack(link)) {
        return "link " + link.id + " of " + link.capacity + " B/s carries " + sum;
      }
    }
    return null;
  }

  /** Whether a full link is crossed where no flow has more. */
  private static boolean hasLimit(Bundle bundle) {
    for (Link link : bundle.links) {
      if (link.load >= link.capacity - slack(link) && bundle.rate >= most(link)) {
        return true;
      }
    }
    return false;
  }

  private static double slack(Link link) {
    return TOLERANCE * (1 + link.capacity);
  }

  private static double most(Link link) {
    double most = 0;
    for (int i = 0; i < link.bundleCount; i++) {
      most = Math.max(most, link.bundles[i].rate);
    }
    return most * (1 - TOLERANCE);
  }
}
