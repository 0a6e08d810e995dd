package org.rackweave.telemetry;

/**
 * Smoothed load of one DataNode's links, from cumulative counters.
 *
 * <p>Rates are bytes over the time the <i>sender</i> measured between two of its reports, so late
 * or lost heartbeats do not distort them. The EWMA is {@code v = alpha * measured + (1 - alpha) *
 * v}, starting at 0 (Sinbad, section 6.2). A link that falls silent for longer than the stale
 * interval counts as fully loaded; when it speaks again its EWMA resumes from "full" and comes down
 * with evidence, which keeps a returning rack from being flooded.
 *
 * <p>Thread-safe; about 130 bytes, and some 150 for {@link OwnTransfers} if these are told. Soft
 * state.
 */
public final class NodeEstimate {
  /** What an agent sends for a counter it cannot read. */
  private static final long UNKNOWN = 0;

  /** Instead of the growth of a counter that is not known. */
  private static final long UNKNOWN_SINCE = -1;

  /**
   * What others load is at most this much less than before as long as the counters leave that open.
   * Bytes that they do not tell apart would otherwise all go to transfers of ours that crawl along
   * a link that others fill: it would look free and be given the next ones.
   */
  private static final double OTHERS_KEEP = 0.9;

  /**
   * What others load is noticed with the weight that was set and forgotten with no more than this:
   * senders that adapt (TCP) take less for a while, as when our transfers join them, and come back.
   */
  private static final double FORGETTING = 0.1;

  private final CollectorSettings settings;

  private boolean baseline;
  private long epochMs;
  private long uptimeMs;
  private long rxBytes;
  private long txBytes;
  private long diskWrittenBytes;
  private long blockBytes;
  private long heardAtMs;

  private long measuredAtMs = Long.MIN_VALUE;
  private long derivedAtMs = Long.MIN_VALUE;
  private long derivedHeartbeatMs = Long.MIN_VALUE;
  private long derivedUsedBytes;

  /** Counts measurements, so that a ledger can tell whether a promise has been overtaken by one. */
  private int sequence;

  private boolean full;
  private double linkBytesPerSec;
  private boolean hasClaimed;
  private double rxBytesPerSec;
  private double txBytesPerSec;

  /** Like {@link #rxBytesPerSec} without {@link #own}; the same as long as there is no such. */
  private double othersRxBytesPerSec;

  /** What this NameNode has ordered; {@code null} as long as nobody said so. */
  private OwnTransfers own;

  /**
   * @param startsFull whether the node re-enters a running cluster and therefore begins as fully
   *     loaded
   */
  NodeEstimate(CollectorSettings settings, boolean startsFull) {
    this.settings = settings;
    this.full = startsFull;
    this.linkBytesPerSec = settings.hostBytesPerSec();
  }

  /**
   * Takes one report of the DataNode's agent.
   *
   * @param nowMs monotonic time of arrival
   * @param wallMs wall clock at arrival, used for nothing but recognising future-dated reports
   * @return {@code null} when taken, otherwise why it was dropped
   */
  synchronized DropCause accept(ReportReader report, long nowMs, long wallMs) {
    if (report.sentAtMs() - wallMs > settings.futureToleranceMs()) {
      return DropCause.FUTURE_DATED;
    }
    boolean silent = !baseline || nowMs - heardAtMs > settings.staleAfterMs();
    if (!silent && report.epochMs() == epochMs) {
      return acceptNext(report, nowMs);
    }
    if (!silent && report.epochMs() < epochMs) {
      return DropCause.REPLAYED;
    }
    // A restarted agent, or one not heard for long: its counters say nothing about the gap.
    rebase(report, nowMs);
    return null;
  }

  private DropCause acceptNext(ReportReader report, long nowMs) {
    long elapsedMs = report.uptimeMs() - uptimeMs;
    if (elapsedMs <= 0) {
      return DropCause.REPLAYED;
    }
    long rx = report.rxBytes() - rxBytes;
    long tx = report.txBytes() - txBytes;
    boolean diskWentBack = wentBack(diskWrittenBytes, report.diskWrittenBytes());
    boolean blocksWentBack = wentBack(blockBytes, report.blockBytesReceived());
    long blocks =
        blockBytes == UNKNOWN || report.blockBytesReceived() == UNKNOWN
            ? UNKNOWN_SINCE
            : report.blockBytesReceived() - blockBytes;
    rebase(report, nowMs);
    if (rx < 0 || tx < 0 || diskWentBack || blocksWentBack) {
      return DropCause.COUNTER_WENT_BACK;
    }
    if (report.linkBytesPerSec() > 0) {
      linkBytesPerSec = report.linkBytesPerSec();
      hasClaimed = true;
    }
    double perSec = 1000.0 / elapsedMs;
    long ownBytes = own == null ? 0 : own.attribute(perhapsOwn(rx, blocks, elapsedMs));
    smooth(rx * perSec, (rx - ownBytes) * perSec, tx * perSec, nowMs);
    measuredAtMs = nowMs;
    return null;
  }

  private static boolean wentBack(long before, long after) {
    return after < before && after != UNKNOWN;
  }

  /** How many of the bytes received our own transfers can have brought. */
  private long perhapsOwn(long rx, long blocks, long elapsedMs) {
    if (blocks != UNKNOWN_SINCE) {
      return Math.min(rx, blocks);
    }
    long others = (long) (OTHERS_KEEP * othersRxBytesPerSec * elapsedMs / 1000);
    return Math.max(0, rx - others);
  }

  private void rebase(ReportReader report, long nowMs) {
    baseline = true;
    epochMs = report.epochMs();
    uptimeMs = report.uptimeMs();
    rxBytes = report.rxBytes();
    txBytes = report.txBytes();
    diskWrittenBytes = report.diskWrittenBytes();
    blockBytes = report.blockBytesReceived();
    heardAtMs = nowMs;
  }

  /**
   * Takes what a stock heartbeat says, for nodes without an agent. Ignored while the agent reports.
   *
   * @param heartbeatMs when that heartbeat arrived (monotonic); a heartbeat seen before is ignored
   * @param usedBytes space HDFS uses on the node
   * @param transfers transfers the node serves now
   * @param transferBytesPerSec what one transfer is assumed to take of the link
   */
  public synchronized void derive(
      long heartbeatMs, long usedBytes, int transfers, double transferBytesPerSec) {
    if (!settings.derived() || heartbeatMs <= derivedHeartbeatMs) {
      return;
    }
    boolean first = derivedHeartbeatMs == Long.MIN_VALUE;
    long elapsedMs = heartbeatMs - derivedHeartbeatMs;
    long grown = usedBytes - derivedUsedBytes;
    derivedHeartbeatMs = heartbeatMs;
    derivedUsedBytes = usedBytes;
    if (first || isMeasured(heartbeatMs)) {
      return;
    }
    double growth = Math.max(0, grown) * 1000.0 / elapsedMs;
    double assumed = transfers * transferBytesPerSec;
    double rx = Math.max(growth, assumed);
    smooth(rx, rx, assumed, heartbeatMs);
    derivedAtMs = heartbeatMs;
  }

  private void smooth(double rx, double othersRx, double tx, long atMs) {
    boolean known = measuredAtMs != Long.MIN_VALUE || derivedAtMs != Long.MIN_VALUE;
    boolean backFromSilence = known && !isMeasured(atMs) && !isDerived(atMs);
    if (full || backFromSilence) {
      rxBytesPerSec = linkBytesPerSec;
      othersRxBytesPerSec = linkBytesPerSec;
      txBytesPerSec = linkBytesPerSec;
      full = false;
    }
    double alpha = settings.alpha();
    rxBytesPerSec += alpha * (Math.min(rx, linkBytesPerSec) - rxBytesPerSec);
    double othersMore = Math.min(othersRx, linkBytesPerSec) - othersRxBytesPerSec;
    othersRxBytesPerSec += (othersMore < 0 ? Math.min(alpha, FORGETTING) : alpha) * othersMore;
    txBytesPerSec += alpha * (Math.min(tx, linkBytesPerSec) - txBytesPerSec);
    sequence++;
  }

  private boolean isMeasured(long nowMs) {
    return measuredAtMs != Long.MIN_VALUE && nowMs - measuredAtMs <= settings.staleAfterMs();
  }

  private boolean isDerived(long nowMs) {
    return derivedAtMs != Long.MIN_VALUE && nowMs - derivedAtMs <= settings.staleAfterMs();
  }

  /**
   * Says that a block has been ordered onto the node.
   *
   * @param crossesRackLink whether it comes from another rack
   */
  synchronized void order(long sizeBytes, boolean crossesRackLink) {
    ownTransfers().order(sizeBytes, crossesRackLink);
  }

  /** Says that a writer on the node itself has been told to put a block there. */
  synchronized void orderLocally() {
    ownTransfers().orderLocally();
  }

  private OwnTransfers ownTransfers() {
    if (own == null) {
      own = new OwnTransfers();
    }
    return own;
  }

  /** Says how many blocks are under way to the node, however they get there. */
  public synchronized void settle(int blocksUnderWay) {
    if (own != null) {
      own.settle(blocksUnderWay);
    }
  }

  /** How fast its agent says that its link is, bytes per second; 0 where it said nothing. */
  public synchronized double claimedBytesPerSec() {
    return hasClaimed ? linkBytesPerSec : 0;
  }

  /** Writes the current estimate into a snapshot that is being built. */
  public synchronized void copyTo(LinkSnapshot.Builder snapshot, int node, long nowMs) {
    LinkSource source =
        isMeasured(nowMs)
            ? LinkSource.MEASURED
            : isDerived(nowMs) ? LinkSource.DERIVED : LinkSource.MISSING;
    long atMs = source == LinkSource.DERIVED ? derivedAtMs : measuredAtMs;
    snapshot.host(node, source, linkBytesPerSec, rxBytesPerSec, txBytesPerSec, sequence, atMs);
    if (own != null) {
      snapshot.own(node, othersRxBytesPerSec, own.overLink(), own.acrossRacks());
    }
  }
}
