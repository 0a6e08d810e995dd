package org.rackweave.sim.reading;

import java.util.function.LongConsumer;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;

/**
 * Replicas on their way, one after another into each server, at its link's speed. That they take
 * from reads is left out: {@link CopyRun} is about that.
 */
final class CopyLanes {
  private final EventLoop loop;
  private final ReplicaMap replicas;
  private final double bytesPerSec;
  private final long[] freeAtNanos;
  private final long[] underWay;

  CopyLanes(EventLoop loop, ReplicaMap replicas, double bytesPerSec) {
    this.loop = loop;
    this.replicas = replicas;
    this.bytesPerSec = bytesPerSec;
    freeAtNanos = new long[replicas.servers()];
    underWay = new long[replicas.servers()];
  }

  /**
   * Sends a replica, which takes its room at once.
   *
   * @param whenThere hears how long the copy itself took, in nanoseconds
   */
  void copy(int file, int to, LongConsumer whenThere) {
    replicas.reserve(file, to);
    long size = replicas.sizeBytes(file);
    underWay[to] += size;
    long nanos = Math.max(1, SimTime.ofSeconds(size / bytesPerSec));
    long start = Math.max(loop.nowNanos(), freeAtNanos[to]);
    freeAtNanos[to] = start + nanos;
    loop.at(
        freeAtNanos[to],
        () -> {
          underWay[to] -= size;
          replicas.add(file, to);
          whenThere.accept(nanos);
        });
  }

  boolean isBusy(int server) {
    return underWay[server] > 0;
  }

  long[] underWayBytes() {
    return underWay.clone();
  }
}
