package org.rackweave.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ReadQueuesTest {
  private static final long BEAT_MS = 3000;

  private final ReadQueues queues = new ReadQueues(2);
  private long nowMs = 5_000_000_000L; // more than an int

  private void send(int reads) {
    for (int i = 0; i < reads; i++) {
      queues.sent(0, nowMs);
    }
  }

  /** So many reports that averages are what they say, with so many reads sent between two. */
  private void learns(int underWay, int sent) {
    for (int i = 0; i < 60; i++) {
      nowMs += BEAT_MS;
      send(sent);
      queues.reported(0, underWay, BEAT_MS, nowMs);
    }
  }

  private void assertQueue(double reads) {
    assertEquals(reads, queues.of(0, nowMs), 0.01);
  }

  @Test
  void whatIsSentCountsUntilItIsReported() {
    queues.reported(0, 2, 0, nowMs);
    send(3);
    assertQueue(5);
    assertEquals(0, queues.of(1, nowMs));
    queues.reported(0, 1, BEAT_MS, nowMs);
    assertQueue(1);
  }

  @Test
  void nothingIsServedAsLongAsNothingIsKnown() {
    queues.reported(0, 7, 0, nowMs);
    nowMs += 60_000;
    assertQueue(7);
  }

  /** 6 under way, 12 a second: half a second each. */
  @Test
  void aReadCountsForAsLongAsOneTakes() {
    learns(6, 36);
    assertQueue(6);
    nowMs += 500;
    assertQueue(6 / 2.5); // 1 / (1 + 1 + 1/2), where e^-1 is 1 / 2.72
    send(2);
    assertQueue(2 + 6 / 2.5);
    nowMs += 8000;
    assertTrue(queues.of(0, nowMs) < 0.05);
  }

  @Test
  void whoNeverHasReadsWhenItReportsServesThemAtOnce() {
    learns(0, 5);
    send(10);
    assertQueue(10);
    nowMs += 1;
    assertQueue(0);
  }

  @Test
  void whoServesNothingKeepsItsQueue() {
    queues.reported(0, 6, 0, nowMs);
    learns(6, 0);
    nowMs += 60_000;
    assertQueue(6);
  }

  /** It hangs: HDFS counts it as alive for ten minutes, and readers must not flock there. */
  @Test
  void whoIsSilentIsNotBelievedToServe() {
    learns(6, 36);
    queues.silent(0);
    nowMs += 300_000;
    assertQueue(6);
    send(20);
    nowMs += 60_000;
    assertQueue(26);
    queues.reported(0, 6, BEAT_MS, nowMs);
    nowMs += 8000;
    assertTrue(queues.of(0, nowMs) < 1, "it is back");
  }

  /** Those who have read for days come and go, and nobody sends them. */
  @Test
  void readersThatWereNotSentDoNotMakeAServerFast() {
    for (int i = 0; i < 100; i++) {
      nowMs += BEAT_MS;
      queues.reported(0, i % 2 == 0 ? 40 : 60, BEAT_MS, nowMs);
    }
    nowMs += BEAT_MS;
    assertEquals(60, queues.of(0, nowMs), 6);
  }

  @Test
  void whatStockHeartbeatsCountMakesAQueueAndNoOverload() {
    queues.counted(0, 60, nowMs);
    assertQueue(60);
    assertEquals(0, queues.reportedOf(0, nowMs));
  }

  /** Readers may read more than they were sent for, and agents may tell anything. */
  @Test
  void reportsThatCannotBeAreBorne() {
    queues.reported(0, -5, BEAT_MS, nowMs);
    assertQueue(0);
    queues.reported(0, Integer.MAX_VALUE, BEAT_MS, nowMs);
    send(1000);
    assertTrue(queues.of(0, nowMs) > 100_000);
    assertTrue(queues.of(0, nowMs - 1000) > 100_000, "a clock read before");
    queues.reported(0, 3, BEAT_MS, nowMs);
    nowMs += 5L * Integer.MAX_VALUE;
    assertTrue(queues.of(0, nowMs) <= 3);
  }
}
