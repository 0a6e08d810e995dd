package org.rackweave.sim.workload;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.rackweave.model.ClusterTopology;

/**
 * Racks whose nodes are busy with work of their own, all but a few, and after a while all but a few
 * others: every writer sees the same free racks.
 */
public final class HotRacks implements Workload {
  private final ClusterTopology topology;
  private final Shape shape;
  private final long seed;

  /**
   * @param free racks without load at a time, fewer than there are
   * @param inBytesPerSec into each node of the other racks
   * @param outBytesPerSec out of each node of the other racks
   * @param stayNanos how long the same racks are free
   * @param durationNanos nothing changes at this moment or later
   */
  public record Shape(
      int free, double inBytesPerSec, double outBytesPerSec, long stayNanos, long durationNanos) {}

  public HotRacks(ClusterTopology topology, Shape shape, SplittableRandom random) {
    if (shape.free() >= topology.rackCount()) {
      throw new IllegalArgumentException(
          shape.free() + " free racks of " + topology.rackCount() + ": none is hot");
    }
    this.topology = topology;
    this.shape = shape;
    this.seed = random.nextLong();
  }

  @Override
  public Stream<StoredFile> storedFiles() {
    return Stream.empty();
  }

  @Override
  public Stream<TimedRequest> requests() {
    SplittableRandom random = new SplittableRandom(seed);
    boolean[][] free = {new boolean[topology.rackCount()]};
    long[] stays = {0};
    Deque<TimedRequest> ahead = new ArrayDeque<>(topology.nodeCount());
    return Streamed.until(
        () -> {
          long at = stays[0] * shape.stayNanos();
          if (ahead.isEmpty() && at < shape.durationNanos()) {
            free[0] = others(free[0], random);
            addLoads(at, free[0], ahead);
            stays[0]++;
          }
          return ahead.poll();
        });
  }

  /** Racks drawn at random, those that were free before only where there are not enough others. */
  private boolean[] others(boolean[] before, SplittableRandom random) {
    boolean[] free = new boolean[before.length];
    int left = shape.free();
    for (boolean again : new boolean[] {false, true}) {
      int[] racks = racksOf(before, again);
      for (int taken = 0; taken < racks.length && left > 0; taken++, left--) {
        int drawn = taken + random.nextInt(racks.length - taken);
        free[racks[drawn]] = true;
        racks[drawn] = racks[taken];
      }
    }
    return free;
  }

  private static int[] racksOf(boolean[] before, boolean wereFree) {
    int[] racks = new int[before.length];
    int count = 0;
    for (int rack = 0; rack < before.length; rack++) {
      if (before[rack] == wereFree) {
        racks[count++] = rack;
      }
    }
    return Arrays.copyOf(racks, count);
  }

  private void addLoads(long at, boolean[] free, Deque<TimedRequest> ahead) {
    for (int node = 0; node < topology.nodeCount(); node++) {
      ahead.add(
          free[topology.rackOf(node)]
              ? new TimedRequest.NodeLoad(at, node, 0, 0)
              : new TimedRequest.NodeLoad(at, node, shape.inBytesPerSec(), shape.outBytesPerSec()));
    }
  }
}
