package org.rackweave.eafr;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How many reads each server has under way or waiting, the paper's h: what it reported last and
 * those sent to it since, each until the server has served it, by the time it takes.
 *
 * <p>Without the reads sent since, all readers between two heartbeats would go to the same server;
 * and if they counted until the next heartbeat, one that has served all of them would get none (C3,
 * NSDI 2015, section 3.1, counts what is outstanding so).
 *
 * <p>How long a read takes follows from the reports by Little's law: reads under way on average,
 * over reads served a second, which are those reported before and sent since less those that are
 * reported now. Example: 6 are under way whenever a server reports, 36 are sent between two reports
 * of three seconds; 12 are served a second, so that each takes half a second. Readers who were not
 * sent from here, or who stay, make that less than nothing: then all that was reported counts.
 *
 * <p>Of a {@linkplain #silent silent} server nothing is believed to be served: one that hangs must
 * not look idle.
 *
 * <p>Soft state, 32 bytes a server. {@link #reported} is for one thread, the rest is thread-safe
 * without locks.
 */
public final class ReadQueues {
  /** Nobody has more; agents may tell anything. */
  private static final int MOST = 1 << 20;

  /** Weight of a report in both averages. */
  private static final float WEIGHT = 0.2f;

  /** Of each server its reads as a float in the upper half, and in the lower when that was so. */
  private final AtomicLongArray queues;

  private final AtomicIntegerArray sent;
  private final int[] reported;
  private final float[] underWay;
  private final float[] servedPerMs;

  /** Of each server what part of its reads ends in a millisecond; 0 where that is not known. */
  private final float[] endingPerMs;

  public ReadQueues(int nodes) {
    queues = new AtomicLongArray(nodes);
    sent = new AtomicIntegerArray(nodes);
    reported = new int[nodes];
    underWay = new float[nodes];
    servedPerMs = new float[nodes];
    endingPerMs = new float[nodes];
  }

  /**
   * What a heartbeat says; it takes the place of everything before.
   *
   * @param sinceMs time since the server's report before; 0 when there was none
   * @param nowMs monotonic time, as everywhere here
   */
  public void reported(int node, int concurrent, long sinceMs, long nowMs) {
    int now = Math.min(Math.max(0, concurrent), MOST);
    int served = reported[node] + sent.getAndSet(node, 0) - now;
    if (sinceMs > 0) {
      underWay[node] += WEIGHT * (now - underWay[node]);
      servedPerMs[node] += WEIGHT * ((float) served / sinceMs - servedPerMs[node]);
    }
    endingPerMs[node] = servedPerMs[node] <= 0 ? 0 : servedPerMs[node] / underWay[node];
    reported[node] = now;
    queues.set(node, packed(now, nowMs));
  }

  /**
   * What a stock heartbeat counts, writes among them: it makes a queue like others' reads, and does
   * not tell whether the server is overloaded.
   */
  public void counted(int node, int transfers, long nowMs) {
    reported(node, transfers, 0, nowMs);
    reported[node] = 0;
  }

  /** A server has not reported for some heartbeats. */
  public void silent(int node) {
    endingPerMs[node] = 0;
  }

  /** A reader has been sent there. */
  public void sent(int node, long nowMs) {
    sent.incrementAndGet(node);
    long before;
    do {
      before = queues.get(node);
    } while (!queues.compareAndSet(
        node, before, packed(Math.min(MOST, left(node, before, nowMs) + 1), nowMs)));
  }

  /** Reads under way and waiting. */
  public float of(int node, long nowMs) {
    return left(node, queues.get(node), nowMs);
  }

  /** Those of the last report that are left. */
  float reportedOf(int node, long nowMs) {
    return Math.min(of(node, nowMs), reported[node]);
  }

  private float left(int node, long queue, long nowMs) {
    float reads = Float.intBitsToFloat((int) (queue >>> Integer.SIZE));
    int sinceMs = (int) nowMs - (int) queue;
    float ending = endingPerMs[node];
    if (sinceMs <= 0 || ending == 0) {
      return reads;
    }
    float times = sinceMs * ending; // as long as a read takes
    return reads / (1 + times + times * times / 2); // about e^-times
  }

  private static long packed(float reads, long nowMs) {
    return (long) Float.floatToRawIntBits(reads) << Integer.SIZE | nowMs & 0xFFFF_FFFFL;
  }
}
