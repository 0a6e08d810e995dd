package org.rackweave.hdfs.hook;

import static org.apache.hadoop.test.MetricsAsserts.getLongGauge;
import static org.apache.hadoop.test.MetricsAsserts.getMetrics;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.util.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.rackweave.hdfs.namenode.RackCluster;

class HookTimerTest {
  private static final long LATE_MS = 61_000;

  private final HookTimer timer = new HookTimer("rackweave-test");

  @AfterEach
  void close() {
    timer.closeNow();
  }

  @Test
  void ticksAgainWhateverATickThrows() {
    Throwable[] thrown = {
      new IllegalStateException(),
      new NoClassDefFoundError(),
      new OutOfMemoryError("none really"),
      new StackOverflowError(),
      new AssertionError()
    };
    AtomicInteger ticks = new AtomicInteger();
    long before = HookGuard.failures(Hook.EAFR);
    timer.every(
        Hook.EAFR,
        1,
        () -> {
          int tick = ticks.getAndIncrement();
          if (tick < thrown.length) {
            HookTimerTest.<RuntimeException>sneak(thrown[tick]);
          }
        });
    RackCluster.await("a tick after the last fault", () -> ticks.get() > thrown.length);
    assertEquals(thrown.length, HookGuard.failures(Hook.EAFR) - before);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  /** Hadoop's own handler halts the process. */
  @Test
  void tellsTheProcessThatThereIsNoMemory() {
    AtomicReference<Throwable> told = new AtomicReference<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    OutOfMemoryError error = new OutOfMemoryError("none really");
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> told.set(thrown));
    try {
      timer.every(
          Hook.EAFR,
          60_000,
          () -> {
            throw error;
          });
      RackCluster.await("the process is told", () -> told.get() != null);
      assertSame(error, told.get());
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }

  @Test
  void letsGoOfWhatATickThatHangsHolds() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    AtomicInteger letGo = new AtomicInteger();
    timer.every(
        Hook.EAFR,
        10,
        () -> {
          begun.countDown();
          hangs.await();
        },
        letGo::incrementAndGet);
    assertTrue(begun.await(1, TimeUnit.MINUTES));
    long told = HookWatchdog.told();
    HookWatchdog.look(Time.monotonicNow());
    assertEquals(0, letGo.get(), "it is not late yet");

    synchronized (HookWatchdog.class) { // whose own looks would see in between that it is not late
      HookWatchdog.look(Time.monotonicNow() + LATE_MS);
      HookWatchdog.look(Time.monotonicNow() + LATE_MS);
    }

    assertEquals(1, letGo.get());
    assertTrue(HookWatchdog.told() > told);
    hangs.countDown();
  }

  @Test
  void gaugesTellWhichTimerDoesNotTickAndHowManyDoNot() throws Exception {
    HookTimer other = new HookTimer("rackweave-test-other");
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    try {
      other.every(Hook.REPORTS, 10, () -> {}); // so that the watchdog is there before
      long lateBefore = getLongGauge("TimersLate", gauges(LATE_MS));
      assertEquals(0, getLongGauge("TickAgeMsEafr", gauges(LATE_MS)), "there is none");
      timer.every(
          Hook.EAFR,
          10,
          () -> {
            begun.countDown();
            hangs.await();
          });
      assertTrue(begun.await(1, TimeUnit.MINUTES));

      assertTrue(getLongGauge("TickAgeMsEafr", gauges(0)) < LATE_MS);
      assertTrue(getLongGauge("TickAgeMsEafr", gauges(LATE_MS)) >= LATE_MS);
      assertEquals(lateBefore + 1, getLongGauge("TimersLate", gauges(LATE_MS)));
      assertTrue(getLongGauge("TimersLate", gauges(0)) < lateBefore + 1);
    } finally {
      hangs.countDown();
      other.closeNow();
    }
  }

  private static MetricsRecordBuilder gauges(long laterMs) {
    return getMetrics(new HookMetrics(() -> Time.monotonicNow() + laterMs));
  }

  @Test
  void aTimerThatAlwaysFailsIsLate() {
    AtomicInteger ticks = new AtomicInteger();
    AtomicInteger letGo = new AtomicInteger();
    timer.every(
        Hook.EAFR,
        1,
        () -> {
          ticks.incrementAndGet();
          throw new IllegalStateException("always");
        },
        letGo::incrementAndGet);
    RackCluster.await("some ticks", () -> ticks.get() > 3);
    HookWatchdog.look(Time.monotonicNow() + LATE_MS);
    assertEquals(1, letGo.get());
  }

  @Test
  void noThreadIsLeftWhenTheLastTimerEnds() {
    timer.every(Hook.EAFR, 10, () -> {});
    assertTrue(isAlive("rackweave-watchdog"));
    timer.close();
    RackCluster.await("no thread", () -> !isAlive("rackweave-test"));
    RackCluster.await("no watchdog", () -> !isAlive("rackweave-watchdog"));
  }

  private static boolean isAlive(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.isAlive() && thread.getName().equals(name));
  }

  @Test
  void anInterruptIsKeptAndNoFailure() {
    long before = HookGuard.failures(Hook.EAFR);
    assertFalse(
        HookGuard.run(
            Hook.EAFR,
            () -> {
              throw new InterruptedException();
            }));
    assertTrue(Thread.interrupted());
    assertEquals(before, HookGuard.failures(Hook.EAFR));
  }
}
