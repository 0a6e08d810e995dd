package org.rackweave.telemetry;

/**
 * Two cumulative counters as they were in the last seconds, for means of stretches of time that end
 * now. Between two moments kept, a counter is taken to have grown evenly.
 *
 * <p>Fixed memory, however often counters are added: moments closer than {@value #LEAST_APART_MS}
 * ms share a place, and the oldest gives way.
 */
final class RecentBytes {
  private static final int LEAST_APART_MS = 100;
  private static final long LEAST_APART_NANOS = LEAST_APART_MS * 1_000_000L;

  /** Places: two seconds and more at their closest, for the newest may be nearer. */
  private static final int PLACES = 24;

  private final long[] nanos = new long[PLACES];
  private final long[] rxBytes = new long[PLACES];
  private final long[] txBytes = new long[PLACES];
  private int newest;
  private int known;

  void clear() {
    known = 0;
  }

  /** Takes the counters at a later moment than all before. */
  void add(long atNanos, long rx, long tx) {
    boolean isNear = known > 1 && nanos[newest] - nanos[before(newest)] < LEAST_APART_NANOS;
    if (!isNear) {
      newest = (newest + 1) % PLACES;
      known = Math.min(PLACES, known + 1);
    }
    nanos[newest] = atNanos;
    rxBytes[newest] = rx;
    txBytes[newest] = tx;
  }

  /** When counters were added last. */
  long nowNanos() {
    return nanos[newest];
  }

  /** Since when counters are kept, before now. */
  long knownNanos() {
    return nanos[newest] - nanos[oldest()];
  }

  /** Bytes received in a stretch of time that ends now; at most in what is known. */
  double rxSince(long beforeNanos) {
    return since(rxBytes, beforeNanos);
  }

  /** Bytes sent in a stretch of time that ends now; at most in what is known. */
  double txSince(long beforeNanos) {
    return since(txBytes, beforeNanos);
  }

  private double since(long[] bytes, long beforeNanos) {
    long fromNanos = nanos[newest] - beforeNanos;
    int later = newest;
    for (int i = 1; i < known; i++) {
      int at = before(later);
      if (nanos[at] <= fromNanos) {
        double share = (double) (nanos[later] - fromNanos) / (nanos[later] - nanos[at]);
        return bytes[newest] - bytes[later] + share * (bytes[later] - bytes[at]);
      }
      later = at;
    }
    return bytes[newest] - bytes[later];
  }

  private int oldest() {
    return Math.floorMod(newest - known + 1, PLACES);
  }

  private static int before(int place) {
    return Math.floorMod(place - 1, PLACES);
  }
}
