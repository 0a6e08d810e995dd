package org.rackweave.cli.demo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class NetworkLinkTest {
  private static final int BYTES_PER_SEC = 1 << 20;
  private static final int TURN_BYTES = 16 << 10;
  private static final double DEPTH_SEC = 0.02;

  private final NetworkLink link = new NetworkLink(BYTES_PER_SEC);

  private static long nanos(double seconds) {
    return (long) (1e9 * seconds);
  }

  @Test
  void bytesTakeAsLongAsTheSpeedWants() {
    long now = nanos(100);
    for (int turn = 1; turn <= 640; turn++) {
      now = Math.max(now, link.reserve(TURN_BYTES, now));
    }
    assertEquals(100 + 10 - DEPTH_SEC, now / 1e9, 1e-3);
    assertEquals(640L * TURN_BYTES, link.passedBytes());
  }

  @Test
  void flowsThatTakeTurnsGetEqualParts() {
    long[] now = {nanos(100), nanos(100), nanos(100)};
    int[] turns = new int[now.length];
    for (int next = 0; now[next] < nanos(110); ) {
      now[next] = Math.max(now[next], link.reserve(TURN_BYTES, now[next]));
      turns[next]++;
      for (int flow = 0; flow < now.length; flow++) {
        next = now[flow] < now[next] ? flow : next;
      }
    }
    for (int flow : turns) {
      assertEquals(640.0 / now.length, flow, 4);
    }
  }

  @Test
  void whoWakesUpLateLosesNothing() {
    long now = nanos(100);
    for (int turn = 1; turn <= 640; turn++) {
      now = Math.max(now, link.reserve(TURN_BYTES, now)) + nanos(0.003);
    }
    assertEquals(110, now / 1e9, DEPTH_SEC + 0.004);
  }

  @Test
  void anIdleLinkSavesNothingUp() {
    link.reserve(TURN_BYTES, nanos(1));
    long due = link.reserve(BYTES_PER_SEC, nanos(1000));
    assertTrue(due >= nanos(1001 - 2 * DEPTH_SEC), () -> "due at " + due);
  }

  @Test
  void bytesWithoutALimitAreCounted() {
    link.pass(7);
    assertEquals(7, link.passedBytes());
    assertTrue(link.reserve(0, nanos(5)) <= nanos(5), "and take no time");
  }
}
