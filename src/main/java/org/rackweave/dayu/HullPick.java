package org.rackweave.dayu;

import java.util.Arrays;

/**
 * The paper's dynamic lower hull with buckets (section 4.1, figure 3). A node is a point (B, c),
 * and the node with least (s + c) / B is where a line from (0, -s) that is turned upwards from
 * below first meets the points; that is a corner of their lower hull. Bandwidths are put in
 * buckets, and of each bucket only the lowest node is looked at.
 *
 * <p>Exact when no two nodes share a bucket. A task costs a binary search on the hull, O(log
 * buckets), and the repair of the hull between the neighbours of the node that got it. Where rules
 * or a rack's link forbid the corner found, all nodes are looked at.
 */
final class HullPick implements NodePick {
  private static final int NONE = SlotLoads.NONE;

  private final SlotLoads loads;
  private final DestinationRules rules;
  private final ScanPick scan;

  /** Nodes by bucket, those of one bucket as a heap with the lowest on top. */
  private final int[] heap;

  private final int[] bucketStart;
  private final int[] bucketOf;

  /** Buckets whose lowest node is a corner, by rising bandwidth. */
  private final int[] hull;

  private int corners;
  private final int[] mended;

  /**
   * @param bucketBytesPerSec width of a bucket; the paper has 1 MB/s
   */
  HullPick(SlotLoads loads, DestinationRules rules, double bucketBytesPerSec) {
    this.loads = loads;
    this.rules = rules;
    scan = new ScanPick(loads, rules);
    RecoverySnapshot snapshot = loads.snapshot;
    double[] widths = new double[loads.rackOf.length];
    for (int node = 0; node < widths.length; node++) {
      boolean takes = snapshot.acceptsReplicas(node) && snapshot.inBytesPerSec(node) > 0;
      widths[node] =
          takes ? Math.floor(snapshot.inBytesPerSec(node) / bucketBytesPerSec) : Double.NaN;
    }
    double[] distinct =
        Arrays.stream(widths).filter(width -> !Double.isNaN(width)).sorted().distinct().toArray();
    bucketOf = new int[widths.length];
    bucketStart = new int[distinct.length + 1];
    for (int node = 0; node < widths.length; node++) {
      boolean takes = !Double.isNaN(widths[node]);
      bucketOf[node] = takes ? Arrays.binarySearch(distinct, widths[node]) : NONE;
      if (takes) {
        bucketStart[bucketOf[node] + 1]++;
      }
    }
    Offsets.sum(bucketStart);
    heap = new int[bucketStart[distinct.length]];
    int[] next = bucketStart.clone();
    for (int node = 0; node < widths.length; node++) {
      if (bucketOf[node] != NONE) {
        heap[next[bucketOf[node]]++] = node;
      }
    }
    for (int bucket = 0; bucket < distinct.length; bucket++) {
      for (int at = (bucketStart[bucket + 1] - bucketStart[bucket]) / 2; at >= 0; at--) {
        sink(bucket, at);
      }
    }
    hull = new int[distinct.length];
    mended = new int[distinct.length];
    corners = chain(0, distinct.length, 0);
    System.arraycopy(mended, 0, hull, 0, corners);
  }

  private int lowest(int bucket) {
    return heap[bucketStart[bucket]];
  }

  private double load(int bucket) {
    return loads.in[lowest(bucket)];
  }

  private double bandwidth(int bucket) {
    return loads.snapshot.inBytesPerSec(lowest(bucket));
  }

  @Override
  public int source(int task) {
    return loads.leastUsedSource(task);
  }

  @Override
  public int destination(int task, int source) {
    if (corners == 0) {
      return NONE;
    }
    double size = loads.bytes[task];
    int low = 0;
    int high = corners - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sec(hull[middle + 1], size) < sec(hull[middle], size)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    int node = lowest(hull[low]);
    boolean takes = rules.admits(task, node) && loads.fitsSlot(loads.inSec(source, node, size));
    return takes ? node : scan.destination(task, source);
  }

  /** The slope of the line from (0, -s). */
  private double sec(int bucket, double size) {
    int node = lowest(bucket);
    return (size + loads.in[node]) * loads.inSecPerByte[node];
  }

  @Override
  public void placed(int destination) {
    int bucket = bucketOf[destination];
    int at = bucketStart[bucket];
    while (heap[at] != destination) {
      at++;
    }
    boolean wasLowest = at == bucketStart[bucket];
    sink(bucket, at - bucketStart[bucket]);
    if (wasLowest) {
      mend(bucket);
    }
  }

  /** A corner moved up: it may leave the hull and those between its neighbours may join. */
  private void mend(int bucket) {
    int at = Arrays.binarySearch(hull, 0, corners, bucket);
    if (at < 0) {
      return;
    }
    int left = at == 0 ? 0 : hull[at - 1];
    int right = at == corners - 1 ? bucketStart.length - 2 : hull[at + 1];
    int first = at == 0 ? 0 : at - 1;
    int last = at == corners - 1 ? at : at + 1;
    int size = chain(left, right + 1, 0);
    System.arraycopy(hull, last + 1, hull, first + size, corners - last - 1);
    System.arraycopy(mended, 0, hull, first, size);
    corners += size - (last - first + 1);
  }

  /** The lower hull of buckets {@code from} to {@code to}, into {@link #mended}. */
  private int chain(int from, int to, int size) {
    int top = size;
    for (int bucket = from; bucket < to; bucket++) {
      while (top >= 2 && !turnsLeft(mended[top - 2], mended[top - 1], bucket)) {
        top--;
      }
      mended[top++] = bucket;
    }
    return top;
  }

  private boolean turnsLeft(int a, int b, int c) {
    double abX = bandwidth(b) - bandwidth(a);
    double abY = load(b) - load(a);
    double acX = bandwidth(c) - bandwidth(a);
    double acY = load(c) - load(a);
    return abX * acY - abY * acX > 0;
  }

  private void sink(int bucket, int from) {
    int start = bucketStart[bucket];
    int size = bucketStart[bucket + 1] - start;
    int at = from;
    int node = size > 0 ? heap[start + at] : NONE;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && isLower(heap[start + child + 1], heap[start + child])) {
        child++;
      }
      if (!isLower(heap[start + child], node)) {
        break;
      }
      heap[start + at] = heap[start + child];
      at = child;
    }
    if (size > 0) {
      heap[start + at] = node;
    }
  }

  private boolean isLower(int a, int b) {
    return loads.in[a] < loads.in[b] || loads.in[a] == loads.in[b] && a < b;
  }
}
