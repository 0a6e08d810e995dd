package org.rackweave.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the payload of one heartbeat in place. One instance is reused for many payloads by one
 * thread and allocates nothing unless {@link #topReads()} is called on a payload that has some.
 *
 * <p>{@link #read} never throws, whatever the bytes are. The getters are meaningful only after a
 * {@code read} that returned null, until the next one, and while the bytes are left unchanged.
 */
public final class ReportReader {

  private final WireCursor cursor = new WireCursor();

  private byte[] bytes;
  private int topReadsOffset;
  private int topReadsLength;
  private int topReadsCount;
  private boolean linkPartSeen;
  private int linkPartOffset;
  private boolean hasRates;
  private byte saturation;
  private boolean blockBytesSeen;
  private long missedReads;

  private long epochMs;
  private long sentAtMs;
  private long uptimeMs;
  private long rxBytes;
  private long txBytes;
  private long linkBytesPerSec;
  private long diskWrittenBytes;
  private long blockBytesReceived;
  private float diskUsedFraction;
  private int readers;
  private int writers;

  /**
   * Reads one payload.
   *
   * @param payload array that holds the payload
   * @param offset first byte of the payload
   * @param length bytes of the payload
   * @return null when every value is present and in range, else why the payload must be dropped
   */
  public DropCause read(byte[] payload, int offset, int length) {
    bytes = payload;
    topReadsCount = 0;
    linkPartSeen = false;
    hasRates = false;
    saturation = 0;
    blockBytesSeen = false;
    missedReads = HeartbeatReport.UNKNOWN;
    blockBytesReceived = 0;
    if (payload == null || offset < 0 || length < 0 || offset > payload.length - length) {
      return DropCause.MALFORMED;
    }
    if (length > HeartbeatReport.MAX_ENCODED_BYTES) {
      return DropCause.OVERSIZED;
    }
    WireCursor in = cursor.over(payload, offset, length);
    int version = in.readByte();
    if (in.fault() == null && version != HeartbeatReportCodec.VERSION) {
      return DropCause.UNSUPPORTED_VERSION;
    }
    while (in.hasRemaining()) {
      readField(in);
    }
    if (in.fault() != null) {
      return in.fault();
    }
    return linkPartSeen ? null : DropCause.TRUNCATED;
  }

  private void readField(WireCursor in) {
    int tag = in.readTag();
    if (tag == WireCursor.tag(HeartbeatReportCodec.LINK_PART, WireCursor.LENGTH_DELIMITED)) {
      readLinkPart(in);
    } else if (tag == WireCursor.tag(HeartbeatReportCodec.TOP_READS, WireCursor.LENGTH_DELIMITED)) {
      scanTopReads(in);
    } else if (tag == WireCursor.tag(HeartbeatReportCodec.BLOCK_BYTES, WireCursor.VARINT)) {
      readBlockBytes(in);
    } else if (tag == WireCursor.tag(HeartbeatReportCodec.MISSED_READS, WireCursor.VARINT)) {
      readMissedReads(in);
    } else {
      in.skip(tag & 7);
    }
  }

  private void readLinkPart(WireCursor in) {
    int outerLimit = in.enter();
    if (linkPartSeen) {
      in.fail(DropCause.MALFORMED);
    }
    linkPartSeen = true;
    if (in.remaining() < LinkPart.BYTES) {
      in.fail(DropCause.TRUNCATED);
    } else {
      linkPartOffset = in.position();
      hasRates = LinkPart.hasRates(bytes, linkPartOffset, in.remaining());
      saturation = LinkPart.saturation(bytes, linkPartOffset, in.remaining());
      takeLinkPart(bytes, linkPartOffset);
      in.fail(faultOfLinkPart());
    }
    in.leave(outerLimit);
  }

  private void takeLinkPart(byte[] from, int at) {
    epochMs = LinkPart.epochMs(from, at);
    sentAtMs = LinkPart.sentAtMs(from, at);
    uptimeMs = LinkPart.uptimeMs(from, at);
    rxBytes = LinkPart.rxBytes(from, at);
    txBytes = LinkPart.txBytes(from, at);
    linkBytesPerSec = LinkPart.linkBytesPerSec(from, at);
    diskWrittenBytes = LinkPart.diskWrittenBytes(from, at);
    // Adding zero turns the legal but surprising -0.0 into 0.0.
    diskUsedFraction = LinkPart.diskUsedFraction(from, at) + 0.0f;
    readers = LinkPart.readers(from, at);
    writers = LinkPart.writers(from, at);
  }

  /** The other numbers cannot be out of range. */
  private DropCause faultOfLinkPart() {
    if ((rxBytes | txBytes | diskWrittenBytes) < 0) {
      return DropCause.NEGATIVE;
    }
    if (diskUsedFraction >= 0 && diskUsedFraction <= 1) {
      return null;
    }
    if (Float.isNaN(diskUsedFraction) || Float.isInfinite(diskUsedFraction)) {
      return DropCause.NOT_A_NUMBER;
    }
    return diskUsedFraction < 0 ? DropCause.NEGATIVE : DropCause.MALFORMED;
  }

  private void readBlockBytes(WireCursor in) {
    if (blockBytesSeen) {
      in.fail(DropCause.MALFORMED);
    }
    blockBytesSeen = true;
    blockBytesReceived = in.readVarint();
    if (blockBytesReceived < 0) {
      in.fail(DropCause.NEGATIVE);
    }
  }

  private void readMissedReads(WireCursor in) {
    if (missedReads != HeartbeatReport.UNKNOWN) {
      in.fail(DropCause.MALFORMED);
    }
    missedReads = in.readVarintUpTo(BlockReads.MAX_READS);
  }

  /** Checks the read counts now, so that {@link #topReads()} cannot meet a bad one. */
  private void scanTopReads(WireCursor in) {
    int outerLimit = in.enter();
    if (topReadsCount > 0) {
      in.fail(DropCause.MALFORMED);
    }
    topReadsOffset = in.position();
    while (in.hasRemaining()) {
      in.readVarint();
      in.readVarintUpTo(BlockReads.MAX_READS);
      topReadsCount++;
    }
    topReadsLength = in.position() - topReadsOffset;
    if (topReadsCount > HeartbeatReport.MAX_TOP_READS) {
      in.fail(DropCause.OVERSIZED);
    }
    in.leave(outerLimit);
  }

  /** Wall clock when the counters began, ms since 1970. */
  public long epochMs() {
    return epochMs;
  }

  /** The sender's wall clock, ms since 1970. */
  public long sentAtMs() {
    return sentAtMs;
  }

  /** Monotonic ms since the epoch began. */
  public long uptimeMs() {
    return uptimeMs;
  }

  /** Bytes received by the link since the epoch began or earlier. */
  public long rxBytes() {
    return rxBytes;
  }

  /** Bytes sent by the link since the epoch began or earlier. */
  public long txBytes() {
    return txBytes;
  }

  /** Capacity of the link in one direction; 0 = unknown. */
  public long linkBytesPerSec() {
    return linkBytesPerSec;
  }

  /** Bytes written to the DataNode's disks; 0 = unknown. */
  public long diskWrittenBytes() {
    return diskWrittenBytes;
  }

  /** Bytes of blocks among the bytes received; 0 = unknown, as it is beside rates. */
  public long blockBytesReceived() {
    return blockBytesReceived;
  }

  /** Used part of the DataNode's storage, 0 to 1. */
  public float diskUsedFraction() {
    return diskUsedFraction;
  }

  /** Transfers that read from the DataNode. */
  public int readers() {
    return readers;
  }

  /** Transfers that write to the DataNode. */
  public int writers() {
    return writers;
  }

  /** How many block read counts the payload has. */
  public int topReadsCount() {
    return topReadsCount;
  }

  /** The block read counts, in the order sent (most read first); empty when there are none. */
  public List<BlockReads> topReads() {
    if (topReadsCount == 0) {
      return List.of();
    }
    List<BlockReads> blocks = new ArrayList<>(topReadsCount);
    WireCursor in = new WireCursor().over(bytes, topReadsOffset, topReadsLength);
    while (in.hasRemaining()) {
      long blockId = WireCursor.unZigZag(in.readVarint());
      blocks.add(new BlockReads(blockId, in.readVarintUpTo(BlockReads.MAX_READS)));
    }
    return blocks;
  }

  /**
   * Reads that any block may have had beyond its count; {@link HeartbeatReport#UNKNOWN} when the
   * agent does not tell.
   */
  public long missedReads() {
    return missedReads;
  }

  /**
   * Whether the report tells the link's rates as they were when it was sent. The getters of rates
   * are meaningful only then; they are bytes per second, see {@link LinkRates}.
   */
  public boolean hasRates() {
    return hasRates;
  }

  /** Received, smoothed. */
  public double rxRate() {
    return LinkPart.rate(bytes, linkPartOffset, LinkPart.RX_RATE);
  }

  /** Sent, smoothed. */
  public double txRate() {
    return LinkPart.rate(bytes, linkPartOffset, LinkPart.TX_RATE);
  }

  /** Received beside blocks of HDFS, smoothed; all that is received where these are unknown. */
  public double othersRxRate() {
    return LinkPart.rate(bytes, linkPartOffset, LinkPart.OTHERS_RX_RATE);
  }

  /** Blocks of HDFS received, smoothed; {@link LinkRates#UNKNOWN} where not told apart. */
  public double blocksRxRate() {
    return LinkPart.rate(bytes, linkPartOffset, LinkPart.BLOCKS_RX_RATE);
  }

  /** Received, mean of the last second. */
  public double rxMeanRate() {
    return LinkPart.rate(bytes, linkPartOffset, LinkPart.RX_MEAN);
  }

  /** Sent, mean of the last second. */
  public double txMeanRate() {
    return LinkPart.rate(bytes, linkPartOffset, LinkPart.TX_MEAN);
  }

  /** What is received less what was in the second before, bytes per second; may be negative. */
  public double rxTrend() {
    return LinkPart.trend(bytes, linkPartOffset, LinkPart.RX_TREND);
  }

  /** What is sent less what was in the second before, bytes per second; may be negative. */
  public double txTrend() {
    return LinkPart.trend(bytes, linkPartOffset, LinkPart.TX_TREND);
  }

  /** Whether data were lost on the way to the host since its last report. */
  public boolean isSaturatedRx() {
    return Saturation.isRx(saturation);
  }

  /** Whether data that the host has sent since its last report were lost. */
  public boolean isSaturatedTx() {
    return Saturation.isTx(saturation);
  }

  /** The most that a disk wrote while it was busy, bytes per second; 0 = unknown. */
  public double diskWriteBytesPerSec() {
    return Saturation.diskWriteBytesPerSec(saturation);
  }

  private Optional<LinkRates> rates() {
    return hasRates
        ? Optional.of(
            new LinkRates(
                rxRate(),
                txRate(),
                othersRxRate(),
                blocksRxRate(),
                rxMeanRate(),
                txMeanRate(),
                rxTrend(),
                txTrend()))
        : Optional.empty();
  }

  /** The payload just read as a value of its own. */
  public HeartbeatReport toReport() {
    return new HeartbeatReport(
        epochMs,
        sentAtMs,
        uptimeMs,
        rxBytes,
        txBytes,
        linkBytesPerSec,
        diskWrittenBytes,
        blockBytesReceived,
        diskUsedFraction,
        readers,
        writers,
        topReads(),
        missedReads,
        rates(),
        Saturation.of(saturation));
  }
}
