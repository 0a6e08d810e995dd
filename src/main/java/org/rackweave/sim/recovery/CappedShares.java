package org.rackweave.sim.recovery;

import java.util.Arrays;

/**
 * Max-min fair rates of flows that each have a limit of their own.
 *
 * <p><b>Algorithm.</b> A link that could carry all limits together holds nobody back. Flows over
 * the others are raised together; one that reaches its limit stays there; where a link is full its
 * flows stay where they are; until all do (Bertsekas and Gallager, Data Networks, section 6.5.2,
 * with a flow's limit as a link of its own). Links wait in a heap by the level at which they would
 * be full; that only rises while others stop, so a link that comes up with an old level goes back.
 *
 * <p>O(flows), and O(f log f) for the f flows over links that are asked for too much. Scratch is
 * kept from one call to the next. Single-threaded.
 */
final class CappedShares {
  /** A link that is full but for rounding is not asked for too much. */
  private static final double ROUNDING = 1 + 1e-9;

  private final double[] wanted;
  private final double[] left;
  private final int[] open;
  private final boolean[] narrow;
  private final int[] start;
  private int[] flowsOf = {};
  private int[] contended = {};
  private boolean[] done = {};
  private long[] byLimit = {};
  private final int[] heap;
  private final double[] key;
  private int heapSize;

  CappedShares(int links) {
    wanted = new double[links];
    left = new double[links];
    open = new int[links];
    narrow = new boolean[links];
    start = new int[links + 2];
    heap = new int[links];
    key = new double[links];
  }

  /** The flows whose rates are asked for. */
  interface Flows {
    int count();

    /** Bytes per second at most; may be infinite. */
    double limit(int flow);

    /** Number of links of a flow at most. */
    int linksMax();

    /** A link of the flow, or a negative number. */
    int link(int flow, int place);

    /**
     * What a link carries for them, bytes per second; may be infinite.
     *
     * @param wanted all that its flows' limits allow
     */
    double capacity(int link, double wanted);
  }

  /**
   * @param rates filled in for every flow
   * @param capacities filled in for every link
   */
  void solve(Flows flows, double[] rates, double[] capacities) {
    int count = flows.count();
    Arrays.fill(wanted, 0);
    for (int flow = 0; flow < count; flow++) {
      double limit = flows.limit(flow);
      rates[flow] = limit;
      for (int place = 0; place < flows.linksMax(); place++) {
        int link = flows.link(flow, place);
        if (link >= 0) {
          wanted[link] += limit;
        }
      }
    }
    boolean some = false;
    for (int link = 0; link < wanted.length; link++) {
      capacities[link] = flows.capacity(link, wanted[link]);
      narrow[link] = wanted[link] > capacities[link] * ROUNDING;
      some |= narrow[link];
    }
    if (some) {
      share(flows, rates, capacities);
    }
  }

  private void share(Flows flows, double[] rates, double[] capacities) {
    int size = collect(flows);
    listByLink(flows, size);
    System.arraycopy(capacities, 0, left, 0, left.length);
    heapSize = 0;
    for (int link = 0; link < narrow.length; link++) {
      open[link] = start[link + 1] - start[link];
      if (narrow[link] && open[link] > 0) {
        key[link] = Math.max(0, left[link]) / open[link];
        push(link);
      }
    }
    sortByLimit(flows, size);
    int next = 0;
    while (heapSize > 0 || next < size) {
      while (next < size && done[(int) byLimit[2 * next + 1]]) {
        next++;
      }
      settleTop();
      double limit =
          next < size ? Double.longBitsToDouble(byLimit[2 * next]) : Double.POSITIVE_INFINITY;
      if (heapSize > 0 && key[heap[0]] <= limit) {
        fill(flows, pop(), rates);
      } else if (next < size) {
        stop(flows, (int) byLimit[2 * next + 1], limit, rates);
        next++;
      }
    }
  }

  /** Flows over a narrow link; others have their limit. */
  private int collect(Flows flows) {
    int count = flows.count();
    if (contended.length < count) {
      contended = new int[count];
      done = new boolean[count];
      byLimit = new long[2 * count];
    }
    int size = 0;
    for (int flow = 0; flow < count; flow++) {
      boolean held = false;
      for (int place = 0; place < flows.linksMax() && !held; place++) {
        int link = flows.link(flow, place);
        held = link >= 0 && narrow[link];
      }
      done[flow] = !held;
      if (held) {
        contended[size++] = flow;
      }
    }
    return size;
  }

  private void listByLink(Flows flows, int size) {
    Arrays.fill(start, 0);
    for (int i = 0; i < size; i++) {
      for (int place = 0; place < flows.linksMax(); place++) {
        int link = flows.link(contended[i], place);
        if (link >= 0 && narrow[link]) {
          start[link + 2]++;
        }
      }
    }
    for (int link = 2; link < start.length; link++) {
      start[link] += start[link - 1];
    }
    int total = start[start.length - 1];
    if (flowsOf.length < total) {
      flowsOf = new int[total];
    }
    for (int i = 0; i < size; i++) {
      for (int place = 0; place < flows.linksMax(); place++) {
        int link = flows.link(contended[i], place);
        if (link >= 0 && narrow[link]) {
          flowsOf[start[link + 1]++] = contended[i];
        }
      }
    }
  }

  /**
   * Bits of doubles that are not negative sort as the doubles do; infinite limits are no limits.
   */
  private void sortByLimit(Flows flows, int size) {
    double first = flows.limit(contended[0]);
    boolean equal = true;
    for (int i = 0; i < size; i++) {
      double limit = flows.limit(contended[i]);
      byLimit[2 * i] = Double.doubleToRawLongBits(limit);
      byLimit[2 * i + 1] = contended[i];
      equal &= limit == first;
    }
    if (!equal) {
      sortPairs(size);
    }
  }

  private void sortPairs(int size) {
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    long[] pairs = Arrays.copyOf(byLimit, 2 * size);
    Arrays.sort(order, (a, b) -> Long.compare(pairs[2 * a], pairs[2 * b]));
    for (int i = 0; i < size; i++) {
      byLimit[2 * i] = pairs[2 * order[i]];
      byLimit[2 * i + 1] = pairs[2 * order[i] + 1];
    }
  }

  /** A link is full: its flows stay at its level. */
  private void fill(Flows flows, int link, double[] rates) {
    double level = key[link];
    for (int i = start[link]; i < start[link + 1]; i++) {
      if (!done[flowsOf[i]]) {
        stop(flows, flowsOf[i], level, rates);
      }
    }
  }

  private void stop(Flows flows, int flow, double rate, double[] rates) {
    done[flow] = true;
    rates[flow] = rate;
    for (int place = 0; place < flows.linksMax(); place++) {
      int link = flows.link(flow, place);
      if (link >= 0 && narrow[link]) {
        left[link] -= rate;
        open[link]--;
      }
    }
  }

  /** Brings the link that is full first to the top, with the level it has by now. */
  private void settleTop() {
    while (heapSize > 0) {
      int link = heap[0];
      if (open[link] == 0) {
        pop();
        continue;
      }
      double level = Math.max(0, left[link]) / open[link];
      if (level <= key[link]) {
        return;
      }
      key[link] = level;
      sink(0);
      if (heap[0] == link) {
        return;
      }
    }
  }

  private void push(int link) {
    int at = heapSize++;
    while (at > 0 && key[heap[(at - 1) / 2]] > key[link]) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = link;
  }

  private int pop() {
    int top = heap[0];
    heap[0] = heap[--heapSize];
    if (heapSize > 0) {
      sink(0);
    }
    return top;
  }

  private void sink(int from) {
    int at = from;
    int link = heap[at];
    while (2 * at + 1 < heapSize) {
      int child = 2 * at + 1;
      if (child + 1 < heapSize && key[heap[child + 1]] < key[heap[child]]) {
        child++;
      }
      if (key[heap[child]] >= key[link]) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = link;
  }
}
