package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

class LinkMeterTest {
  private static final double MB = 1e6;
  private static final int TICK_MS = 200;

  private final LinkMeter meter = new LinkMeter();
  private double nowMs = 12_345;
  private double rxBytes = 1e9;
  private double txBytes = 2e9;
  private double blockBytes = 3e9;

  /** Traffic flows at rates, sampled at the end. */
  private LinkMeterTest run(double ms, double rx, double tx, double blocks) {
    nowMs += ms;
    rxBytes += rx * ms / 1000;
    txBytes += tx * ms / 1000;
    blockBytes += blocks * ms / 1000;
    meter.sample(nanos(), counters("eth0"));
    return this;
  }

  private LinkMeterTest sampled(double seconds, double rx, double tx, double blocks) {
    for (double ms = 0; ms < 1000 * seconds - 1; ms += TICK_MS) {
      run(TICK_MS, rx, tx, blocks);
    }
    return this;
  }

  private long nanos() {
    return Math.round(nowMs * 1e6);
  }

  private LinkCounters counters(String link) {
    return new LinkCounters(link, (long) rxBytes, (long) txBytes, (long) blockBytes, 0);
  }

  private LinkRates rates() {
    return meter.rates().orElseThrow();
  }

  @Test
  void givesNoRatesBeforeTwoSamples() {
    assertEquals(Optional.empty(), meter.rates());
    run(0, 0, 0, 0);
    assertEquals(Optional.empty(), meter.rates());
    run(TICK_MS, 100 * MB, 50 * MB, 30 * MB);
    assertEquals(100 * MB, rates().rx(), 10);
    assertEquals(50 * MB, rates().tx(), 10);
    assertEquals(70 * MB, rates().othersRx(), 10);
    assertEquals(30 * MB, rates().blocksRx(), 10);
    assertEquals(100 * MB, rates().rxMean(), 10);
    assertEquals(50 * MB, rates().txMean(), 10);
    assertEquals(0, rates().rxTrend());
    assertTrue(rates().tellsBlocksApart());
  }

  @Test
  void seesAStepUpToNineTenthsWithinASecond() {
    for (double before : new double[] {0, 1 * MB, 20 * MB}) {
      sampled(10, before, before, 0);
      sampled(1, 100 * MB, 100 * MB, 0);
      double least = before + 0.9 * (100 * MB - before);
      assertTrue(rates().rx() >= least, "received " + rates().rx());
      assertTrue(rates().tx() >= least, "sent " + rates().tx());
      assertTrue(rates().rx() <= 100 * MB);
    }
  }

  @Test
  void seesAStepDownToNineTenthsWithinFiveSeconds() {
    for (double after : new double[] {0, 1 * MB, 20 * MB}) {
      sampled(10, 100 * MB, 100 * MB, 0);
      sampled(1.4, after, after, 0);
      assertTrue(rates().rx() > 50 * MB, "half of it lasts 1.5 s");
      sampled(3.6, after, after, 0);
      double most = after + 0.1 * (100 * MB - after);
      assertTrue(rates().rx() <= most, "received " + rates().rx());
      assertTrue(rates().tx() <= most, "sent " + rates().tx());
      assertTrue(rates().rx() >= after);
    }
  }

  /** Any moments do, as long as they include those at which the traffic changes. */
  @Test
  void doesNotDependOnHowOftenItIsSampled() {
    long seed = System.nanoTime();
    System.out.println("samples of a link, seed " + seed);
    Random random = MixedRandom.of(seed);
    for (int run = 0; run < 200; run++) {
      LinkMeterTest often = new LinkMeterTest();
      LinkMeterTest seldom = new LinkMeterTest();
      often.run(0, 0, 0, 0);
      seldom.run(0, 0, 0, 0);
      for (int stretch = 0; stretch < 20; stretch++) {
        double ms = 200 + random.nextInt(3_000);
        double rx = MB * (1 + random.nextInt(100));
        double tx = MB * (1 + random.nextInt(100));
        double blocks = rx * random.nextDouble();
        often.sampledAtRandom(ms, rx, tx, blocks, 40, random);
        seldom.sampledAtRandom(ms, rx, tx, blocks, 600, random);
        assertClose(often.rates(), seldom.rates(), seed);
      }
    }
  }

  private void sampledAtRandom(
      double ms, double rx, double tx, double blocks, int apartMs, Random random) {
    double left = ms;
    while (left > 0) {
      double next = 20 + random.nextInt(apartMs);
      next = left - next < 20 ? left : next;
      run(next, rx, tx, blocks);
      left -= next;
    }
  }

  private static void assertClose(LinkRates one, LinkRates other, long seed) {
    double[][] pairs = {
      {one.rx(), other.rx()},
      {one.tx(), other.tx()},
      {one.othersRx(), other.othersRx()},
      {one.blocksRx(), other.blocksRx()}
    };
    for (double[] pair : pairs) {
      assertEquals(pair[0], pair[1], 1_000, () -> "bytes/s; seed " + seed);
    }
  }

  /** A sample falls anywhere: it sees one interval's worth of change late. */
  @Test
  void followsAWaveAlikeAtAnyPeriodUpToItsResolution() {
    DoubleUnaryOperator wave = sec -> 50 * MB + 40 * MB * Math.sin(2 * Math.PI * sec / 10);
    LinkRates[] found = new LinkRates[3];
    int[] periodsMs = {50, 100, 200};
    for (int i = 0; i < found.length; i++) {
      LinkMeterTest sampler = new LinkMeterTest();
      for (int ms = 0; ms < 23_000; ms += periodsMs[i]) {
        double middleSec = (ms + periodsMs[i] / 2.0) / 1000;
        sampler.run(periodsMs[i], wave.applyAsDouble(middleSec), 1, 1);
      }
      found[i] = sampler.rates();
    }
    assertEquals(found[0].rx(), found[1].rx(), 2 * MB);
    assertEquals(found[0].rx(), found[2].rx(), 2 * MB);
    assertEquals(found[0].rxMean(), found[2].rxMean(), 0.5 * MB);
    assertEquals(found[0].rxTrend(), found[2].rxTrend(), 1 * MB);
  }

  @Test
  void takesTheMeanOfTheTimeInWhichNobodySampled() {
    sampled(5, 20 * MB, 20 * MB, 0);
    run(10_000, 30 * MB, 10 * MB, 0);
    assertEquals(30 * MB, rates().rx(), 1_000);
    assertTrue(rates().tx() >= 10 * MB && rates().tx() < 10.2 * MB, "sent " + rates().tx());
    assertEquals(30 * MB, rates().rxMean(), 1_000);
    run(TICK_MS, 30 * MB, 10 * MB, 0);
    assertEquals(30 * MB, rates().rx(), 1_000);
    assertEquals(0, rates().rxTrend(), 1_000);
  }

  /** As some network cards do it. */
  @Test
  void seesNoPeaksInCountersThatMoveOnceASecond() {
    run(0, 0, 0, 0);
    for (int second = 0; second < 20; second++) {
      for (int tick = 0; tick < 4; tick++) {
        run(TICK_MS, 0, 0, 0);
      }
      rxBytes += 20 * MB;
      txBytes += 10 * MB;
      run(TICK_MS, 0, 0, 0);
      if (second > 12) {
        assertEquals(20 * MB, rates().rx(), 1 * MB);
        assertEquals(10 * MB, rates().tx(), 0.5 * MB);
        assertEquals(20 * MB, rates().rxMean(), 0.1 * MB);
      }
    }
  }

  @Test
  void beginsAnewWhenACounterWentBackOrTheLinkIsAnother() {
    sampled(3, 100 * MB, 100 * MB, 50 * MB);
    rxBytes = 5;
    run(TICK_MS, 0, 0, 0);
    assertEquals(Optional.empty(), meter.rates());
    run(TICK_MS, 7 * MB, 0, 0);
    assertEquals(7 * MB, rates().rx(), 10);
    assertEquals(7 * MB, rates().rxMean(), 10);
    nowMs += TICK_MS;
    meter.sample(nanos(), counters("eth1"));
    assertEquals(Optional.empty(), meter.rates());
    nowMs += TICK_MS;
    meter.sample(nanos(), counters("eth1"));
    assertEquals(0, rates().rx());
    meter.restart();
    assertEquals(Optional.empty(), meter.rates());
  }

  @Test
  void beginsAnewWhenBlocksAreToldApartFromNowOn() {
    LinkCounters before =
        new LinkCounters("eth0", 0, 0, LinkCounters.UNKNOWN, LinkCounters.UNKNOWN);
    meter.sample(0, before);
    meter.sample(
        200_000_000,
        new LinkCounters("eth0", 2_000_000, 0, LinkCounters.UNKNOWN, LinkCounters.UNKNOWN));
    assertFalse(rates().tellsBlocksApart());
    assertEquals(10 * MB, rates().othersRx(), 1, "all that is received");
    assertEquals(LinkRates.UNKNOWN, meter.othersBytesPerSec());
    meter.sample(400_000_000, new LinkCounters("eth0", 4_000_000, 0, 9_000_000, 0));
    assertEquals(Optional.empty(), meter.rates());
  }

  @Test
  void tellsWhatOthersSendAndReceiveFromBlocks() {
    meter.sample(0, new LinkCounters("eth0", 0, 0, 0, 0));
    meter.sample(1_000_000_000, new LinkCounters("eth0", 9_000, 8_000, 3_000, 500));
    assertEquals(7_500, meter.othersBytesPerSec(), 1e-6);
    assertEquals(7_500, meter.othersLastMeasured(), 1e-6);
    meter.sample(2_000_000_000, new LinkCounters("eth0", 18_000, 9_000, 4_000, 9_500));
    assertEquals(8_000, meter.othersLastMeasured(), 1e-6, "received, and no less than nothing");
  }

  /** A read of the clock may come before another's although its counters came after. */
  @Test
  void passesOverSamplesThatAreNotLater() {
    sampled(3, 10 * MB, 10 * MB, 0);
    LinkRates before = rates();
    meter.sample(nanos() - 5, counters("eth0"));
    meter.sample(nanos() + 5, counters("eth0"));
    assertEquals(before, rates());
  }

  @Test
  void tellsTheMeanOfTheLastSecondAndHowItChanged() {
    sampled(3, 10 * MB, 40 * MB, 0);
    assertEquals(10 * MB, rates().rxMean(), 10);
    assertEquals(0, rates().rxTrend(), 10);
    sampled(1, 30 * MB, 15 * MB, 0);
    assertEquals(30 * MB, rates().rxMean(), 10);
    assertEquals(20 * MB, rates().rxTrend(), 10);
    assertEquals(-25 * MB, rates().txTrend(), 10);
    sampled(0.4, 50 * MB, 15 * MB, 0);
    assertEquals(0.4 * 50 * MB + 0.6 * 30 * MB, rates().rxMean(), 10);
  }

  @Test
  void keepsTwoSecondsHoweverOftenItIsSampled() {
    run(0, 0, 0, 0);
    for (int i = 0; i < 100; i++) {
      run(20, 10 * MB, 10 * MB, 0);
    }
    for (int i = 0; i < 50; i++) {
      run(20, 40 * MB, 10 * MB, 0);
    }
    assertEquals(40 * MB, rates().rxMean(), 10);
    assertEquals(30 * MB, rates().rxTrend(), 10);
  }
}
