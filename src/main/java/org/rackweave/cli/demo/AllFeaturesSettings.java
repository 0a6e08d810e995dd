package org.rackweave.cli.demo;

import java.util.Locale;

/**
 * Size and course of the demo of all features. Times run from when the load begins.
 *
 * @param cluster the cluster, its background load and its writers
 * @param dataUnits blocks of a stripe's data
 * @param parityUnits blocks of a stripe's parity
 * @param rackLimit blocks of a stripe in a rack at most
 * @param warehouseFiles files that become stripes, of {@code dataUnits} blocks each
 * @param readFiles files of a block that are read, the first of which gets hot
 * @param lostFiles files of a block with a replica on the DataNode that dies
 * @param readsPerSec reads that begin in a second
 * @param hotShare share of them that go to the hot file once it is hot
 * @param hotFromMs when it gets hot
 * @param readsUntilMs when reads end
 * @param degradedReadsPerSec reads of striped files while a DataNode is dead
 * @param factorMax replicas that readers may raise a file to
 */
record AllFeaturesSettings(
    DemoSettings cluster,
    int dataUnits,
    int parityUnits,
    int rackLimit,
    int warehouseFiles,
    int readFiles,
    int lostFiles,
    double readsPerSec,
    double hotShare,
    int hotFromMs,
    int readsUntilMs,
    double degradedReadsPerSec,
    int factorMax) {

  /** What {@code bin/rackweave demo} runs. */
  static AllFeaturesSettings standard() {
    DemoSettings cluster =
        new DemoSettings(
            6, 2, 2, 8 << 20, 0.25, 10_000, 2_000, 18_000, 1, 0.75, 1 << 20, 2, 3, 500);
    return new AllFeaturesSettings(cluster, 6, 3, 2, 12, 12, 64, 28, 0.7, 8_000, 36_000, 3, 6);
  }

  /** A few seconds of the same, for tests. */
  static AllFeaturesSettings brief() {
    DemoSettings cluster =
        new DemoSettings(3, 2, 1, 8 << 20, 0.25, 2_000, 500, 3_000, 1, 0.5, 1 << 20, 2, 1, 500);
    return new AllFeaturesSettings(cluster, 3, 2, 2, 3, 3, 6, 10, 0.7, 1_000, 6_000, 3, 4);
  }

  /** Data and parity units, as {@code RS-6-3}. */
  String code() {
    return String.format(Locale.ROOT, "RS-%d-%d", dataUnits, parityUnits);
  }

  /** The DataNode that dies: the last, whose background load is over by then. */
  int victim() {
    return cluster.nodes() - 1;
  }

  /** When writes are over, if they take no longer than they should. */
  int writesUntilMs() {
    return cluster.settleMs() + cluster.arrivalsMs();
  }
}
