package org.rackweave.telemetry;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

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
 */
final class LinkPart {

  /** Bytes of the part; a newer agent may append more, which is ignored. */
  static final int BYTES = 58;

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
    byte[] part = new byte[BYTES];
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
    return part;
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
}
