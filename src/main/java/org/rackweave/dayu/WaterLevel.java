package org.rackweave.dayu;

import java.util.random.RandomGenerator;

/**
 * How many blocks of one size each node should receive so that the last of them is done soonest.
 *
 * <p><b>Goal.</b> The same counts as the greedy algorithm of section 4.1 arrives at, up to equals,
 * without a step for every block. Exact for blocks of one size.
 *
 * <p><b>Algorithm.</b> Give greedy a bandwidth B, a load c and blocks of size s, and the k-th block
 * of a node is done at (c + k s) / B. Greedy takes these moments in rising order over all nodes,
 * whichever block it is asked about. So there is a level such that every node has as many blocks as
 * are done by then, floor((level B - c) / s), and the level is found by bisection. With B = 100 and
 * 50 MB/s and six blocks of 50 MB the level is 2 s, and the nodes get four and two.
 *
 * <p>A rack's link is one more node above its nodes: the rack gets no more than the link carries by
 * the level, and deals that out among its nodes by a lower level of its own. All copies are taken
 * to cross racks.
 *
 * <p>No node or link is given more than it carries in the slot, or than it has room for. O(nodes) a
 * step of the bisection, some forty of them.
 */
final class WaterLevel {
  private static final double ROUNDING = 1e-9;

  private final SlotLoads loads;
  private final RandomGenerator random;
  private final boolean racksNarrow;

  /** Blocks a second, and blocks had already. */
  private final double[] perSec;

  private final double[] had;
  private final int[] max;
  private final double[] rackPerSec;
  private final double[] rackHad;
  private final int[] rackMax;

  /** Nodes whose next block is done at the level. */
  private final int[] tied;

  WaterLevel(SlotLoads loads, RandomGenerator random) {
    this.loads = loads;
    this.random = random;
    int nodes = loads.rackOf.length;
    int racks = loads.topology.rackCount();
    perSec = new double[nodes];
    had = new double[nodes];
    max = new int[nodes];
    tied = new int[Math.max(nodes, racks)];
    rackPerSec = new double[racks];
    rackHad = new double[racks];
    rackMax = new int[racks];
    racksNarrow = racksNarrow();
  }

  /** Whether any rack's link carries less than its nodes. */
  private boolean racksNarrow() {
    for (int rack = 0; rack < rackPerSec.length; rack++) {
      double sum = 0;
      for (int node = first(rack); node < first(rack + 1); node++) {
        sum += loads.snapshot.inBytesPerSec(node);
      }
      if (sum * loads.rackInSecPerByte[rack] > 1) {
        return true;
      }
    }
    return false;
  }

  private int first(int rack) {
    return loads.topology.firstNode(rack);
  }

  /**
   * @param sizeMean size of the blocks on average, bytes
   * @param sizeMax of the largest, which has to fit wherever there is room for one
   * @param storageType they need
   * @param forbiddenRacks racks that get none, as bits; 0 for none
   * @param wanted number of blocks
   * @param counts filled with the blocks of each node
   * @return their sum, less than wanted when no more fit
   */
  int fill(
      double sizeMean,
      double sizeMax,
      int storageType,
      int forbiddenRacks,
      int wanted,
      int[] counts) {
    describeNodes(sizeMean, sizeMax, storageType, forbiddenRacks, wanted);
    if (!racksNarrow) {
      return fill(perSec, had, max, 0, perSec.length, wanted, counts);
    }
    describeRacks(sizeMean, sizeMax, wanted);
    int[] ofRack = new int[rackPerSec.length];
    rackCounts(wanted, ofRack);
    int total = 0;
    for (int rack = 0; rack < ofRack.length; rack++) {
      total += fill(perSec, had, max, first(rack), first(rack + 1), ofRack[rack], counts);
    }
    return total;
  }

  private void describeNodes(
      double sizeMean, double sizeMax, int storageType, int forbiddenRacks, int wanted) {
    for (int node = 0; node < perSec.length; node++) {
      double bandwidth = loads.snapshot.inBytesPerSec(node);
      int rack = loads.rackOf[node];
      boolean forbidden = forbiddenRacks != 0 && (forbiddenRacks >> rack & 1) != 0;
      perSec[node] = bandwidth / sizeMean;
      had[node] = loads.in[node] / sizeMean;
      double inSlot = (bandwidth * loads.slotSec - loads.in[node]) / sizeMax;
      double fits = Math.min(inSlot, Math.floor(loads.freeBytes[storageType][node] / sizeMax));
      max[node] = forbidden ? 0 : atMost(fits, wanted);
    }
  }

  private void describeRacks(double sizeMean, double sizeMax, int wanted) {
    for (int rack = 0; rack < rackPerSec.length; rack++) {
      double secPerByte = loads.rackInSecPerByte[rack];
      rackPerSec[rack] = 1 / (secPerByte * sizeMean);
      rackHad[rack] = secPerByte == 0 ? 0 : loads.rackIn[rack] / sizeMean;
      double fits = (loads.slotSec / secPerByte - loads.rackIn[rack]) / sizeMax;
      rackMax[rack] = secPerByte == 0 ? wanted : atMost(fits, wanted);
    }
  }

  private static int atMost(double fits, int wanted) {
    return fits > 0 ? (int) Math.min(wanted, fits * (1 + ROUNDING) + ROUNDING) : 0;
  }

  /** Blocks done by a moment. */
  private static int done(double sec, double perSec, double had, int max) {
    double blocks = sec * perSec - had;
    return blocks > 0 ? (int) Math.min(max, blocks + ROUNDING) : 0;
  }

  /** Fills nodes {@code from} to {@code to} as if there were no racks. */
  private int fill(
      double[] speed, double[] before, int[] most, int from, int to, int wanted, int[] counts) {
    double low = 0;
    double high = loads.slotSec;
    int atHigh = sum(high, speed, before, most, from, to);
    if (atHigh > wanted) {
      high = firstGuess(speed, before, from, to, wanted);
      for (atHigh = sum(high, speed, before, most, from, to);
          atHigh < wanted;
          atHigh = sum(high, speed, before, most, from, to)) {
        low = high;
        high *= 2;
      }
    }
    while (atHigh > wanted && high - low > high * 1e-13) {
      double middle = (low + high) / 2;
      int atMiddle = sum(middle, speed, before, most, from, to);
      if (atMiddle >= wanted) {
        high = middle;
        atHigh = atMiddle;
      } else {
        low = middle;
      }
    }
    if (atHigh <= wanted) {
      low = high;
    }
    int total = 0;
    int ties = 0;
    for (int i = from; i < to; i++) {
      counts[i] = done(low, speed[i], before[i], most[i]);
      total += counts[i];
      if (done(high, speed[i], before[i], most[i]) > counts[i]) {
        tied[ties++] = i;
      }
    }
    // Of equals not always the first: they may stand in one rack.
    for (int at = ties == 0 ? 0 : random.nextInt(ties), left = ties;
        left > 0 && total < wanted;
        left--, at = (at + 1) % ties) {
      counts[tied[at]]++;
      total++;
    }
    return total;
  }

  private static double firstGuess(double[] speed, double[] before, int from, int to, int wanted) {
    double speeds = 0;
    double all = wanted + 1;
    for (int i = from; i < to; i++) {
      speeds += speed[i];
      all += before[i];
    }
    return all / speeds;
  }

  private static int sum(
      double sec, double[] speed, double[] before, int[] most, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += done(sec, speed[i], before[i], most[i]);
    }
    return (int) Math.min(Integer.MAX_VALUE, sum);
  }

  /** Blocks of each rack by the level at which as many are done as are wanted. */
  private void rackCounts(int wanted, int[] ofRack) {
    double low = 0;
    double high = loads.slotSec;
    if (racksSum(high) > wanted) {
      while (high - low > high * 1e-13) {
        double middle = (low + high) / 2;
        if (racksSum(middle) >= wanted) {
          high = middle;
        } else {
          low = middle;
        }
      }
    } else {
      low = high;
    }
    int total = 0;
    for (int rack = 0; rack < ofRack.length; rack++) {
      ofRack[rack] = doneIn(rack, low);
      total += ofRack[rack];
    }
    for (int rack = 0; rack < ofRack.length && total < wanted; rack++) {
      int more = Math.min(wanted - total, doneIn(rack, high) - ofRack[rack]);
      ofRack[rack] += more;
      total += more;
    }
  }

  private long racksSum(double sec) {
    long sum = 0;
    for (int rack = 0; rack < rackPerSec.length; rack++) {
      sum += doneIn(rack, sec);
    }
    return sum;
  }

  private int doneIn(int rack, double sec) {
    int nodes = sum(sec, perSec, had, max, first(rack), first(rack + 1));
    return loads.rackInSecPerByte[rack] == 0
        ? nodes
        : Math.min(nodes, done(sec, rackPerSec[rack], rackHad[rack], rackMax[rack]));
  }
}
