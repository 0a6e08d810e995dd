package org.rackweave.telemetry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Where the numbers of a report's link part lie, all little endian. Fixed places make a report cost
 * the NameNode one load a number.
 *
 * <pre>
 *  0  6 bytes  epochMs              34  8 bytes  diskWrittenBytes
 *  6  6 bytes  sentAtMs             42  6 bytes  linkBytesPerSec
 * 12  6 bytes  uptimeMs             48  4 bytes  diskUsedFraction (float)
 * 18  8 bytes  rxBytes              52  3 bytes  readers
 * 26  8 bytes  txBytes              55  3 bytes  writers
 * </pre>
 *
 * <p>Behind them, where the agent has some, the link's rates: eight codes of 12 bits ({@link
 * RateCode}), two of them in three bytes, the first in the lower bits.
 *
 * <pre>
 * 58  rx, tx        64  rxMean, txMean
 * 61  othersRx,     67  rxTrend, txTrend
 *     blocksRx
 * </pre>
 *
 * <p>Behind these, at 70, one byte of what came to its limits, see {@link Saturation}.
 */
final class LinkPart {

  /** Bytes of the part without rates, the least that there are. */
  static final int BYTES = 58;

  /** Bytes of the part with rates. A part of fewer has none. */
  static final int BYTES_WITH_RATES = BYTES + 12;

  /**
   * Bytes of the part with rates and saturation; a newer agent may append more, which is ignored.
   */
  static final int BYTES_WITH_SATURATION = BYTES_WITH_RATES + 1;

  private static final int EPOCH = 0;
  private static final int SENT_AT = 6;
  private static final int UPTIME = 12;
  private static final int RX = 18;
  private static final int TX = 26;
  private static final int DISK_WRITTEN = 34;
  private static final int LINK_SPEED = 42;
  private static final int DISK_USED = 48;
  private static final int READERS = 52;
  private static final int WRITERS = 55;

  static final int RX_RATE = 0;
  static final int TX_RATE = 1;
  static final int OTHERS_RX_RATE = 2;
  static final int BLOCKS_RX_RATE = 3;
  static final int RX_MEAN = 4;
  static final int TX_MEAN = 5;
  static final int RX_TREND = 6;
  static final int TX_TREND = 7;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle FLOAT =
      MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long SIX_BYTES = (1L << 48) - 1;
  private static final int THREE_BYTES = (1 << 24) - 1;

  private LinkPart() {}

  /** Encodes a report without its read counts; larger numbers than fit are cut to the maximum. */
  static byte[] encode(HeartbeatReport report) {
    Optional<LinkRates> rates = report.rates();
    byte[] part = new byte[rates.isPresent() ? BYTES_WITH_SATURATION : BYTES];
    putSix(part, EPOCH, Math.min(report.epochMs(), HeartbeatReport.MAX_TIME_MS));
    putSix(part, SENT_AT, Math.min(report.sentAtMs(), HeartbeatReport.MAX_TIME_MS));
    putSix(part, UPTIME, Math.min(report.uptimeMs(), HeartbeatReport.MAX_TIME_MS));
    LONG.set(part, RX, report.rxBytes());
    LONG.set(part, TX, report.txBytes());
    LONG.set(part, DISK_WRITTEN, report.diskWrittenBytes());
    putSix(
        part,
        LINK_SPEED,
        Math.min(report.linkBytesPerSec(), HeartbeatReport.MAX_LINK_BYTES_PER_SEC));
    FLOAT.set(part, DISK_USED, report.diskUsedFraction());
    putThree(part, READERS, Math.min(report.readers(), HeartbeatReport.MAX_TRANSFERS));
    putThree(part, WRITERS, Math.min(report.writers(), HeartbeatReport.MAX_TRANSFERS));
    if (rates.isPresent()) {
      putRates(part, rates.get());
      part[BYTES_WITH_RATES] = report.saturation().code();
    }
    return part;
  }

  private static void putRates(byte[] part, LinkRates rates) {
    putTwo(part, RX_RATE, RateCode.ofRate(rates.rx()), RateCode.ofRate(rates.tx()));
    putTwo(
        part, OTHERS_RX_RATE, RateCode.ofRate(rates.othersRx()), RateCode.ofRate(rates.blocksRx()));
    putTwo(part, RX_MEAN, RateCode.ofRate(rates.rxMean()), RateCode.ofRate(rates.txMean()));
    putTwo(part, RX_TREND, RateCode.ofTrend(rates.rxTrend()), RateCode.ofTrend(rates.txTrend()));
  }

  private static void putTwo(byte[] part, int index, int code, int next) {
    putThree(part, BYTES + index / 2 * 3, code | next << RateCode.BITS);
  }

  private static void putSix(byte[] part, int place, long value) {
    INT.set(part, place, (int) value);
    part[place + 4] = (byte) (value >>> 32);
    part[place + 5] = (byte) (value >>> 40);
  }

  private static void putThree(byte[] part, int place, int value) {
    part[place] = (byte) value;
    part[place + 1] = (byte) (value >>> 8);
    part[place + 2] = (byte) (value >>> 16);
  }

  static long epochMs(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + EPOCH) & SIX_BYTES;
  }

  static long sentAtMs(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + SENT_AT) & SIX_BYTES;
  }

  static long uptimeMs(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + UPTIME) & SIX_BYTES;
  }

  /** May be negative when the sender is broken. */
  static long rxBytes(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + RX);
  }

  /** May be negative when the sender is broken. */
  static long txBytes(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + TX);
  }

  /** May be negative when the sender is broken. */
  static long diskWrittenBytes(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + DISK_WRITTEN);
  }

  static long linkBytesPerSec(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at + LINK_SPEED) & SIX_BYTES;
  }

  /** May be any float when the sender is broken. */
  static float diskUsedFraction(byte[] bytes, int at) {
    return (float) FLOAT.get(bytes, at + DISK_USED);
  }

  static int readers(byte[] bytes, int at) {
    return (int) INT.get(bytes, at + READERS) & THREE_BYTES;
  }

  static int writers(byte[] bytes, int at) {
    // Four bytes from its own place would reach past the part.
    return (int) INT.get(bytes, at + WRITERS - 1) >>> 8;
  }

  /** Whether a part of so many bytes has rates, which must all be known but that of blocks. */
  static boolean hasRates(byte[] bytes, int at, int length) {
    if (length < BYTES_WITH_RATES) {
      return false;
    }
    for (int index = RX_RATE; index < RX_TREND; index++) {
      if (index != BLOCKS_RX_RATE && code(bytes, at, index) == RateCode.UNKNOWN) {
        return false;
      }
    }
    return true;
  }

  /** The code of {@link Saturation#NONE} for a part without. */
  static byte saturation(byte[] bytes, int at, int length) {
    return length < BYTES_WITH_SATURATION ? 0 : bytes[at + BYTES_WITH_RATES];
  }

  static double rate(byte[] bytes, int at, int index) {
    return RateCode.rate(code(bytes, at, index));
  }

  static double trend(byte[] bytes, int at, int index) {
    return RateCode.trend(code(bytes, at, index));
  }

  private static int code(byte[] bytes, int at, int index) {
    int place = at + BYTES + index / 2 * 3;
    return (index & 1) == 0
        ? bytes[place] & 0xff | (bytes[place + 1] & 0xf) << 8
        : (bytes[place + 1] & 0xff) >>> 4 | (bytes[place + 2] & 0xff) << 4;
  }
}
