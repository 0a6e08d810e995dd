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

  /** A third of the racks, and every rack equally often in a run. */
  public static WritesSettings standard() {
    return new WritesSettings(2, 20_000, 4_000, 116_000, 0.3, 8L << 20, 2);
  }

  /** A run of three periods, in which every rack is hot once. */
  public static WritesSettings quick() {
    return new WritesSettings(2, 20_000, 4_000, 56_000, 0.3, 8L << 20, 2);
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
