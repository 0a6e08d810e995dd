package org.rackweave.cli.testbed.compare;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.rackweave.dayu.RecoveryBandwidth;

/**
 * The size of a comparison of recoveries.
 *
 * @param hotRacks racks that carry background load at any time
 * @param hotPeriodMs how long a set of racks stays hot before the load moves on
 * @param blocks replicas the DataNode holds that is killed
 * @param blockBytes size of each
 * @param settleMs background and foreground load alone, before anything is measured
 * @param beforeMs foreground load that is measured before the DataNode is killed
 * @param writesPerSec how often each writer of the foreground load begins a write, on average
 * @param writeBytes what it writes each time; a small block, which stock HDFS places under every
 *     policy, so that what differs is where the lost replicas go
 */
public record RecoverySettings(
    int hotRacks,
    int hotPeriodMs,
    int blocks,
    long blockBytes,
    int settleMs,
    int beforeMs,
    double writesPerSec,
    long writeBytes) {

  /** How much of a link the ideal, and Dayu, leave to others. */
  static final RecoveryBandwidth BANDWIDTH = RecoveryBandwidth.DEFAULT;

  /** No recovery takes longer than this, from the kill; load is planned for so long. */
  static final int LONGEST_MS = 240_000;

  /**
   * Enough operations before and during the recovery for a 90th percentile, and no more than
   * stock's placement can carry: writes into hot racks wait for tens of seconds, and where too many
   * do, pipelines time out and their blocks are re-replicated among those that are measured.
   */
  public static RecoverySettings standard() {
    return new RecoverySettings(2, 20_000, 150, 4L << 20, 4_000, 40_000, 0.3, 1 << 20);
  }

  /** The same, shorter. */
  public static RecoverySettings quick() {
    return new RecoverySettings(2, 20_000, 60, 4L << 20, 4_000, 20_000, 0.3, 1 << 20);
  }

  /**
   * What a figure of a recovery means nothing without, as names and values.
   *
   * @param heartbeatSec time between two heartbeats of a DataNode
   */
  Map<String, String> facts(long heartbeatSec) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put(
        "block size",
        String.format(
            Locale.ROOT, "%.0f MiB, %d blocks lost", blockBytes / (double) (1 << 20), blocks));
    facts.put("heartbeat interval", heartbeatSec + " s");
    facts.put(
        "foreground",
        String.format(
            Locale.ROOT,
            "writes of %.0f MiB, %.1f a second on every other DataNode",
            writeBytes / (double) (1 << 20),
            writesPerSec));
    return facts;
  }

  /** When the DataNode is killed, in milliseconds after the start of the run. */
  int killAtMs() {
    return settleMs + beforeMs;
  }
}
