package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  private static final long MB = 1_000_000;

  private final VirtualClock clock = new VirtualClock();

  private void pass(Throttle throttle, long bytes) {
    throttle.pass(bytes, () -> {});
  }

  @Test
  void partsTakeAsLongAsTheRateWants() {
    Throttle throttle = new Throttle(10 * MB, clock);
    for (int part = 0; part < 30; part++) {
      pass(throttle, 2 * MB);
    }
    assertEquals(6000, clock.ms());
  }

  /** Whatever reading itself takes. */
  @Test
  void inNoSpanOfTimeMoreIsReadThanTheRateAllows() {
    long seed = 20261122;
    SplittableRandom random = new SplittableRandom(seed);
    Throttle throttle = new Throttle(10 * MB, clock);
    long[] atMs = new long[200];
    long[] bytes = new long[atMs.length];
    for (int part = 0; part < atMs.length; part++) {
      clock.passMs(random.nextInt(500));
      bytes[part] = random.nextLong(3 * MB);
      pass(throttle, bytes[part]);
      atMs[part] = clock.ms();
    }
    for (int from = 0; from < atMs.length; from++) {
      long read = 0;
      for (int to = from + 1; to < atMs.length; to++) {
        read += bytes[to];
        long allowed = (atMs[to] - atMs[from] + 1) * 10 * MB / 1000;
        assertTrue(read <= allowed, "seed " + seed + ", parts " + from + " to " + to);
      }
    }
  }

  @Test
  void whoIsSlowerAnywayDoesNotWait() {
    Throttle throttle = new Throttle(10 * MB, clock);
    for (int part = 0; part < 10; part++) {
      clock.passMs(300);
      pass(throttle, 2 * MB);
    }
    assertEquals(3000, clock.ms());
  }

  @Test
  void theLowestRateComesToAnEndAndIsHeardOfMeanwhile() {
    AtomicInteger heard = new AtomicInteger();
    new Throttle(1, clock).pass(3600, heard::incrementAndGet);
    assertEquals(TimeUnit.HOURS.toMillis(1), clock.ms());
    assertEquals(360, heard.get());
  }

  @Test
  void doesNotHoldUpATaskThatIsBrokenOff() {
    Throttle throttle = new Throttle(1, Throttle.Clock.SYSTEM);
    Thread.currentThread().interrupt();
    throttle.pass(3600, () -> {});
    assertTrue(Thread.interrupted(), "whoever it works for has to see that");
  }
}
