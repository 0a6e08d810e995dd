package org.rackweave.sim.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LatencyLogTest {
  @Test
  void quantilesAreRightToAHundredth() {
    SplittableRandom random = new SplittableRandom(6);
    LatencyLog log = new LatencyLog(10_000_000);
    long[] all = new long[5000];
    for (int i = 0; i < all.length; i++) {
      all[i] = (long) Math.exp(random.nextDouble() * 20 + 7);
      log.add(all[i]);
    }
    double late = Arrays.stream(all).filter(nanos -> nanos > 10_000_000).count();
    assertEquals(late / all.length, log.lateShare());
    assertEquals(Arrays.stream(all).average().orElseThrow() / 1e6, log.meanMs(), 1e-6);
    Arrays.sort(all);
    for (double fraction : new double[] {0.01, 0.5, 0.99}) {
      double exact = all[(int) Math.ceil(fraction * all.length) - 1] / 1e6;
      assertEquals(exact, log.quantileMs(fraction), 0.01 * exact);
    }
  }
}
