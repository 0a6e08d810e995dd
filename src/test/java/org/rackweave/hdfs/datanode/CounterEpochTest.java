package org.rackweave.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CounterEpochTest {
  private long wallMs = 1_700_000_000_000L;
  private long monotonicMs = 5_000;
  private final CounterEpoch epoch = new CounterEpoch(() -> wallMs, () -> monotonicMs);

  @Test
  void countsMonotonicTimeSinceTheFirstSample() {
    epoch.advance(sample("eth0", 1, 1, 1));
    assertEquals(1_700_000_000_000L, epoch.epochMs());
    assertEquals(0, epoch.uptimeMs());
    wallMs = 5;
    monotonicMs += 3_000;
    epoch.advance(sample("eth0", 1, 1, 1));
    assertEquals(1_700_000_000_000L, epoch.epochMs());
    assertEquals(3_000, epoch.uptimeMs());
  }

  @Test
  void growsStrictlyWhenTwoSamplesFallInOneMillisecond() {
    epoch.advance(sample("eth0", 1, 1, 1));
    epoch.advance(sample("eth0", 2, 1, 1));
    assertEquals(1, epoch.uptimeMs());
    epoch.advance(sample("eth0", 3, 1, 1));
    assertEquals(2, epoch.uptimeMs());
  }

  @Test
  void startsOverWhenAnyCounterWentBack() {
    assertStartsOver(sample("eth0", 9, 10, 10));
    assertStartsOver(sample("eth0", 10, 9, 10));
    assertStartsOver(sample("eth0", 10, 10, 9));
  }

  @Test
  void startsOverWhenAnotherLinkIsCounted() {
    assertStartsOver(sample("eth1", 10, 10, 10));
  }

  @Test
  void differsFromEarlierEpochsWhenTheClockWasSetBack() {
    epoch.advance(sample("eth0", 10, 10, 10));
    long first = epoch.epochMs();
    wallMs -= 1_000_000;
    epoch.advance(sample("eth0", 1, 1, 1));
    assertEquals(first + 1, epoch.epochMs());
  }

  @Test
  void copesWithAClockBefore1970() {
    wallMs = -5;
    epoch.advance(sample("eth0", 1, 1, 1));
    assertTrue(epoch.epochMs() >= 0);
  }

  private void assertStartsOver(LinkSample next) {
    wallMs += 1_000_000;
    epoch.advance(sample("eth0", 10, 10, 10));
    long before = epoch.epochMs();
    wallMs += 1_000;
    monotonicMs += 1_000;
    epoch.advance(next);
    assertEquals(0, epoch.uptimeMs());
    assertTrue(epoch.epochMs() > before);
  }

  private static LinkSample sample(String link, long rx, long tx, long disk) {
    return new LinkSample(link, rx, tx, 0, disk, 0, 0, 0);
  }
}
