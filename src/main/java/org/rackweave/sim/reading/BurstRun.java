package org.rackweave.sim.reading;

import java.util.SplittableRandom;
import org.rackweave.sim.engine.EventLoop;
import org.rackweave.sim.engine.SimTime;

/**
 * Many readers of a few files at once, none before or after (section 4.1.1, number of replicas):
 * random files with so many replicas each on random servers, and a random replica for each read.
 */
public final class BurstRun {
  private static final long APART_NANOS = 10 * SimTime.NANOS_PER_SEC;
  private static final long EVENTS_MAX = 100_000_000;

  private BurstRun() {}

  /**
   * Runs bursts one after another.
   *
   * @param files read at once
   * @param replicas of each
   * @param readers of each
   * @param times how often, each time with other files
   */
  public static LatencyLog run(
      ServerPark park, int files, int replicas, int readers, int times, SplittableRandom random) {
    EventLoop loop = new EventLoop(EVENTS_MAX);
    ReadPool pool = new ReadPool(loop, park);
    LatencyLog latencies = new LatencyLog(ReadLoad.LATE_NANOS);
    pool.log(latencies);
    for (int time = 0; time < times; time++) {
      for (int file = 0; file < files; file++) {
        int[] holders = random.ints(0, park.servers()).distinct().limit(replicas).toArray();
        for (int i = 0; i < readers; i++) {
          int holder = holders[random.nextInt(replicas)];
          pool.ask(holder, random.nextInt(park.servers()), ReadPool.RESPONSE_BYTES);
        }
      }
      pool.settle();
      loop.runUntil(loop.nowNanos() + APART_NANOS);
    }
    if (pool.fault() != null || pool.ended() != pool.arrived()) {
      throw new IllegalStateException("the simulated world is wrong: " + pool.fault());
    }
    return latencies;
  }
}
