package org.rackweave.telemetry;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Links in descending order of room, without sorting them: a tournament tree over the keys.
 *
 * <p><b>Goals.</b> The best link in O(log n) after any single key changed; equal keys in random
 * order, each with a chance in proportion to its weight, so that an idle cluster fills evenly.
 *
 * <p><b>Alike is equal</b>, where asked for ({@link #ofAlike}): room is compared in steps of an
 * eighth, which is finer than anybody knows it. Of links with equally much the first that is given
 * is the better of two drawn at random: by old information the best one alone draws everybody to
 * itself, the better of two does not (Mitzenmacher, "How useful is old information?").
 *
 * <p><b>Algorithm.</b> A complete binary tree in two arrays; an inner node holds the larger key of
 * its children and the weight of all leaves that share it. Reading in descending order is a
 * best-first search: keep a frontier of subtrees, take the one with the largest key, descend to a
 * leaf that holds it and leave the siblings on the frontier. The first link costs one descent.
 *
 * <p>Readers take no lock. A reader that races with an update may see a slightly old order, never a
 * wrong link or an endless one: the walk follows the shape of the tree, which does not change. A
 * link whose key is {@link #NEVER} is not offered at all.
 */
public final class BestLinkIndex {
  /** Key of a link that must not be offered. */
  public static final double NEVER = Double.NEGATIVE_INFINITY;

  /** All but the sign, the exponent and three bits of a number: between two steps of it. */
  private static final long WITHIN_A_STEP = (1L << 49) - 1;

  private final int firstLeaf;
  private final double[] key;
  private final int[] weight;

  /** Room of each link; {@code null} where it is its key. */
  private final double[] exact;

  /**
   * @param keys one per link, larger is better
   * @param weights one per link, at least 1; how often it wins a tie
   */
  public BestLinkIndex(double[] keys, int[] weights) {
    this(keys, weights, null);
  }

  /** Links that count as equally good if they have nearly as much room; otherwise as above. */
  public static BestLinkIndex ofAlike(double[] keys, int[] weights) {
    double[] steps = new double[keys.length];
    for (int link = 0; link < keys.length; link++) {
      steps[link] = step(keys[link]);
    }
    return new BestLinkIndex(steps, weights, keys.clone());
  }

  private BestLinkIndex(double[] keys, int[] weights, double[] exact) {
    this.exact = exact;
    firstLeaf = Math.max(1, Integer.highestOneBit(Math.max(1, keys.length * 2 - 1)));
    key = new double[firstLeaf + keys.length + (firstLeaf + keys.length & 1)];
    weight = new int[key.length];
    Arrays.fill(key, NEVER);
    System.arraycopy(keys, 0, key, firstLeaf, keys.length);
    System.arraycopy(weights, 0, weight, firstLeaf, keys.length);
    for (int node = firstLeaf - 1; node > 0; node--) {
      play(node);
    }
  }

  /** The step that room lies on, at most an eighth below it. */
  private static double step(double room) {
    return room == NEVER
        ? NEVER
        : Double.longBitsToDouble(Double.doubleToRawLongBits(room) & ~WITHIN_A_STEP);
  }

  private void play(int node) {
    int left = 2 * node;
    if (left >= key.length) {
      return; // above the padding beyond the last leaf: stays NEVER
    }
    double a = key[left];
    double b = key[left + 1];
    key[node] = Math.max(a, b);
    weight[node] =
        a == b ? weight[left] + weight[left + 1] : a > b ? weight[left] : weight[left + 1];
  }

  /** Current key of a link: its room, or the step this lies on. */
  public double key(int link) {
    return key[firstLeaf + link];
  }

  /** The largest key, {@link #NEVER} when no link may be offered. */
  public double bestKey() {
    return key[1];
  }

  /** The second largest key, {@link #NEVER} when fewer than two links may be offered. */
  public double secondBestKey() {
    double second = NEVER;
    for (int node = 1; node < firstLeaf; ) {
      int left = 2 * node;
      double a = key[left];
      double b = key[left + 1];
      boolean leftWins = a >= b;
      double loser = leftWins ? b : a;
      second = loser > second ? loser : second;
      node = leftWins ? left : left + 1;
    }
    return second;
  }

  /**
   * Changes the room of one link; the caller keeps other changes away meanwhile.
   *
   * <p>Does on the way up what {@link #play} does for every node, but takes the winner so far along
   * instead of reading it back, and stops where nothing changes any more.
   */
  public void update(int link, double room) {
    double newKey = room;
    if (exact != null) {
      exact[link] = room;
      newKey = step(room);
    }
    int node = firstLeaf + link;
    if (key[node] == newKey) {
      return;
    }
    key[node] = newKey;
    double winner = newKey;
    int tied = weight[node];
    while (node > 1) {
      double rival = key[node ^ 1];
      if (winner < rival) {
        winner = rival;
        tied = weight[node ^ 1];
      } else if (winner == rival) {
        tied += weight[node ^ 1];
      }
      node >>= 1;
      if (key[node] == winner && weight[node] == tied) {
        return;
      }
      key[node] = winner;
      weight[node] = tied;
    }
  }

  /** A new walk over the links, best first. */
  public Walk walk(RandomGenerator random) {
    return new Walk(random);
  }

  /** One walk in descending order of room; single-threaded, bounded by the number of links. */
  public final class Walk {
    private final RandomGenerator random;
    private boolean started;
    private int firstNode;

    /** Made for the second link only, since most walks end at their first. */
    private int[] frontier;

    private int size;

    private Walk(RandomGenerator random) {
      this.random = random;
    }

    /** The next best link, or -1 when every link that may be offered has been. */
    public int next() {
      if (!started) {
        return first();
      }
      if (frontier == null) {
        openFrontier();
      }
      int at = bestOnFrontier();
      if (at < 0) {
        return -1;
      }
      int node = frontier[at];
      frontier[at] = frontier[--size];
      while (node < firstLeaf) {
        int winner = winnerBelow(node);
        push(winner ^ 1);
        node = winner;
      }
      return node - firstLeaf;
    }

    private int first() {
      started = true;
      if (key[1] == NEVER) {
        return -1;
      }
      firstNode = oneOfTheBest();
      if (exact != null && weight[1] > weight[firstNode]) {
        int other = oneOfTheBest();
        firstNode = exact[other - firstLeaf] > exact[firstNode - firstLeaf] ? other : firstNode;
      }
      return firstNode - firstLeaf;
    }

    private int oneOfTheBest() {
      int node = 1;
      while (node < firstLeaf) {
        node = winnerBelow(node);
      }
      return node;
    }

    /** What the first descent left aside: the siblings of all it passed. */
    private void openFrontier() {
      frontier = new int[Integer.numberOfTrailingZeros(firstLeaf) + 4];
      for (int node = firstNode; node > 1; node >>= 1) {
        push(node ^ 1);
      }
    }

    /** Key of the link that {@link #next} would give now, {@link #NEVER} at the end. */
    public double peekKey() {
      if (!started) {
        return key[1];
      }
      double best = NEVER;
      if (frontier == null) {
        for (int node = firstNode; node > 1; node >>= 1) {
          best = (node ^ 1) < key.length ? Math.max(best, key[node ^ 1]) : best;
        }
      }
      for (int i = 0; i < size; i++) {
        best = Math.max(best, key[frontier[i]]);
      }
      return best;
    }

    private int bestOnFrontier() {
      int best = -1;
      double bestKey = NEVER;
      int tied = 0;
      for (int i = 0; i < size; i++) {
        double candidate = key[frontier[i]];
        if (candidate > bestKey) {
          best = i;
          bestKey = candidate;
          tied = weight[frontier[i]];
        } else if (candidate == bestKey && candidate != NEVER) {
          int own = weight[frontier[i]];
          tied += own;
          if (random.nextInt(Math.max(1, tied)) < own) {
            best = i;
          }
        }
      }
      return best;
    }

    private int winnerBelow(int node) {
      int left = 2 * node;
      double a = key[left];
      double b = key[left + 1];
      if (a != b) {
        return a > b ? left : left + 1;
      }
      if (a == NEVER) {
        return left; // the leftmost path of a subtree always ends at a real link
      }
      int leftWeight = weight[left];
      int both = Math.max(1, leftWeight + weight[left + 1]);
      return random.nextInt(both) < leftWeight ? left : left + 1;
    }

    private void push(int node) {
      if (node < key.length && key[node] != NEVER) {
        if (size == frontier.length) {
          frontier = Arrays.copyOf(frontier, size * 2);
        }
        frontier[size++] = node;
      }
    }
  }
}
