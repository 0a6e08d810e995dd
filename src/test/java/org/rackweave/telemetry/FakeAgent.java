package org.rackweave.telemetry;

import java.util.List;
import java.util.Optional;

/** An agent whose counters a test moves by hand; its reports take the way over the wire. */
final class FakeAgent {
  private long epochMs;
  private long uptimeMs;
  private long rxBytes;
  private long txBytes;
  private long diskBytes;
  private long blockBytes;
  private long linkBytesPerSec;
  private long clockAheadMs;
  private int writers;
  private LinkRates rates;
  private Saturation saturation = Saturation.NONE;

  FakeAgent(long epochMs) {
    this.epochMs = epochMs;
  }

  /** Time passes on the agent's clock while traffic flows. */
  FakeAgent runs(long ms, long rxMb, long txMb) {
    uptimeMs += ms;
    rxBytes += rxMb * 1_000_000;
    txBytes += txMb * 1_000_000;
    return this;
  }

  FakeAgent restarts(long newEpochMs) {
    epochMs = newEpochMs;
    uptimeMs = 0;
    rxBytes = 0;
    txBytes = 0;
    return this;
  }

  FakeAgent disk(long bytes) {
    diskBytes = bytes;
    return this;
  }

  /** So much of what was received since the agent began was of blocks. */
  FakeAgent receivesBlocks(long mb) {
    blockBytes += mb * 1_000_000;
    return this;
  }

  /** What it sees of its link from now on; an older agent sees nothing. */
  FakeAgent sees(LinkRates now) {
    rates = now;
    return this;
  }

  FakeAgent saturates(Saturation now) {
    saturation = now;
    return this;
  }

  FakeAgent writers(int count) {
    writers = count;
    return this;
  }

  FakeAgent link(long mbPerSec) {
    linkBytesPerSec = mbPerSec * 1_000_000;
    return this;
  }

  FakeAgent clockAhead(long ms) {
    clockAheadMs = ms;
    return this;
  }

  ReportReader report() {
    byte[] bytes = bytes();
    ReportReader reader = new ReportReader();
    DropCause fault = reader.read(bytes, 0, bytes.length);
    if (fault != null) {
      throw new AssertionError("unreadable: " + fault);
    }
    return reader;
  }

  /** The report as it travels. */
  byte[] bytes() {
    HeartbeatReport report =
        new HeartbeatReport(
            epochMs,
            epochMs + uptimeMs + clockAheadMs,
            uptimeMs,
            rxBytes,
            txBytes,
            linkBytesPerSec,
            diskBytes,
            blockBytes,
            0,
            0,
            writers,
            List.of(),
            HeartbeatReport.UNKNOWN,
            Optional.ofNullable(rates),
            saturation);
    return HeartbeatReportCodec.encode(report);
  }

  /** The agent's wall clock without its error. */
  long wallMs() {
    return epochMs + uptimeMs;
  }
}
