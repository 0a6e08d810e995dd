package org.rackweave.telemetry;

/**
 * Load of one DataNode's links at any moment.
 *
 * <p><b>An agent that looks at its link by itself</b> says what it carries now, what of that is no
 * block of HDFS, and how that changes ({@link LinkRates}). This is taken as it is, and between two
 * reports it follows its trend for a while. <b>Otherwise</b> rates are bytes over the time the
 * <i>sender</i> measured between two of its reports, so late or lost heartbeats do not distort
 * them, averaged as {@link Smoothing} says; the paper's EWMA is {@code v = alpha * measured + (1 -
 * alpha) * v}, starting at 0 (Sinbad, section 6.2).
 *
 * <p>A link that falls silent for longer than the stale interval counts as fully loaded; when it
 * speaks again it comes down from "full" with evidence, which keeps a returning rack from being
 * flooded.
 *
 * <p>Thread-safe; about 230 bytes, and some 150 for {@link OwnTransfers} if these are told. Soft
 * state.
 */
public final class NodeEstimate {
  /** What an agent sends for a counter it cannot read. */
  private static final long UNKNOWN = 0;

  /**
   * A trend is followed for no longer than this by and large: the change that is still to come
   * halves every so often. Ten seconds on, nobody knows more than that it had begun.
   */
  private static final double TREND_HALF_LIFE_SEC = 0.7;

  /** Room on a link that was silent is believed in halves: as with the paper's reports of 3 s. */
  private static final double DOUBT_HALF_LIFE_MS = 10_000;

  /** A link of unknown speed is as fast as what it carried for so long. */
  private static final long LINK_SEEN_OVER_MS = 1_000;

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
  private boolean isSaturatedRx;
  private boolean isSaturatedTx;
  private double diskWriteBytesPerSec;

  /** Estimates as of the last measurement. */
  private double rxBytesPerSec;

  private double txBytesPerSec;
  private double rxTrend;
  private double txTrend;

  /** Means of the time between the last two reports, averaged only where the paper's way is set. */
  private double meanRxBytesPerSec;

  private double meanTxBytesPerSec;

  /** Share of the room seen that is not believed yet, since the link was silent. */
  private double doubt;

  /** Whether the agent tells HDFS's blocks from other traffic; the next four go by that. */
  private boolean isApart;

  /** Received beside blocks, taking every block for one that came over the link. */
  private double othersRxBytesPerSec;

  private double blocksRxBytesPerSec;

  /** Blocks that the DataNode received at its last report and that this NameNode did not order. */
  private int foreignWriters;

  /** Why its latest report was dropped, {@code null} when it was taken, or none came. */
  private volatile DropCause dropped;

  /** How far its clock was ahead of ours when its last report was read. */
  private volatile long clockAheadMs = Long.MIN_VALUE;

  /** What this NameNode has ordered; {@code null} as long as nobody said so. */
  private OwnTransfers own;

  /**
   * @param startsFull whether the node re-enters a running cluster and therefore begins as fully
   *     loaded
   */
  NodeEstimate(CollectorSettings settings, boolean startsFull) {
    this.settings = settings;
    this.full = startsFull;
    this.linkBytesPerSec = settings.assumedBytesPerSec();
  }

  /**
   * Takes one report of the DataNode's agent.
   *
   * @param nowMs monotonic time of arrival
   * @param wallMs wall clock at arrival, used for nothing but judging the DataNode's
   * @return {@code null} when taken, otherwise why it was dropped
   */
  synchronized DropCause accept(ReportReader report, long nowMs, long wallMs) {
    clockAheadMs = report.sentAtMs() - wallMs;
    if (clockAheadMs > settings.futureToleranceMs()) {
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
    if (takesRates(report)) {
      takeRates(report, 0, nowMs);
      meanRxBytesPerSec = rxBytesPerSec;
      meanTxBytesPerSec = txBytesPerSec;
    }
    return null;
  }

  private DropCause acceptNext(ReportReader report, long nowMs) {
    long elapsedMs = report.uptimeMs() - uptimeMs;
    if (elapsedMs <= 0) {
      return DropCause.REPLAYED;
    }
    long rx = report.rxBytes() - rxBytes;
    long tx = report.txBytes() - txBytes;
    boolean wentBack =
        rx < 0
            || tx < 0
            || wentBack(diskWrittenBytes, report.diskWrittenBytes())
            || wentBack(blockBytes, report.blockBytesReceived());
    rebase(report, nowMs);
    if (wentBack) {
      return DropCause.COUNTER_WENT_BACK;
    }
    double perSec = 1000.0 / elapsedMs;
    if (takesRates(report)) {
      takeRates(report, elapsedMs, nowMs);
    } else {
      isApart = false;
      smooth(rx * perSec, tx * perSec, elapsedMs, nowMs);
      measuredAtMs = nowMs;
    }
    takeMeans(rx * perSec, tx * perSec);
    if (!hasClaimed && !settings.isHostDeclared() && elapsedMs >= LINK_SEEN_OVER_MS) {
      linkBytesPerSec = Math.max(linkBytesPerSec, Math.max(rx, tx) * perSec);
    }
    return null;
  }

  private static boolean wentBack(long before, long after) {
    return after < before && after != UNKNOWN;
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
    if (report.linkBytesPerSec() > 0) {
      linkBytesPerSec = report.linkBytesPerSec();
      hasClaimed = true;
    }
    isSaturatedRx = report.isSaturatedRx();
    isSaturatedTx = report.isSaturatedTx();
    diskWriteBytesPerSec = report.diskWriteBytesPerSec();
  }

  private boolean takesRates(ReportReader report) {
    return report.hasRates() && settings.smoothing() instanceof Smoothing.InTime;
  }

  private void takeRates(ReportReader report, long elapsedMs, long nowMs) {
    resume(elapsedMs, nowMs);
    rxBytesPerSec = Math.min(report.rxRate(), linkBytesPerSec);
    txBytesPerSec = Math.min(report.txRate(), linkBytesPerSec);
    rxTrend = report.rxTrend();
    txTrend = report.txTrend();
    isApart = report.blocksRxRate() != LinkRates.UNKNOWN;
    if (isApart) {
      othersRxBytesPerSec = report.othersRxRate();
      blocksRxBytesPerSec = report.blocksRxRate();
      foreignWriters = Math.max(0, report.writers() - (own == null ? 0 : own.size()));
    }
    measuredAtMs = nowMs;
    sequence++;
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
    isApart = false;
    smooth(Math.max(growth, assumed), assumed, elapsedMs, heartbeatMs);
    takeMeans(Math.max(growth, assumed), assumed);
    derivedAtMs = heartbeatMs;
  }

  private void smooth(double rx, double tx, long elapsedMs, long atMs) {
    resume(elapsedMs, atMs);
    rxBytesPerSec = average(rxBytesPerSec, rx, elapsedMs);
    txBytesPerSec = average(txBytesPerSec, tx, elapsedMs);
    rxTrend = 0;
    txTrend = 0;
    sequence++;
  }

  private double average(double before, double measured, long elapsedMs) {
    double more = Math.min(measured, linkBytesPerSec) - before;
    return before + settings.smoothing().weight(more > 0, elapsedMs) * more;
  }

  /** What the paper's way averages is averaged already. */
  private void takeMeans(double rx, double tx) {
    boolean isAveraged = settings.smoothing() instanceof Smoothing.PerReport;
    meanRxBytesPerSec = isAveraged ? rxBytesPerSec : Math.min(rx, linkBytesPerSec);
    meanTxBytesPerSec = isAveraged ? txBytesPerSec : Math.min(tx, linkBytesPerSec);
  }

  /** Before a measurement: a link that was silent, or is new, comes down from "full". */
  private void resume(long elapsedMs, long atMs) {
    boolean known = measuredAtMs != Long.MIN_VALUE || derivedAtMs != Long.MIN_VALUE;
    boolean backFromSilence = known && !isMeasured(atMs) && !isDerived(atMs);
    boolean inTime = settings.smoothing() instanceof Smoothing.InTime;
    if (full || backFromSilence) {
      rxBytesPerSec = linkBytesPerSec;
      txBytesPerSec = linkBytesPerSec;
      doubt = inTime ? 1 : 0; // the paper's average begins at "full" and needs no other doubt
      full = false;
    }
    doubt *= Smoothing.left(elapsedMs, DOUBT_HALF_LIFE_MS);
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
  synchronized void order(boolean crossesRackLink) {
    ownTransfers().order(crossesRackLink);
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

  /**
   * Says what became of its latest report.
   *
   * @param cause why it was dropped, {@code null} when it was taken
   */
  void judged(DropCause cause) {
    dropped = cause;
  }

  /** Why its latest report was dropped, {@code null} when it was taken, or none came. */
  public DropCause dropped() {
    return dropped;
  }

  /** Whether it has told its time. */
  public boolean hasClock() {
    return clockAheadMs != Long.MIN_VALUE;
  }

  /**
   * How far its clock was ahead of this process's when its last report was read, negative where
   * behind; a report waits for some hundred ms until it is read.
   */
  public long clockAheadMs() {
    return clockAheadMs;
  }

  /** When its last report came that was taken; {@link Long#MIN_VALUE} for never. */
  public synchronized long heardAtMs() {
    return baseline ? heardAtMs : Long.MIN_VALUE;
  }

  /** How fast its agent says that its link is, bytes per second; 0 where it said nothing. */
  public synchronized double claimedBytesPerSec() {
    return hasClaimed ? linkBytesPerSec : 0;
  }

  /** How fast its link is said to be, has shown to be, or is assumed to be, bytes per second. */
  public synchronized double linkBytesPerSec() {
    return linkBytesPerSec;
  }

  /** The most that a disk of it wrote while it was busy, bytes per second; 0 = unknown. */
  public synchronized double diskWriteBytesPerSec() {
    return diskWriteBytesPerSec;
  }

  /** Writes the current estimate into a snapshot that is being built. */
  public synchronized void copyTo(LinkSnapshot.Builder snapshot, int node, long nowMs) {
    LinkSource source =
        isMeasured(nowMs)
            ? LinkSource.MEASURED
            : isDerived(nowMs) ? LinkSource.DERIVED : LinkSource.MISSING;
    long atMs = source == LinkSource.DERIVED ? derivedAtMs : measuredAtMs;
    double sinceSec = atMs == Long.MIN_VALUE ? 0 : Math.max(0, nowMs - atMs) / 1000.0;
    double rx = now(rxBytesPerSec, rxTrend, sinceSec);
    double tx = now(txBytesPerSec, txTrend, sinceSec);
    snapshot.host(node, source, linkBytesPerSec, doubted(rx), doubted(tx), sequence, atMs);
    snapshot.means(node, doubted(meanRxBytesPerSec), doubted(meanTxBytesPerSec));
    snapshot.saturated(node, isSaturatedRx, isSaturatedTx);
    if (isApart && source == LinkSource.MEASURED) {
      int overLink = own == null ? 0 : own.overLink();
      int acrossRacks = own == null ? 0 : own.acrossRacks();
      snapshot.apart(
          node,
          doubted(othersRx(rx)),
          doubted(othersTx(tx)),
          overLink + foreignWriters,
          acrossRacks + foreignWriters);
    }
  }

  /** What a rate has become: its trend goes on, and dies away. */
  private double now(double bytesPerSec, double trend, double sinceSec) {
    double dying = TREND_HALF_LIFE_SEC / Smoothing.LN2;
    double followedSec = dying * (1 - Smoothing.left(sinceSec, TREND_HALF_LIFE_SEC));
    return Math.max(0, Math.min(linkBytesPerSec, bytesPerSec + trend * followedSec));
  }

  private double doubted(double bytesPerSec) {
    return bytesPerSec + doubt * Math.max(0, linkBytesPerSec - bytesPerSec);
  }

  /**
   * Received beside blocks. Those of writers on the DataNode itself are counted as blocks, too, and
   * came over no link: their part is of others.
   */
  private double othersRx(double rx) {
    double others = othersRxBytesPerSec + localShare() * blocksRxBytesPerSec;
    return rxBytesPerSec == 0 ? 0 : Math.min(1, others / rxBytesPerSec) * rx;
  }

  /**
   * Sent beside blocks that came over the link and are passed on; what writers on the DataNode
   * itself send is of others. How much of what it receives a DataNode passes on it does not say:
   * all of it is taken for that.
   */
  private double othersTx(double tx) {
    return Math.max(0, tx - (1 - localShare()) * blocksRxBytesPerSec);
  }

  /** Share of the blocks under way whose writers are on the DataNode itself. */
  private double localShare() {
    int local = own == null ? 0 : own.size() - own.overLink();
    return local == 0 ? 0 : (double) local / (own.size() + foreignWriters);
  }
}
