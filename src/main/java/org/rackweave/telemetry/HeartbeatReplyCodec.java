package org.rackweave.telemetry;

import java.util.Arrays;
import java.util.Optional;

/**
 * Writes and reads what the NameNode adds to a heartbeat reply: one version byte ({@value
 * #VERSION}), then Protocol Buffers style fields in any order. Unknown fields are skipped, absent
 * ones are 0.
 *
 * <pre>
 * field 1, varint             topReads
 * field 2, length-delimited   work orders, opaque here; absent when there are none
 * field 3, length-delimited   rates of copies, {@link BlockFigures}; absent when there are none
 * </pre>
 */
public final class HeartbeatReplyCodec {

  /** First byte of every reply. */
  public static final int VERSION = 1;

  /** Replies longer than this are not read. */
  public static final int MAX_ENCODED_BYTES = 256 * 1024;

  private static final int TOP_READS = 1;
  private static final int WORK = 2;
  private static final int RATES = 3;
  private static final int OVERHEAD_BYTES = 32;
  private static final byte[] NONE = {};

  private HeartbeatReplyCodec() {}

  /** Encodes a reply; one that asks for nothing is a single byte. */
  public static byte[] encode(HeartbeatReply reply) {
    return encode(reply, NONE);
  }

  /** Encodes a reply with work orders, of which there may be none. */
  public static byte[] encode(HeartbeatReply reply, byte[] work) {
    return encode(reply, work, NONE);
  }

  /**
   * Encodes a reply with work orders and rates of copies, of either of which there may be none.
   *
   * @param rates by {@link BlockFigures}
   */
  public static byte[] encode(HeartbeatReply reply, byte[] work, byte[] rates) {
    byte[] buffer = new byte[OVERHEAD_BYTES + work.length + rates.length];
    WireCursor out = new WireCursor().over(buffer, 0, buffer.length);
    out.writeByte(VERSION);
    if (reply.topReads() > 0) {
      out.writeTag(TOP_READS, WireCursor.VARINT);
      out.writeVarint(reply.topReads());
    }
    if (work.length > 0) {
      out.writeField(WORK, work, work.length);
    }
    if (rates.length > 0) {
      out.writeField(RATES, rates, rates.length);
    }
    return Arrays.copyOf(buffer, out.position());
  }

  /**
   * Decodes a reply; never throws. A NameNode that asks for more read counts than this agent can
   * send gets as many as it can.
   *
   * @return empty when the bytes are no reply this agent understands
   */
  public static Optional<HeartbeatReply> decode(byte[] bytes) {
    if (bytes == null || bytes.length > MAX_ENCODED_BYTES) {
      return Optional.empty();
    }
    WireCursor in = new WireCursor().over(bytes, 0, bytes.length);
    if (in.readByte() != VERSION) {
      return Optional.empty();
    }
    long topReads = 0;
    while (in.hasRemaining()) {
      int tag = in.readTag();
      if (tag == WireCursor.tag(TOP_READS, WireCursor.VARINT)) {
        topReads = in.readVarintUpTo(Long.MAX_VALUE);
      } else {
        in.skip(tag & 7);
      }
    }
    if (in.fault() != null) {
      return Optional.empty();
    }
    return Optional.of(new HeartbeatReply((int) Math.min(topReads, HeartbeatReport.MAX_TOP_READS)));
  }

  /** The work orders of a reply that {@link #decode} understands; empty when there are none. */
  public static Optional<byte[]> work(byte[] bytes) {
    return field(WORK, bytes);
  }

  /** The rates of a reply that {@link #decode} understands; empty when there are none. */
  public static Optional<byte[]> rates(byte[] bytes) {
    return field(RATES, bytes);
  }

  private static Optional<byte[]> field(int number, byte[] bytes) {
    WireCursor in = new WireCursor().over(bytes, 1, bytes.length - 1);
    while (in.hasRemaining()) {
      int tag = in.readTag();
      if (tag == WireCursor.tag(number, WireCursor.LENGTH_DELIMITED)) {
        return Optional.ofNullable(in.readBytes());
      }
      in.skip(tag & 7);
    }
    return Optional.empty();
  }
}
