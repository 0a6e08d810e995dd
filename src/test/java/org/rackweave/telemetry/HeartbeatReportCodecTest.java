package org.rackweave.telemetry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;

class HeartbeatReportCodecTest {

  private static final LinkRates RATES = new LinkRates(1e8, 1e6, 7e7, 3e7, 9e7, 2e6, 5e6, -3e5);
  private static final Saturation SATURATION = new Saturation(false, true, 170e6);

  private final ReportReader reader = new ReportReader();

  @Test
  void readsBackWhatWasWrittenForAnyReport() {
    long seed = System.nanoTime();
    Random random = MixedRandom.of(seed);
    for (int i = 0; i < 20_000; i++) {
      HeartbeatReport report = RandomReports.next(random);
      byte[] bytes = HeartbeatReportCodec.encode(report);
      assertNull(read(bytes), () -> "seed " + seed + ": " + report);
      assertEquals(report, reader.toReport(), "seed " + seed);
    }
  }

  @Test
  void readsInsideALargerArray() {
    HeartbeatReport report = RandomReports.next(new Random(7));
    byte[] payload = HeartbeatReportCodec.encode(report);
    byte[] array = new byte[payload.length + 50];
    Arrays.fill(array, (byte) 0xff);
    System.arraycopy(payload, 0, array, 20, payload.length);
    assertNull(reader.read(array, 20, payload.length));
    assertEquals(report, reader.toReport());
  }

  @Test
  void keepsLinkPartWithin64BytesWhenEveryValueIsAtItsMaximum() {
    byte[] bytes = HeartbeatReportCodec.encode(extreme(0));
    assertTrue(bytes.length <= HeartbeatReport.MAX_LINK_PART_BYTES, bytes.length + " bytes");
    assertNull(read(bytes));
    byte[] more = HeartbeatReportCodec.encode(extreme(Long.MAX_VALUE));
    assertTrue(more.length <= HeartbeatReport.MAX_BYTES_WITHOUT_READS, more.length + " bytes");
    assertNull(read(more));
    assertEquals(Long.MAX_VALUE, reader.rxBytes());
    assertEquals(Long.MAX_VALUE, reader.txBytes());
    assertEquals(Long.MAX_VALUE, reader.diskWrittenBytes());
    assertEquals(HeartbeatReport.MAX_TIME_MS, reader.sentAtMs());
    assertEquals(HeartbeatReport.MAX_LINK_BYTES_PER_SEC, reader.linkBytesPerSec());
    assertEquals(HeartbeatReport.MAX_TRANSFERS, reader.readers());
  }

  @Test
  void keepsWholePayloadWithin16KibWhenReadCountsAreAtTheirMaximum() {
    BlockReads largest = new BlockReads(Long.MIN_VALUE, Long.MAX_VALUE);
    HeartbeatReport report =
        withTopReads(Collections.nCopies(HeartbeatReport.MAX_TOP_READS, largest));
    byte[] bytes = HeartbeatReportCodec.encode(report);
    assertTrue(bytes.length <= HeartbeatReport.MAX_ENCODED_BYTES, bytes.length + " bytes");
    assertNull(read(bytes));
    assertEquals(HeartbeatReport.MAX_TOP_READS, reader.topReadsCount());
    assertEquals(new BlockReads(Long.MIN_VALUE, BlockReads.MAX_READS), reader.topReads().get(999));
  }

  @Test
  void forgetsReadCountsOfThePayloadBefore() {
    assertNull(read(HeartbeatReportCodec.encode(withTopReads(List.of(new BlockReads(1, 2))))));
    assertEquals(1, reader.topReadsCount());
    assertNull(read(HeartbeatReportCodec.encode(withTopReads(List.of()))));
    assertEquals(List.of(), reader.topReads());
  }

  @Test
  void reportsTruncatedWhenCutAtAnyByte() {
    Random random = new Random(11);
    for (int i = 0; i < 50; i++) {
      byte[] bytes = HeartbeatReportCodec.encode(RandomReports.next(random));
      for (int length = 0; length < bytes.length; length++) {
        assertEquals(DropCause.TRUNCATED, reader.read(bytes, 0, length), "cut at " + length);
        assertEquals(DropCause.TRUNCATED, read(Arrays.copyOf(bytes, length)));
      }
    }
  }

  @Test
  void skipsFieldsOfANewerAgent() {
    HeartbeatReport report = withTopReads(List.of(new BlockReads(-5, 3)));
    byte[] known = HeartbeatReportCodec.encode(report);
    byte[] newer =
        new Bytes()
            .add(1)
            .tag(9, WireCursor.VARINT)
            .varint(-1)
            .tag(10, WireCursor.FIXED64)
            .add(1, 2, 3, 4, 5, 6, 7, 8)
            .add(Arrays.copyOfRange(known, 1, known.length))
            .tag(300, WireCursor.LENGTH_DELIMITED)
            .add(3, 0xff, 0xff, 0xff)
            .tag(12, WireCursor.FIXED32)
            .add(1, 2, 3, 4)
            .toArray();
    assertNull(read(newer));
    assertEquals(report, reader.toReport());
  }

  @Test
  void skipsValuesANewerAgentAppendsToTheLinkPart() {
    byte[] longer = Arrays.copyOf(linkPart(0.5f), LinkPart.BYTES + 5);
    Arrays.fill(longer, LinkPart.BYTES, longer.length, (byte) 0xff);
    assertNull(read(payload(longer)));
    assertEquals(withTopReads(List.of()), reader.toReport());
  }

  @Test
  void takesAPartThatIsTooShortForRatesForOneWithoutAny() {
    byte[] part = LinkPart.encode(withRates(RATES));
    for (int length = LinkPart.BYTES; length < LinkPart.BYTES_WITH_RATES; length++) {
      assertNull(read(payload(Arrays.copyOf(part, length))));
      assertFalse(reader.hasRates(), length + " bytes");
      assertEquals(withTopReads(List.of()), reader.toReport());
    }
    assertNull(read(payload(part)));
    assertTrue(reader.hasRates());
    assertNull(read(payload(Arrays.copyOf(part, part.length + 30))));
    assertTrue(reader.hasRates(), "a newer agent's");
  }

  @Test
  void takesRatesThatAreNotAllKnownForNone() {
    for (int index : new int[] {0, 1, 2, 4, 5}) {
      byte[] part = LinkPart.encode(withRates(RATES));
      int place = LinkPart.BYTES + index / 2 * 3;
      part[place + index % 2] |= (byte) (index % 2 == 0 ? 0xff : 0xf0);
      part[place + index % 2 + 1] |= (byte) (index % 2 == 0 ? 0x0f : 0xff);
      assertNull(read(payload(part)));
      assertFalse(reader.hasRates(), "rate " + index);
    }
  }

  @Test
  void tellsRatesWithinTheirError() {
    assertNull(read(HeartbeatReportCodec.encode(withRates(RATES))));
    assertEquals(RATES.rx(), reader.rxRate(), RATES.rx() * 0.005);
    assertEquals(RATES.tx(), reader.txRate(), RATES.tx() * 0.005);
    assertEquals(RATES.othersRx(), reader.othersRxRate(), RATES.othersRx() * 0.005);
    assertEquals(RATES.blocksRx(), reader.blocksRxRate(), RATES.blocksRx() * 0.005);
    assertEquals(RATES.rxMean(), reader.rxMeanRate(), RATES.rxMean() * 0.005);
    assertEquals(RATES.txMean(), reader.txMeanRate(), RATES.txMean() * 0.005);
    assertEquals(RATES.rxTrend(), reader.rxTrend(), RATES.rxTrend() * 0.01);
    assertEquals(RATES.txTrend(), reader.txTrend(), -RATES.txTrend() * 0.01);
    assertTrue(reader.toReport().rates().orElseThrow().tellsBlocksApart());
  }

  @Test
  void tellsSaturationBesideRates() {
    assertNull(read(HeartbeatReportCodec.encode(withRates(RATES))));
    assertFalse(reader.isSaturatedRx());
    assertTrue(reader.isSaturatedTx());
    assertEquals(
        SATURATION.diskWriteBytesPerSec(),
        reader.diskWriteBytesPerSec(),
        SATURATION.diskWriteBytesPerSec() * 0.13);
    assertNull(read(HeartbeatReportCodec.encode(withTopReads(List.of()))));
    assertEquals(Saturation.NONE, reader.toReport().saturation(), "not that of the payload before");
  }

  @Test
  void readsRatesOfAnAgentThatKnowsNothingOfSaturation() {
    byte[] part = LinkPart.encode(withRates(RATES));
    assertNull(read(payload(Arrays.copyOf(part, LinkPart.BYTES_WITH_RATES))));
    assertTrue(reader.hasRates());
    assertEquals(Saturation.NONE, reader.toReport().saturation());
  }

  @Test
  void leavesTheBytesOfBlocksOutBesideRates() {
    HeartbeatReport report =
        new HeartbeatReport(
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            Long.MAX_VALUE,
            1,
            8,
            9,
            List.of(),
            -1,
            Optional.of(RATES),
            SATURATION);
    byte[] bytes = HeartbeatReportCodec.encode(report);
    assertTrue(bytes.length <= HeartbeatReport.MAX_BYTES_WITHOUT_READS, bytes.length + " bytes");
    assertNull(read(bytes));
    assertEquals(0, reader.blockBytesReceived());
    assertTrue(reader.hasRates());
  }

  @Test
  void forgetsRatesOfThePayloadBefore() {
    assertNull(read(HeartbeatReportCodec.encode(withRates(RATES))));
    assertTrue(reader.hasRates());
    assertNull(read(HeartbeatReportCodec.encode(withTopReads(List.of()))));
    assertFalse(reader.hasRates());
    assertEquals(Optional.empty(), reader.toReport().rates());
  }

  @Test
  void namesEveryCauseAReaderCanFind() {
    assertEquals(DropCause.MALFORMED, reader.read(null, 0, 0));
    assertEquals(DropCause.MALFORMED, reader.read(new byte[3], 2, 2));
    assertEquals(DropCause.MALFORMED, reader.read(new byte[3], -1, 2));
    assertEquals(DropCause.MALFORMED, reader.read(new byte[3], 0, -1));
    assertEquals(DropCause.MALFORMED, reader.read(new byte[3], Integer.MAX_VALUE, 3));
    assertEquals(DropCause.TRUNCATED, read(new byte[0]));
    assertEquals(DropCause.OVERSIZED, read(new byte[HeartbeatReport.MAX_ENCODED_BYTES + 1]));
    assertEquals(DropCause.UNSUPPORTED_VERSION, read(new byte[] {2}));
    assertEquals(DropCause.UNSUPPORTED_VERSION, read(new byte[] {0, 1, 2}));
  }

  @Test
  void rejectsNegativeValues() {
    for (int place : new int[] {18, 26, 34}) {
      byte[] part = linkPart(0.5f);
      part[place + 7] = (byte) 0x80;
      assertEquals(DropCause.NEGATIVE, read(payload(part)), "at " + place);
    }
    assertEquals(DropCause.NEGATIVE, read(payload(linkPart(-0.1f))));
  }

  @Test
  void rejectsFractionsThatAreNoNumber() {
    assertEquals(DropCause.NOT_A_NUMBER, read(payload(linkPart(Float.NaN))));
    assertEquals(DropCause.NOT_A_NUMBER, read(payload(linkPart(Float.POSITIVE_INFINITY))));
    assertEquals(DropCause.NOT_A_NUMBER, read(payload(linkPart(Float.NEGATIVE_INFINITY))));
  }

  @Test
  void readsMinusZeroAsZero() {
    assertNull(read(payload(linkPart(-0.0f))));
    assertEquals(0, Float.floatToRawIntBits(reader.diskUsedFraction()));
  }

  @Test
  void rejectsFractionsAboveOne() {
    assertEquals(DropCause.MALFORMED, read(payload(linkPart(1.01f))));
  }

  @Test
  void rejectsALinkPartThatIsTooShort() {
    assertEquals(
        DropCause.TRUNCATED, read(payload(Arrays.copyOf(linkPart(0.5f), LinkPart.BYTES - 1))));
    assertEquals(DropCause.TRUNCATED, read(payload(new byte[0])));
  }

  @Test
  void rejectsBrokenFields() {
    byte[] valid = payload(linkPart(0.5f));
    byte[] fields = Arrays.copyOfRange(valid, 1, valid.length);
    assertEquals(DropCause.MALFORMED, read(new Bytes().add(1).add(fields).add(fields).toArray()));
    assertEquals(DropCause.MALFORMED, read(new Bytes().add(valid).add(0).toArray()), "field 0");
    for (int wireType : new int[] {3, 4, 6, 7}) {
      assertEquals(
          DropCause.MALFORMED, read(new Bytes().add(valid).tag(5, wireType).add(1).toArray()));
    }
    Bytes endless = new Bytes().add(valid).tag(5, WireCursor.VARINT);
    assertEquals(DropCause.MALFORMED, read(endless.add(new byte[0]).add(ones(11)).toArray()));
    assertEquals(
        DropCause.TRUNCATED,
        read(
            new Bytes()
                .add(valid)
                .tag(5, WireCursor.LENGTH_DELIMITED)
                .varint(Integer.MAX_VALUE)
                .toArray()));
    assertEquals(
        DropCause.MALFORMED,
        read(new Bytes().add(valid).tag(5, WireCursor.LENGTH_DELIMITED).varint(-1).toArray()));
  }

  @Test
  void rejectsMoreReadCountsThanWereAskedForAtMost() {
    Bytes content = new Bytes();
    for (int i = 0; i <= HeartbeatReport.MAX_TOP_READS; i++) {
      content.add(2, 1);
    }
    byte[] counts = content.toArray();
    Bytes payload =
        new Bytes().add(1).tag(HeartbeatReportCodec.TOP_READS, WireCursor.LENGTH_DELIMITED);
    assertEquals(DropCause.OVERSIZED, read(payload.varint(counts.length).add(counts).toArray()));
  }

  @Test
  void survives10000FuzzedPayloads() {
    long seed = System.nanoTime();
    System.out.println("fuzzed payloads, seed " + seed);
    Random random = MixedRandom.of(seed);
    Set<DropCause> seen = EnumSet.noneOf(DropCause.class);
    int accepted = 0;
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = i % 4 == 0 ? randomBytes(random) : mutated(random);
      DropCause cause = read(bytes);
      if (cause == null) {
        accepted++;
        // The record's constructor is the oracle for values in range.
        assertNotNull(reader.toReport(), "seed " + seed);
      } else {
        seen.add(cause);
      }
    }
    assertTrue(accepted > 0, "seed " + seed);
    assertTrue(
        seen.containsAll(
            EnumSet.of(
                DropCause.MALFORMED,
                DropCause.TRUNCATED,
                DropCause.OVERSIZED,
                DropCause.UNSUPPORTED_VERSION)),
        () -> "seed " + seed + " saw only " + seen);
  }

  @Test
  void refusesReportsOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> reportOf(-1, 0.5f, 0));
    assertThrows(IllegalArgumentException.class, () -> reportOf(1, Float.NaN, 0));
    assertThrows(IllegalArgumentException.class, () -> reportOf(1, 1.5f, 0));
    assertThrows(IllegalArgumentException.class, () -> reportOf(1, 0.5f, -1));
    assertThrows(
        IllegalArgumentException.class,
        () -> withTopReads(Collections.nCopies(1001, new BlockReads(1, 1))));
  }

  @Test
  void labelsCausesInKebabCase() {
    assertEquals("counter-went-back", DropCause.COUNTER_WENT_BACK.label());
    assertArrayEquals(
        new String[] {
          "malformed",
          "truncated",
          "oversized",
          "unsupported-version",
          "negative",
          "not-a-number",
          "replayed",
          "future-dated",
          "counter-went-back",
          "unknown-node",
          "overrun"
        },
        Arrays.stream(DropCause.values()).map(DropCause::label).toArray());
  }

  private DropCause read(byte[] bytes) {
    return reader.read(bytes, 0, bytes.length);
  }

  private static HeartbeatReport extreme(long blockBytes) {
    return new HeartbeatReport(
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        Long.MAX_VALUE,
        blockBytes,
        1.0f,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        List.of());
  }

  private static HeartbeatReport withTopReads(List<BlockReads> topReads) {
    return new HeartbeatReport(
        1_700_000_000_000L, 1_700_000_100_000L, 100_000, 1, 2, 3, 4, 0, 0.5f, 5, 6, topReads);
  }

  private static HeartbeatReport withRates(LinkRates rates) {
    return new HeartbeatReport(
        1_700_000_000_000L,
        1_700_000_100_000L,
        100_000,
        1,
        2,
        3,
        4,
        0,
        0.5f,
        5,
        6,
        List.of(),
        HeartbeatReport.UNKNOWN,
        Optional.of(rates),
        SATURATION);
  }

  private static HeartbeatReport reportOf(long rxBytes, float fraction, int readers) {
    return new HeartbeatReport(1, 1, 1, rxBytes, 1, 1, 1, 0, fraction, readers, 1, List.of());
  }

  private static byte[] ones(int count) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) 0xff);
    return bytes;
  }

  private static byte[] randomBytes(Random random) {
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    if (bytes.length > 0 && random.nextBoolean()) {
      bytes[0] = HeartbeatReportCodec.VERSION;
    }
    return bytes;
  }

  /** A valid payload with bytes flipped, removed, doubled or spliced in. */
  private static byte[] mutated(Random random) {
    List<Byte> bytes = new ArrayList<>();
    for (byte b : HeartbeatReportCodec.encode(RandomReports.next(random))) {
      bytes.add(b);
    }
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && !bytes.isEmpty(); i++) {
      int at = random.nextInt(bytes.size());
      switch (random.nextInt(6)) {
        case 0 -> bytes.set(at, (byte) random.nextInt());
        case 1 -> bytes.set(at, (byte) (bytes.get(at) ^ (1 << random.nextInt(8))));
        case 2 -> bytes.remove(at);
        case 3 -> bytes.add(at, (byte) random.nextInt());
        case 4 -> bytes.subList(at, bytes.size()).clear();
        default -> {
          if (random.nextInt(20) == 0) {
            bytes.addAll(Collections.nCopies(HeartbeatReport.MAX_ENCODED_BYTES, (byte) 1));
          } else {
            bytes.addAll(new ArrayList<>(bytes.subList(at, bytes.size())));
          }
        }
      }
    }
    byte[] array = new byte[bytes.size()];
    for (int i = 0; i < array.length; i++) {
      array[i] = bytes.get(i);
    }
    return array;
  }

  private static byte[] linkPart(float fraction) {
    byte[] part = LinkPart.encode(withTopReads(List.of()));
    int bits = Float.floatToRawIntBits(fraction);
    for (int i = 0; i < 4; i++) {
      part[48 + i] = (byte) (bits >>> (8 * i));
    }
    return part;
  }

  /** A payload with a link part that may be wrong. */
  private static byte[] payload(byte[] linkPart) {
    return new Bytes()
        .add(HeartbeatReportCodec.VERSION)
        .tag(HeartbeatReportCodec.LINK_PART, WireCursor.LENGTH_DELIMITED)
        .varint(linkPart.length)
        .add(linkPart)
        .toArray();
  }
}
