package org.rackweave.eafr;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.rackweave.model.ClusterTopology;
import org.rackweave.model.Require;

/**
 * The chance of each server to get a new replica (section 3.3): its rank by expected transfer speed
 * and its rank by remaining capacity, each weighed as in Eq. 10, mixed as in Eq. 11.
 *
 * <p>Candidates are live hot servers with enough space. The j-th of m has weight (1/j) / (1 + 1/2 +
 * ... + 1/m); equals share the weights of their ranks. Example: three candidates, weights 6/11,
 * 3/11 and 2/11; the fastest one has least capacity, so at beta = 1/2 it gets 1/2 (6/11 + 2/11).
 *
 * <p>Made once for a snapshot in O(n log n); a draw takes O(log n) and allocates nothing.
 * Immutable.
 */
public final class DestinationOdds {
  private final ClusterTopology topology;

  /** Sum of the chances of all nodes before each, and of all at the end. */
  private final double[] running;

  private DestinationOdds(ClusterTopology topology, double[] running) {
    this.topology = topology;
    this.running = running;
  }

  /**
   * Odds at one moment.
   *
   * @param bytesPerSec expected transfer speed to each server, {@link TransferSpeeds#expected}
   * @param beta weight of the speed, in [0, 1]
   * @param neededBytes free space below which a server is no candidate
   */
  public static DestinationOdds of(
      Servers servers, double[] bytesPerSec, double beta, long neededBytes) {
    Require.that(beta >= 0 && beta <= 1, "beta", beta, "[0, 1]");
    int nodes = servers.topology().nodeCount();
    int[] candidates = new int[nodes];
    int count = 0;
    for (int node = 0; node < nodes; node++) {
      if (servers.isLive(node, ServerRole.HOT) && servers.freeBytes(node) >= neededBytes) {
        candidates[count++] = node;
      }
    }
    double[] speeds = new double[count];
    double[] capacities = new double[count];
    for (int i = 0; i < count; i++) {
      speeds[i] = bytesPerSec[candidates[i]];
      capacities[i] = servers.remainingCapacity(candidates[i]);
    }
    double[] bySpeed = weights(speeds);
    double[] byCapacity = weights(capacities);
    double[] running = new double[nodes + 1];
    int next = 0;
    for (int node = 0; node < nodes; node++) {
      double chance = 0;
      if (next < count && candidates[next] == node) {
        chance = beta * bySpeed[next] + (1 - beta) * byCapacity[next]; // Eq. 11
        next++;
      }
      running[node + 1] = running[node] + chance;
    }
    return new DestinationOdds(servers.topology(), running);
  }

  /** Eq. 10 for each value, the greatest first; equal ones share. */
  private static double[] weights(double[] values) {
    int count = values.length;
    long[] order = new long[count];
    for (int i = 0; i < count; i++) {
      order[i] = (long) ~ascending((float) values[i]) << 32 | i;
    }
    Arrays.sort(order);
    double harmonic = 0;
    for (int j = 1; j <= count; j++) {
      harmonic += 1.0 / j;
    }
    double[] weights = new double[count];
    for (int end, start = 0; start < count; start = end) {
      double shared = 0;
      for (end = start; end < count && order[end] >> 32 == order[start] >> 32; end++) {
        shared += 1.0 / (end + 1);
      }
      for (int i = start; i < end; i++) {
        weights[(int) order[i]] = shared / (end - start) / harmonic;
      }
    }
    return weights;
  }

  /** An int that compares as the float does. */
  private static int ascending(float value) {
    int bits = Float.floatToIntBits(value + 0f); // no negative zero
    return bits >= 0 ? bits : bits ^ Integer.MAX_VALUE;
  }

  ClusterTopology topology() {
    return topology;
  }

  /** Chance of a server, 0 for one that is no candidate; all add up to 1 if there is any. */
  public double chance(int node) {
    return running[node + 1] - running[node];
  }

  /** Chances of the nodes from one to before another. */
  double sum(int from, int to) {
    return running[to] - running[from];
  }

  /**
   * Draws one of all nodes but some (Eq. 12).
   *
   * @param gapFrom first of the nodes that are left out
   * @param gapTo the first behind them
   */
  int drawOutside(int gapFrom, int gapTo, RandomGenerator random) {
    int nodes = running.length - 1;
    double before = running[gapFrom];
    double x = random.nextDouble() * (before + running[nodes] - running[gapTo]);
    return x < before ? find(x, 0, gapFrom) : find(x - before + running[gapTo], gapTo, nodes);
  }

  /** Draws one of the nodes from one to before another. */
  int drawIn(int from, int to, RandomGenerator random) {
    return find(running[from] + random.nextDouble() * sum(from, to), from, to);
  }

  /** The node where the running sum passes {@code x}: the last that begins at it or below. */
  private int find(double x, int from, int to) {
    int low = from;
    int high = to;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (running[middle] <= x) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
