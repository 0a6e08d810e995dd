package org.rackweave.sim.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Section 4: "new coming file requests will be put into a waiting queue". */
class ReadServerTest {
  private static final long SECOND = 1_000_000_000L;
  private static final double ANY_SIZE = 1e18;

  private final List<Long> answers = new ArrayList<>();

  private ReadServer server(int places, double bytesPerSec, double responseBytes) {
    return new ReadServer(
        places, bytesPerSec, responseBytes, (asked, answered) -> answers.add(answered));
  }

  private static void runUntilIdle(ReadServer server) {
    while (server.nextEndNanos() != Long.MAX_VALUE) {
      server.settle(server.nextEndNanos());
    }
  }

  @Test
  void sharesTheLinkAndLetsTheOthersWait() {
    ReadServer server = server(2, 100, ANY_SIZE);
    for (int i = 0; i < 3; i++) {
      server.arrive(0, 0, 100);
    }
    assertEquals(2, server.serving());
    assertEquals(1, server.waiting());
    runUntilIdle(server);
    assertEquals(List.of(2 * SECOND, 2 * SECOND, 3 * SECOND), answers);
    assertEquals(3, server.ended());
  }

  @Test
  void aLongReadIsAnsweredWithItsFirstBytes() {
    ReadServer server = server(1, 100, 10);
    server.arrive(0, 0, 1000);
    server.arrive(SECOND, SECOND, 1000);
    assertEquals(List.of(SECOND / 10), answers);
    runUntilIdle(server);
    assertEquals(List.of(SECOND / 10, 10 * SECOND + SECOND / 10), answers);
  }

  @Test
  void aShortReadOvertakesALongOne() {
    ReadServer server = server(2, 100, ANY_SIZE);
    server.arrive(0, 0, 1000);
    server.arrive(0, 0, 100);
    runUntilIdle(server);
    assertEquals(List.of(2 * SECOND, 11 * SECOND), answers);
  }

  @Test
  void endsEveryReadWhenTheTextbookDoes() {
    long seed = 20_260_101;
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 3000; round++) {
      int places = 1 + random.nextInt(4);
      double bytesPerSec = 50 + random.nextInt(100);
      List<TextbookServer.Asked> reads = new ArrayList<>();
      double at = 0;
      int count = 1 + random.nextInt(12);
      for (int i = 0; i < count; i++) {
        at += random.nextInt(3) == 0 ? 0 : random.nextDouble() * 3;
        reads.add(new TextbookServer.Asked(at, 1 + random.nextInt(300)));
      }
      double[] expected = TextbookServer.ends(places, bytesPerSec, reads);
      double[] seen = ends(places, bytesPerSec, reads);
      assertEquals(expected.length, seen.length, "round " + round);
      for (int i = 0; i < seen.length; i++) {
        assertEquals(expected[i], seen[i], 1e-3, "round " + round + ", read " + i + " " + reads);
      }
    }
  }

  /** The read's number stands for the moment it was asked at. */
  private static double[] ends(int places, double bytesPerSec, List<TextbookServer.Asked> reads) {
    double[] ends = new double[reads.size()];
    Arrays.fill(ends, Double.NaN);
    ReadServer server =
        new ReadServer(
            places,
            bytesPerSec,
            ANY_SIZE,
            (number, answered) -> {
              assertEquals(Double.NaN, ends[(int) number], "answered once");
              ends[(int) number] = answered / 1e9;
            });
    for (int i = 0; i < ends.length; i++) {
      long now = Math.round(reads.get(i).atSec() * SECOND);
      while (server.nextEndNanos() <= now) {
        server.settle(server.nextEndNanos());
      }
      server.arrive(now, i, reads.get(i).sizeBytes());
      assertNull(server.fault());
    }
    while (server.nextEndNanos() != Long.MAX_VALUE) {
      server.settle(server.nextEndNanos());
      assertNull(server.fault());
    }
    return ends;
  }
}
