package org.rackweave.eafr;

import java.util.Arrays;

/**
 * Counts reads of very many things in bounded memory and keeps those that are read most.
 *
 * <p><b>Algorithm</b>: space-saving (Metwally, Agrawal, El Abbadi, ICDT 2005) in sets of eight
 * counters. A key belongs to one set; if it has no counter there, it takes over the one with the
 * fewest reads, and these go on from there. Example in a set of two: reads A A B C leave A at 2 and
 * C at 2, because C took over B's counter at 1.
 *
 * <p><b>Error</b>: {@link #mostReads} is never too low and {@link #sureReads} never too high; they
 * lie apart by no more than the fewest reads of a counter in the key's set, which is at most an
 * eighth of the reads that fell into this set. While a set has a counter to spare both are exact.
 * After intervals have ended, what is forgotten below 1/16 adds up to no more than 1/15 of a read.
 *
 * <p><b>Memory</b>: sixteen bytes a counter, fourteen of one with a rank, nothing per key. A single
 * array of counters in sets needs neither a heap nor links, which is what space-saving's usual
 * forms spend most on.
 *
 * <p>Thread-safe: a set belongs to one of at most 256 stripes, each with a lock of its own. Adding
 * allocates nothing. A counter stands still at 2^24 reads.
 */
final class ReadCounters {
  private static final int WAYS = 8;
  private static final int STRIPES_MAX = 256;

  /** Below this a counter is given back: nobody has read the thing for many intervals. */
  private static final float FORGOTTEN = 1 / 16f;

  /** Hears of one counter. */
  @FunctionalInterface
  interface Visitor {
    /**
     * @param rank the highest that the key's reads were given less 1 % at most, never above them
     */
    void visit(long key, double rank);
  }

  private final Stripe[] stripes;
  private final int setsPerStripe;

  /**
   * @param counters at least so many, positive
   * @param isRanked whether each has a rank; otherwise expected reads are counted beside others
   */
  ReadCounters(int counters, boolean isRanked) {
    int sets = Math.max(1, (counters + WAYS - 1) / WAYS);
    stripes = new Stripe[Math.min(STRIPES_MAX, Integer.highestOneBit(sets))];
    setsPerStripe = (sets + stripes.length - 1) / stripes.length;
    Arrays.setAll(stripes, i -> new Stripe(setsPerStripe * WAYS, isRanked));
  }

  /** Counters there are. */
  int capacity() {
    return stripes.length * setsPerStripe * WAYS;
  }

  /** What they take: a key, a count, and the rank or the reads to come. */
  long bytes() {
    boolean isRanked = stripes[0].ranks != null;
    return (long) capacity() * (Long.BYTES + Float.BYTES + (isRanked ? Short.BYTES : Float.BYTES));
  }

  /** Counts reads, and returns how many the key has had at most. */
  float add(long key, float reads) {
    return add(key, reads, 0);
  }

  /**
   * The same where counters are ranked.
   *
   * @param rank kept when it is higher than what is left of earlier ones; fades as reads do
   */
  float add(long key, float reads, float rank) {
    long hash = mix(key);
    return stripeOf(hash).add(key, setOf(hash), reads, rank);
  }

  /** Counts reads to come, which are the same as those that are counted when they have come. */
  void expect(long key, float reads) {
    long hash = mix(key);
    stripeOf(hash).expect(key, setOf(hash), reads);
  }

  /** How many more reads of a key were expected than have come, at least 0. */
  double yetToCome(long key) {
    long hash = mix(key);
    return stripeOf(hash).yetToCome(key, setOf(hash));
  }

  /** Reads that a key has had at least. */
  double sureReads(long key) {
    long hash = mix(key);
    return stripeOf(hash).sureReads(key, setOf(hash));
  }

  /** Reads that a key has had at most, or that were expected of it where these are more. */
  double mostReads(long key) {
    long hash = mix(key);
    return stripeOf(hash).mostReads(key, setOf(hash));
  }

  /** Keeps a part of all reads: an interval has ended. One stripe is locked at a time. */
  void decay(float kept) {
    for (Stripe stripe : stripes) {
      stripe.decay(kept);
    }
  }

  /** How far apart the two answers for a key can be at most, over all keys. */
  double errorBound() {
    double bound = 0;
    for (Stripe stripe : stripes) {
      bound = Math.max(bound, stripe.errorBound());
    }
    return bound;
  }

  /** Shows every ranked counter in use, a stripe at a time; the visitor must not come back here. */
  void forEachRanked(Visitor visitor) {
    for (Stripe stripe : stripes) {
      stripe.forEachRanked(visitor);
    }
  }

  private Stripe stripeOf(long hash) {
    return stripes[(int) (hash >>> 48) & (stripes.length - 1)];
  }

  private int setOf(long hash) {
    return (int) ((hash & 0xffff_ffffL) * setsPerStripe >>> 32) * WAYS;
  }

  /** Spreads keys that differ in few bits, as consecutive ids do. */
  static long mix(long key) {
    long mixed = (key ^ key >>> 32) * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 29) * 0xd6e8feb86659fd93L;
    return mixed ^ mixed >>> 32;
  }

  /** Some sets and their lock. A counter without reads is free. */
  private static final class Stripe {
    private final long[] keys;
    private final float[] counts;

    /** The upper halves of floats, rounded down by less than 1 %; {@code null} without ranks. */
    private final short[] ranks;

    /** {@code null} with ranks. */
    private final float[] expected;

    Stripe(int counters, boolean isRanked) {
      keys = new long[counters];
      counts = new float[counters];
      ranks = isRanked ? new short[counters] : null;
      expected = isRanked ? null : new float[counters];
    }

    synchronized float add(long key, int set, float reads, float rank) {
      int at = find(key, set);
      boolean isNew = at < 0;
      if (isNew) {
        at = takeOver(key, set);
      }
      counts[at] += reads;
      if (ranks != null) {
        ranks[at] = half(isNew ? rank : Math.max(rankAt(at), rank));
      }
      return counts[at];
    }

    synchronized void expect(long key, int set, float reads) {
      int at = find(key, set);
      if (at < 0) {
        at = takeOver(key, set);
      }
      expected[at] += reads;
    }

    private static short half(float rank) {
      return (short) (Float.floatToRawIntBits(rank) >>> Short.SIZE);
    }

    private float rankAt(int at) {
      return Float.intBitsToFloat(ranks[at] << Short.SIZE);
    }

    private int takeOver(long key, int set) {
      int at = least(set);
      keys[at] = key;
      counts[at] = most(at);
      if (expected != null) {
        expected[at] = counts[at];
      }
      return at;
    }

    private float most(int at) {
      return expected == null ? counts[at] : Math.max(counts[at], expected[at]);
    }

    private int find(long key, int set) {
      for (int i = set; i < set + WAYS; i++) {
        if (keys[i] == key && most(i) > 0) {
          return i;
        }
      }
      return -1;
    }

    private int least(int set) {
      int least = set;
      for (int i = set + 1; i < set + WAYS; i++) {
        if (most(i) < most(least)) {
          least = i;
        }
      }
      return least;
    }

    synchronized double sureReads(long key, int set) {
      int at = find(key, set);
      return at < 0 ? 0 : Math.max(0, counts[at] - most(least(set)));
    }

    synchronized double mostReads(long key, int set) {
      int at = find(key, set);
      return most(at < 0 ? least(set) : at);
    }

    synchronized double yetToCome(long key, int set) {
      int at = find(key, set);
      return at < 0 ? 0 : most(at) - counts[at];
    }

    synchronized void decay(float kept) {
      for (int i = 0; i < counts.length; i++) {
        float left = most(i) * kept < FORGOTTEN ? 0 : kept;
        counts[i] *= left;
        if (ranks != null) {
          ranks[i] = half(left * rankAt(i));
        } else {
          expected[i] *= left;
        }
      }
    }

    synchronized double errorBound() {
      float bound = 0;
      for (int set = 0; set < counts.length; set += WAYS) {
        bound = Math.max(bound, most(least(set)));
      }
      return bound;
    }

    synchronized void forEachRanked(Visitor visitor) {
      for (int i = 0; i < counts.length; i++) {
        if (counts[i] > 0) {
          visitor.visit(keys[i], Math.min(rankAt(i), counts[i]));
        }
      }
    }
  }
}
