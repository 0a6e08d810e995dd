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
 * field 2, length-delimited (absent when empty)  block read counts, repeated:
 *     zig-zag varint block id, varint reads
 * field 1, length-delimited                      link part, in this order:
 *     varint epochMs, sentAtMs, uptimeMs, rxBytes, txBytes, linkBytesPerSec, diskWrittenBytes,
 *     fixed32 diskUsedFraction (float bits, little endian), varint readers, writers,
 *     then whatever a newer agent appends
 * </pre>
 *
 * <p>The link part holds its values without tags, which is what fits three 63-bit counters and
 * everything else in 64 bytes. It is written last: a payload cut short anywhere lacks it and is
 * recognised as truncated.
 */
public final class HeartbeatReportCodec {

  /** First byte of every payload. */
  public static final int VERSION = 1;

  static final int LINK_PART = 1;
  static final int TOP_READS = 2;

  private static final int MAX_BYTES_PER_BLOCK = 10 + 5;

  private HeartbeatReportCodec() {}

  /**
   * Encodes a report into at most {@link HeartbeatReport#MAX_ENCODED_BYTES} bytes, {@link
   * HeartbeatReport#MAX_LINK_PART_BYTES} without read counts.
   */
  public static byte[] encode(HeartbeatReport report) {
    List<BlockReads> topReads = report.topReads();
    int topReadsBound = topReads.size() * MAX_BYTES_PER_BLOCK;
    WireCursor out = writer(HeartbeatReport.MAX_LINK_PART_BYTES + 8 + topReadsBound);
    byte[] buffer = out.buffer();
    out.writeByte(VERSION);
    if (!topReads.isEmpty()) {
      WireCursor content = writer(topReadsBound);
      for (BlockReads block : topReads) {
        content.writeVarint(WireCursor.zigZag(block.blockId()));
        content.writeVarint(Math.min(block.reads(), BlockReads.MAX_READS));
      }
      out.writeField(TOP_READS, content);
    }
    out.writeField(LINK_PART, linkPart(report));
    return Arrays.copyOf(buffer, out.position());
  }

  private static WireCursor linkPart(HeartbeatReport report) {
    WireCursor out = writer(HeartbeatReport.MAX_LINK_PART_BYTES);
    out.writeVarint(Math.min(report.epochMs(), HeartbeatReport.MAX_TIME_MS));
    out.writeVarint(Math.min(report.sentAtMs(), HeartbeatReport.MAX_TIME_MS));
    out.writeVarint(Math.min(report.uptimeMs(), HeartbeatReport.MAX_TIME_MS));
    out.writeVarint(report.rxBytes());
    out.writeVarint(report.txBytes());
    out.writeVarint(Math.min(report.linkBytesPerSec(), HeartbeatReport.MAX_LINK_BYTES_PER_SEC));
    out.writeVarint(report.diskWrittenBytes());
    out.writeFixed32(Float.floatToIntBits(report.diskUsedFraction()));
    out.writeVarint(Math.min(report.readers(), HeartbeatReport.MAX_TRANSFERS));
    out.writeVarint(Math.min(report.writers(), HeartbeatReport.MAX_TRANSFERS));
    return out;
  }

  private static WireCursor writer(int capacityBytes) {
    return new WireCursor().over(new byte[capacityBytes], 0, capacityBytes);
  }
}
