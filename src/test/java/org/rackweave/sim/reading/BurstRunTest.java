package org.rackweave.sim.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Section 4.1.1, number of replicas. */
class BurstRunTest {
  private static ServerPark park(int places) {
    int[] all = new int[20];
    Arrays.fill(all, places);
    return new ServerPark(ServerPark.topology(2, 10), all, new long[20], 65_536_000);
  }

  @Test
  void readersOfOneReplicaWaitInRounds() {
    // One millisecond a read: ten at once end after 10 ms, the next ten after 20; up to 0.5 more.
    LatencyLog log = BurstRun.run(park(10), 1, 1, 20, 1, new SplittableRandom(1));
    assertEquals(20, log.count());
    assertEquals(15, log.meanMs(), 0.5);
    assertEquals(20, log.quantileMs(1), 0.6);
    assertTrue(log.lateShare() >= 0.5);
  }

  @Test
  void moreReplicasAreFaster() {
    double before = Double.MAX_VALUE;
    for (int replicas = 2; replicas <= 7; replicas++) {
      double mean = BurstRun.run(park(10), 2, replicas, 60, 50, new SplittableRandom(5)).meanMs();
      assertTrue(mean < before, replicas + " replicas: " + mean + " after " + before);
      before = mean;
    }
  }
}
