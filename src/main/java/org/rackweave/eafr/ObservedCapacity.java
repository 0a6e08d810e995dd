package org.rackweave.eafr;

import java.util.Arrays;
import org.rackweave.model.Require;

/**
 * The service capacity of servers nobody configured it for, never less than what is assumed of all.
 *
 * <p><b>Algorithm.</b> A queue is no capacity: what counts is how much more is sent to more
 * readers. What a server sends to about as many readers as are assumed is kept. One that sends k
 * times that to n readers serves k times the assumed reads, at most n; one that sends less to more
 * readers than are assumed is believed to be slower, within some reports. Example: 15 are assumed,
 * 15 readers got 100 MB/s; 60 readers who get 300 MB/s make the capacity 45, and 90 who get 80 MB/s
 * bring it back to 15.
 *
 * <p>A heuristic: the paper measures capacities beforehand. Bytes are those of the server's link:
 * what it receives counts as not sent to readers, since HDFS passes on what is written; other
 * traffic cannot be told apart. A server that was never seen with about the assumed readers, or
 * with more, counts as the assumed one, which makes it look overloaded early rather than late. What
 * was seen fades, the bytes only when they are seen anew. Soft state, some forty bytes a server.
 * Thread-safe.
 */
public final class ObservedCapacity {
  /** Weight of a report that says less than was believed; one window of slow readers is none. */
  private static final float FALLING = 0.25f;

  private static final int UNKNOWN = -1;

  /** What was seen of one server. */
  private static final class Seen {
    float capacity;
    int readers = UNKNOWN;

    /** Most bytes per second to about the assumed readers, before this interval and in it. */
    float sent;

    float sentNow;

    Seen(int assumed) {
      capacity = assumed;
    }
  }

  private final int assumed;
  private final float kept;
  private Seen[] seen;

  /**
   * @param assumed concurrent reads any server can serve, at least 1
   * @param kept part of what was seen that an interval leaves, in [0, 1]
   */
  public ObservedCapacity(int nodes, int assumed, double kept) {
    Require.atLeast("assumed service capacity", assumed, 1);
    Require.that(kept >= 0 && kept <= 1, "kept part of a peak", kept, "[0, 1]");
    this.assumed = assumed;
    this.kept = (float) kept;
    seen = new Seen[nodes];
    Arrays.setAll(seen, node -> new Seen(assumed));
  }

  /**
   * A server has reported.
   *
   * @param readers that it has now
   * @param sent bytes per second since its last report
   * @param received bytes per second since then
   */
  public synchronized void observed(int node, int readers, double sent, double received) {
    Seen one = seen[node];
    int fewest = Math.min(one.readers, readers);
    int most = Math.max(one.readers, readers);
    one.readers = readers;
    if (most <= assumed && 2L * fewest >= assumed) {
      one.sentNow = Math.max(one.sentNow, (float) sent);
    }
    float reference = Math.max(one.sent, one.sentNow);
    if (fewest > assumed && reference > 0) {
      double toReaders = Math.max(0, sent - received);
      float served = (float) Math.max(assumed, Math.min(fewest, assumed * toReaders / reference));
      if (served > one.capacity) {
        one.capacity = served;
      } else if (served < fewest) {
        one.capacity += FALLING * (served - one.capacity);
      }
    }
  }

  /** A server has reported, and what it has sent since its last report is not known. */
  public synchronized void observed(int node, int readers) {
    seen[node].readers = readers;
  }

  /** An interval is over. */
  public synchronized void endInterval() {
    for (Seen one : seen) {
      one.capacity = assumed + kept * (one.capacity - assumed);
      if (one.sentNow > 0) {
        one.sent = Math.max(one.sentNow, kept * one.sent);
        one.sentNow = 0;
      }
    }
  }

  /**
   * The cluster has changed.
   *
   * @param oldNumbers of each server that is there now its number before, -1 for a new one
   */
  public synchronized void renumber(int[] oldNumbers) {
    Seen[] renumbered = new Seen[oldNumbers.length];
    Arrays.setAll(
        renumbered, node -> oldNumbers[node] < 0 ? new Seen(assumed) : seen[oldNumbers[node]]);
    seen = renumbered;
  }

  public synchronized int of(int node) {
    return (int) seen[node].capacity;
  }
}
