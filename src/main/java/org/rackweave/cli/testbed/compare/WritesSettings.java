package org.rackweave.cli.testbed.compare;

/**
 * The size of a comparison of writes. Everything that shapes the figures beside the testbed itself
 * is here and is printed with them.
 *
 * @param hotRacks racks that carry background load at any time
 * @param hotPeriodMs how long a set of racks stays hot before the load moves on
 * @param settleMs background load alone, before the first write of a run
 * @param arrivalsMs how long writes begin in a run
 * @param writesPerSec how often each writer begins a write, on average
 * @param blockBytes what is written each time: a file of one block
 * @param verifiedPerWriter files of each writer that are read back after the run, by another one
 */
public record WritesSettings(
    int hotRacks,
    int hotPeriodMs,
    int settleMs,
    int arrivalsMs,
    double writesPerSec,
    long blockBytes,
    int verifiedPerWriter) {

  /** Writes begin after the load has settled, and for no less than two minutes altogether. */
  private static final int RUN_MS = 120_000;

  private static final int QUICK_RUN_MS = 60_000;
  private static final int SETTLE_MS = 4_000;

  /** In so many periods every rack of six is hot once. */
  private static final int CYCLE_PERIODS = 3;

  /**
   * A third of the racks, and every rack equally often in a run.
   *
   * @param hotPeriodMs at least a second
   */
  public static WritesSettings standard(int hotPeriodMs) {
    return of(hotPeriodMs, RUN_MS);
  }

  /** The same with half as many writes. */
  public static WritesSettings quick(int hotPeriodMs) {
    return of(hotPeriodMs, QUICK_RUN_MS);
  }

  /** Of a run with large blocks, all in memory three times. */
  private static final double LARGE_BLOCKS = 28;

  private static final double LARGE_WRITES_PER_SEC = 0.04;
  private static final int RACKS = 6;

  /**
   * The same with blocks of 128 MiB, for links of 1 Gbit/s, and far fewer of them: a pipeline that
   * fills such a link takes a processor core.
   */
  WritesSettings withLargeBlocks() {
    double seconds = arrivalsMs / 1000.0;
    return new WritesSettings(
        hotRacks,
        hotPeriodMs,
        settleMs,
        arrivalsMs,
        Math.min(LARGE_WRITES_PER_SEC, LARGE_BLOCKS / (RACKS * seconds)),
        128L << 20,
        verifiedPerWriter);
  }

  private static WritesSettings of(int hotPeriodMs, int leastMs) {
    int cycleMs = CYCLE_PERIODS * hotPeriodMs;
    int runMs = (leastMs + cycleMs - 1) / cycleMs * cycleMs;
    return new WritesSettings(2, hotPeriodMs, SETTLE_MS, runMs - SETTLE_MS, 0.3, 8L << 20, 2);
  }

  /** Periods that begin while writes still do. */
  int periods() {
    return (settleMs + arrivalsMs - 1) / hotPeriodMs + 1;
  }

  /** Milliseconds from the start of a run to its last possible new write. */
  int endMs() {
    return settleMs + arrivalsMs;
  }
}
