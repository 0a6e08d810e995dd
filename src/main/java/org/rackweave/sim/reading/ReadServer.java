package org.rackweave.sim.reading;

import java.util.Arrays;

/**
 * One server's reads: up to its places at a time, each with an equal part of the link; the others
 * wait in the order of their arrival (section 4).
 *
 * <p>All reads being served have received the same number of bytes since any moment at which both
 * were, so each ends at a fixed mark of one counter, and what happens next is a division.
 *
 * <p>Example: two places, 100 B/s, three reads of 100 B at once. The first two end after 2 s, the
 * third after 3 s.
 */
final class ReadServer {
  /** Bytes by which rounding may make a read look unfinished. */
  private static final double TOLERANCE_BYTES = 0.01;

  private static final double NANOS_PER_SEC = 1e9;
  private static final int LEAST_ROOM = 16;

  private final int places;
  private final double bytesPerSec;
  private final double responseBytes;
  private final Listener listener;

  private double counterBytes;
  private long sinceNanos;

  /** Reads being served, by the mark at which they end. */
  private final double[] endsAt;

  private final long[] asked;
  private final boolean[] hasAnswered;
  private int serving;

  /** Reads that wait, in a ring. */
  private long[] waitingAsked = new long[LEAST_ROOM];

  private double[] waitingBytes = new double[LEAST_ROOM];
  private int head;
  private int waiting;

  private long ended;

  /** Hears of responses. */
  @FunctionalInterface
  interface Listener {
    /**
     * @param askedNanos as given when the read arrived
     * @param answeredNanos when the first bytes were there
     */
    void answered(long askedNanos, long answeredNanos);
  }

  /**
   * @param places reads served at a time, at least 1
   * @param responseBytes what a reader takes for the response; a longer read is answered when, at
   *     the rate it begins with, so much is there
   */
  ReadServer(int places, double bytesPerSec, double responseBytes, Listener listener) {
    this.places = places;
    this.bytesPerSec = bytesPerSec;
    this.responseBytes = responseBytes;
    this.listener = listener;
    endsAt = new double[places];
    asked = new long[places];
    hasAnswered = new boolean[places];
  }

  /**
   * A read arrives.
   *
   * @param askedNanos told to the listener
   */
  void arrive(long nowNanos, long askedNanos, double sizeBytes) {
    advance(nowNanos);
    if (serving < places) {
      begin(nowNanos, askedNanos, sizeBytes);
      return;
    }
    if (waiting == waitingAsked.length) {
      grow();
    }
    int tail = (head + waiting++) % waitingAsked.length;
    waitingAsked[tail] = askedNanos;
    waitingBytes[tail] = sizeBytes;
  }

  private void grow() {
    int room = waitingAsked.length;
    long[] moreAsked = new long[room * 2];
    double[] moreBytes = new double[room * 2];
    for (int i = 0; i < room; i++) {
      moreAsked[i] = waitingAsked[(head + i) % room];
      moreBytes[i] = waitingBytes[(head + i) % room];
    }
    waitingAsked = moreAsked;
    waitingBytes = moreBytes;
    head = 0;
  }

  private void begin(long nowNanos, long askedNanos, double sizeBytes) {
    double mark = counterBytes + sizeBytes;
    int at = serving++;
    for (; at > 0 && endsAt[at - 1] > mark; at--) {
      endsAt[at] = endsAt[at - 1];
      asked[at] = asked[at - 1];
      hasAnswered[at] = hasAnswered[at - 1];
    }
    endsAt[at] = mark;
    asked[at] = askedNanos;
    hasAnswered[at] = sizeBytes > responseBytes;
    if (hasAnswered[at]) {
      long response = Math.round(serving * responseBytes / bytesPerSec * NANOS_PER_SEC);
      listener.answered(askedNanos, nowNanos + response);
    }
  }

  private void advance(long nowNanos) {
    if (serving > 0) {
      counterBytes += (nowNanos - sinceNanos) * bytesPerSec / serving / NANOS_PER_SEC;
    } else {
      counterBytes = 0;
    }
    sinceNanos = nowNanos;
  }

  /** Ends what has come to its end, and begins what waited for it. */
  void settle(long nowNanos) {
    advance(nowNanos);
    int done = 0;
    while (done < serving && endsAt[done] <= counterBytes + TOLERANCE_BYTES) {
      if (!hasAnswered[done]) {
        listener.answered(asked[done], nowNanos);
      }
      done++;
    }
    if (done > 0) {
      ended += done;
      serving -= done;
      System.arraycopy(endsAt, done, endsAt, 0, serving);
      System.arraycopy(asked, done, asked, 0, serving);
      System.arraycopy(hasAnswered, done, hasAnswered, 0, serving);
      while (waiting > 0 && serving < places) {
        begin(nowNanos, waitingAsked[head], waitingBytes[head]);
        head = (head + 1) % waitingAsked.length;
        waiting--;
      }
    }
  }

  /** When the next read ends, if none arrives before; {@code Long.MAX_VALUE} when there is none. */
  long nextEndNanos() {
    if (serving == 0) {
      return Long.MAX_VALUE;
    }
    double left = Math.max(0, endsAt[0] - counterBytes);
    return sinceNanos + (long) Math.ceil(left * serving / bytesPerSec * NANOS_PER_SEC);
  }

  int places() {
    return places;
  }

  int serving() {
    return serving;
  }

  int waiting() {
    return waiting;
  }

  /** Reads served to their end. */
  long ended() {
    return ended;
  }

  /** What is wrong, or {@code null}. */
  String fault() {
    if (serving > places) {
      return serving + " reads at " + places + " places";
    }
    if (waiting > 0 && serving < places) {
      return waiting + " reads wait at a server with " + (places - serving) + " places free";
    }
    return null;
  }

  @Override
  public String toString() {
    return serving + " of " + places + " " + Arrays.toString(Arrays.copyOf(endsAt, serving));
  }
}
