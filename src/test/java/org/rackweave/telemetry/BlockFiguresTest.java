package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.rackweave.telemetry.HeartbeatReportCodec.Leading;

class BlockFiguresTest {
  @Test
  void givesBackWhatWasEncoded() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 1000; round++) {
      Map<Long, Long> figures = new LinkedHashMap<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        figures.put(random.nextLong(), random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63));
      }
      assertEquals(
          figures, BlockFigures.decode(BlockFigures.encode(figures)), () -> "seed " + seed);
    }
  }

  @Test
  void keepsToTheMostThereMayBe() {
    Map<Long, Long> figures = new LinkedHashMap<>();
    for (long block = 0; block <= BlockFigures.MOST; block++) {
      figures.put(block, Long.MAX_VALUE);
    }
    Map<Long, Long> decoded = BlockFigures.decode(BlockFigures.encode(figures));
    assertEquals(BlockFigures.MOST, decoded.size());
    assertEquals(Long.MAX_VALUE, decoded.get(0L));
  }

  @Test
  void neverThrowsWhateverTheBytesAre() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 10_000; round++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      Map<Long, Long> decoded = BlockFigures.decode(bytes);
      if (decoded != null) {
        decoded.values().forEach(value -> assertEquals(value, Math.max(0, value), "seed " + seed));
      }
    }
    assertNull(BlockFigures.decode(new byte[] {2}), "cut");
  }

  @Test
  void travelsBesideWorkOnRepliesAndReports() {
    byte[] work = {1, 2, 3};
    byte[] rates = BlockFigures.encode(Map.of(7L, 1_000_000L));
    byte[] reply = HeartbeatReplyCodec.encode(new HeartbeatReply(5), work, rates);
    assertEquals(Optional.of(new HeartbeatReply(5)), HeartbeatReplyCodec.decode(reply));
    assertArrayEquals(work, HeartbeatReplyCodec.work(reply).orElseThrow());
    assertArrayEquals(rates, HeartbeatReplyCodec.rates(reply).orElseThrow());
    assertEquals(
        Optional.empty(),
        HeartbeatReplyCodec.rates(HeartbeatReplyCodec.encode(new HeartbeatReply(5))));

    HeartbeatReport report =
        new HeartbeatReport(1, 2, 3, 4, 5, 6, 7, 8, 0.5f, 1, 2, List.of(new BlockReads(9, 10)));
    for (byte[] orders : new byte[][] {{}, work}) {
      byte[] payload = HeartbeatReportCodec.encode(report, orders, rates, 3);
      Leading leading = HeartbeatReportCodec.leading(payload);
      assertArrayEquals(orders.length == 0 ? null : work, leading.work());
      assertArrayEquals(rates, leading.transfers());
      assertEquals(3, leading.namespaces());
      ReportReader reader = new ReportReader();
      assertNull(reader.read(payload, 0, payload.length));
      assertEquals(report, reader.toReport());
      Leading unsaid = HeartbeatReportCodec.leading(HeartbeatReportCodec.encode(report, orders));
      assertNull(unsaid.transfers());
      Leading none =
          HeartbeatReportCodec.leading(HeartbeatReportCodec.encode(report, orders, new byte[0], 0));
      assertEquals(0, none.transfers().length);
      assertEquals(0, none.namespaces());
      Leading alone =
          HeartbeatReportCodec.leading(HeartbeatReportCodec.encode(report, orders, null, 1));
      assertEquals(1, alone.namespaces());
      assertNull(alone.transfers());
    }
  }

  @Test
  void aCutReportSaysNothingThatItDoesNotHold() {
    assertEquals(Leading.NONE, HeartbeatReportCodec.leading(new byte[0]));
    byte[] cut = {HeartbeatReportCodec.VERSION, 6 << 3, (byte) 0x80};
    assertEquals(Leading.NONE, HeartbeatReportCodec.leading(cut));
  }
}
