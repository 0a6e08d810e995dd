package org.rackweave.telemetry;

import java.util.Arrays;
import java.util.List;

/**
 * Writes the payload a DataNode adds to its heartbeat. {@link ReportReader} reads it.
 *
 * <p>Format: one version byte ({@value #VERSION}), then Protocol Buffers style fields in any order;
 * fields a reader does not know are skipped, so a newer agent may add some.
 *
 * <pre>
 * field 4, length-delimited (absent when empty)  how work orders stand, opaque here; always first
 * field 5, length-delimited (absent when not asked for)  how far copies with a rate are, {@link
 *     BlockFigures}; first but for field 4
 * field 6, varint (absent when unknown)          namespaces served; first but for fields 4 and 5
 * field 2, length-delimited (absent when empty)  block read counts, repeated:
 *     zig-zag varint block id, varint reads
 * field 7, varint (absent when unknown)          reads of any block beyond those of field 2
 * field 3, varint (absent when 0, and beside rates)  bytes of blocks received
 * field 1, length-delimited                      link part, see {@link LinkPart}
 * </pre>
 *
 * <p>The link part has a fixed layout rather than a field for each number, which fits everything in
 * 64 bytes whatever the values, and in 74 with the link's rates. It is written last: a payload cut
 * short anywhere lacks it and is recognised as truncated.
 */
public final class HeartbeatReportCodec {

  /** First byte of every payload. */
  public static final int VERSION = 1;

  static final int LINK_PART = 1;
  static final int TOP_READS = 2;
  static final int BLOCK_BYTES = 3;
  static final int WORK = 4;
  static final int TRANSFERS = 5;
  static final int NAMESPACES = 6;
  static final int MISSED_READS = 7;

  /** Most bytes about work orders. */
  public static final int WORK_BYTES_MAX = 8 * 1024;

  private static final byte[] NO_WORK = {};

  private static final int MAX_BYTES_PER_BLOCK = 10 + 5;

  private HeartbeatReportCodec() {}

  /**
   * Encodes a report into at most {@link HeartbeatReport#MAX_ENCODED_BYTES} bytes, {@link
   * HeartbeatReport#MAX_BYTES_WITHOUT_READS} without read counts.
   */
  public static byte[] encode(HeartbeatReport report) {
    return encode(report, NO_WORK);
  }

  /**
   * Encodes a report that says how work orders stand, too; that may take as many bytes more.
   *
   * @param work at most {@link #WORK_BYTES_MAX}
   */
  public static byte[] encode(HeartbeatReport report, byte[] work) {
    return encode(report, work, null, 0);
  }

  /**
   * Encodes a report that says how work orders and copies stand, too; these may take as many bytes
   * more, and the namespaces and the reads missed six each.
   *
   * @param work at most {@link #WORK_BYTES_MAX}
   * @param transfers by {@link BlockFigures}, {@code null} where no rates are enforced
   * @param namespaces that the DataNode serves, 0 for unknown
   */
  public static byte[] encode(
      HeartbeatReport report, byte[] work, byte[] transfers, int namespaces) {
    int transfersLength = transfers == null ? 0 : transfers.length;
    List<BlockReads> topReads = report.topReads();
    int topReadsBound = topReads.size() * MAX_BYTES_PER_BLOCK;
    WireCursor out =
        writer(
            HeartbeatReport.MAX_BYTES_WITHOUT_READS
                + 32
                + work.length
                + transfersLength
                + topReadsBound);
    byte[] buffer = out.buffer();
    out.writeByte(VERSION);
    if (work.length > 0) {
      out.writeField(WORK, work, work.length);
    }
    if (transfers != null) {
      out.writeField(TRANSFERS, transfers, transfersLength);
    }
    if (namespaces > 0) {
      out.writeTag(NAMESPACES, WireCursor.VARINT);
      out.writeVarint(namespaces);
    }
    if (!topReads.isEmpty()) {
      WireCursor content = writer(topReadsBound);
      for (BlockReads block : topReads) {
        content.writeVarint(WireCursor.zigZag(block.blockId()));
        content.writeVarint(Math.min(block.reads(), BlockReads.MAX_READS));
      }
      out.writeField(TOP_READS, content.buffer(), content.position());
    }
    if (report.missedReads() >= 0) {
      out.writeTag(MISSED_READS, WireCursor.VARINT);
      out.writeVarint(Math.min(report.missedReads(), BlockReads.MAX_READS));
    }
    if (report.blockBytesReceived() > 0 && report.rates().isEmpty()) {
      out.writeTag(BLOCK_BYTES, WireCursor.VARINT);
      out.writeVarint(report.blockBytesReceived());
    }
    byte[] linkPart = LinkPart.encode(report);
    out.writeField(LINK_PART, linkPart, linkPart.length);
    return Arrays.copyOf(buffer, out.position());
  }

  /**
   * What is answered with the heartbeat that brings it, and so read before the rest.
   *
   * @param work how work orders stand, {@code null} when the payload does not say
   * @param transfers how far copies with a rate are, {@code null} when it does not say
   * @param namespaces that the sender serves, 0 when it does not say
   */
  public record Leading(byte[] work, byte[] transfers, int namespaces) {
    public static final Leading NONE = new Leading(null, null, 0);
  }

  /**
   * Reads the fields that come first, which takes next to nothing where there are none.
   *
   * @param payload {@code null} for none
   */
  public static Leading leading(byte[] payload) {
    if (payload == null || payload.length < 2 || !isLeading(payload[1])) {
      return Leading.NONE;
    }
    WireCursor in = new WireCursor().over(payload, 1, payload.length - 1);
    int tag = in.readTag();
    byte[] work = null;
    byte[] transfers = null;
    if (tag == WireCursor.tag(WORK, WireCursor.LENGTH_DELIMITED)) {
      work = in.readBytes();
      tag = in.readTag();
    }
    if (tag == WireCursor.tag(TRANSFERS, WireCursor.LENGTH_DELIMITED)) {
      transfers = in.readBytes();
      tag = in.readTag();
    }
    boolean saysMore = tag == WireCursor.tag(NAMESPACES, WireCursor.VARINT);
    int namespaces = saysMore ? (int) in.readVarintUpTo(Integer.MAX_VALUE) : 0;
    return new Leading(work, transfers, namespaces);
  }

  private static boolean isLeading(byte tag) {
    return tag == WireCursor.tag(WORK, WireCursor.LENGTH_DELIMITED)
        || tag == WireCursor.tag(TRANSFERS, WireCursor.LENGTH_DELIMITED)
        || tag == WireCursor.tag(NAMESPACES, WireCursor.VARINT);
  }

  private static WireCursor writer(int capacityBytes) {
    return new WireCursor().over(new byte[capacityBytes], 0, capacityBytes);
  }
}
