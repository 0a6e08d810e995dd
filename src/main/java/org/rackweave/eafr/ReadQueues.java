package org.rackweave.eafr;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How many reads each server has under way or waiting, the paper's h: what it reported last, and
 * those sent to it since. Without the latter all readers between two heartbeats would go to the
 * same server. Soft state, four bytes a server. Thread-safe without locks.
 */
public final class ReadQueues {
  private final AtomicIntegerArray reads;

  public ReadQueues(int nodes) {
    reads = new AtomicIntegerArray(nodes);
  }

  /** What a heartbeat says; it takes the place of everything before. */
  public void reported(int node, int concurrent) {
    reads.set(node, Math.max(0, concurrent));
  }

  /** A reader has been sent there. */
  public void sent(int node) {
    reads.incrementAndGet(node);
  }

  public int of(int node) {
    return reads.get(node);
  }
}
