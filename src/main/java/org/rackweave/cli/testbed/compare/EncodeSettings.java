package org.rackweave.cli.testbed.compare;

import java.util.Map;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.StripeRules;
import org.rackweave.hdfs.ConfigKeys;

/**
 * The size of a comparison of encodings.
 *
 * @param hotRacks racks that carry background load at any time
 * @param hotPeriodMs how long a set of racks stays hot before the load moves on
 * @param filesPerNode files of one block that are written on each DataNode
 * @param blockBytes size of each
 * @param settleMs background load and other writes alone, before anything is encoded
 * @param writesPerSec how often each writer of the other writes begins one, on average
 */
record EncodeSettings(
    int hotRacks,
    int hotPeriodMs,
    int filesPerNode,
    long blockBytes,
    int settleMs,
    double writesPerSec) {

  /** The widest of HDFS's own codes that a small testbed has room for. */
  static final ErasureCode CODE = new ErasureCode(6, 3);

  /** The same by HDFS's name. */
  static final String STOCK_CODE = "RS-6-3-1024k";

  /** Of a stripe in a rack: nine blocks fit into five racks then, and any rack may go. */
  static final int RACK_LIMIT = 2;

  /** Stripes encoded at a time when EAR is tuned; as many nodes encode at any node. */
  private static final int CONCURRENT = 12;

  /** No encoding takes longer; load is planned for so long. */
  static final int LONGEST_MS = 600_000;

  /** The name of a code in rules, and its limit. */
  static StripeRules rules() {
    return StripeRules.of(CODE).withRackLimit(RACK_LIMIT);
  }

  /**
   * EAR tuned to encode as many stripes at a time as there are nodes, and only when it is told, as
   * no file is an hour old.
   */
  static Map<String, String> tuned() {
    return Map.of(ConfigKeys.EAR_ENCODE_CONCURRENT, String.valueOf(CONCURRENT));
  }

  /** As many stripes as there are DataNodes in a testbed of six racks of two. */
  static EncodeSettings standard() {
    return new EncodeSettings(2, 20_000, 6, 8L << 20, 10_000, 0.1);
  }

  /** The same, shorter. */
  static EncodeSettings quick() {
    return new EncodeSettings(2, 20_000, 4, 8L << 20, 6_000, 0.1);
  }
}
