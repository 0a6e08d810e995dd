package org.rackweave.cli.testbed.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.rackweave.cli.experiment.OpenLoad;
import org.rackweave.cli.experiment.Seeded;
import org.rackweave.ear.ErasureCode;

/**
 * What happens in a run of all features, drawn from its seed alone: both sides meet the same.
 * DataNodes and racks are numbered from 0, rack by rack.
 *
 * @param settings how large it is
 * @param writes under moving load, and which racks are hot when
 * @param lost who dies, and what it holds beside what comes to lie there
 * @param reads while files become stripes
 * @param degraded reads of what has become stripes, from when the DataNode dies
 */
record AllPlan(
    Settings settings,
    WritesPlan writes,
    Filling lost,
    List<ReadsPlan.Planned> reads,
    List<ReadsPlan.Planned> degraded) {

  /**
   * Size and course. Times run from when the load begins.
   *
   * @param writes how much is written under moving load
   * @param blockBytes size of all blocks but those
   * @param warehouseFiles files that become stripes, of as many blocks as a stripe has data
   * @param readFiles files of a block that are read, the first of which gets hot
   * @param lostFiles files of a block with a replica on the DataNode that dies
   * @param readsPerSec reads that begin in a second
   * @param hotShare share of them that go to the hot file once it is hot
   * @param hotFromMs when it gets hot
   * @param encodeAtMs when the warehouse is to become stripes
   * @param readsUntilMs when reads end
   * @param degradedReadsPerSec reads of the warehouse while a DataNode is dead
   * @param factorMax replicas that readers may raise a file to
   */
  record Settings(
      WritesSettings writes,
      long blockBytes,
      int warehouseFiles,
      int readFiles,
      int lostFiles,
      double readsPerSec,
      double hotShare,
      int hotFromMs,
      int encodeAtMs,
      int readsUntilMs,
      double degradedReadsPerSec,
      int factorMax) {
    private static final int BLOCK_BYTES = 4 << 20;
    private static final int VERIFIED_LATER = 0;

    /** Five minutes a side. */
    static Settings standard() {
      return new Settings(
          new WritesSettings(2, 20_000, 4_000, 50_000, 0.2, 8L << 20, VERIFIED_LATER),
          BLOCK_BYTES,
          24,
          12,
          40,
          5,
          0.6,
          20_000,
          65_000,
          110_000,
          1,
          6);
    }

    /** The same, shorter. */
    static Settings quick() {
      return new Settings(
          new WritesSettings(2, 10_000, 2_000, 26_000, 0.2, 8L << 20, VERIFIED_LATER),
          BLOCK_BYTES,
          12,
          6,
          20,
          4,
          0.6,
          8_000,
          35_000,
          60_000,
          1,
          6);
    }

    /** Bytes of a file that becomes stripes. */
    long warehouseBytes() {
      return CODE.dataBlocks() * blockBytes;
    }
  }

  /**
   * Six racks have one for each of its units. Of a wider one stock HDFS has units that share a rack
   * though another rack has none, tries to spread them, and makes nothing of their stripe again as
   * long as that is pending, which is five minutes.
   */
  static final ErasureCode CODE = new ErasureCode(3, 2);

  /** The same by HDFS's name. */
  static final String STOCK_CODE = "RS-3-2-1024k";

  /** A rebuild takes no longer, from the death. */
  static final int LONGEST_MS = 240_000;

  /**
   * Draws a plan.
   *
   * @param nodesPerRack DataNodes of every rack, at least 2
   * @param uplinkBytesPerSec speed of a rack's link to the core
   */
  static AllPlan draw(
      Settings settings, int racks, int nodesPerRack, long uplinkBytesPerSec, long seed) {
    int nodes = racks * nodesPerRack;
    Random random = Seeded.random(seed);
    Filling lost =
        Filling.draw(
            random,
            racks,
            nodesPerRack,
            uplinkBytesPerSec,
            settings.lostFiles(),
            settings.blockBytes());
    SplittableRandom times = new SplittableRandom(seed);
    List<ReadsPlan.Planned> reads = new ArrayList<>();
    for (int atMs :
        OpenLoad.poisson(
            times, settings.readsPerSec(), settings.writes().settleMs(), settings.readsUntilMs())) {
      boolean isHot = atMs >= settings.hotFromMs() && random.nextDouble() < settings.hotShare();
      int file = isHot ? 0 : random.nextInt(settings.readFiles());
      reads.add(new ReadsPlan.Planned(reads.size(), random.nextInt(nodes), atMs, file));
    }
    List<ReadsPlan.Planned> degraded = new ArrayList<>();
    for (int atMs : OpenLoad.poisson(times, settings.degradedReadsPerSec(), 0, LONGEST_MS)) {
      int file = random.nextInt(settings.warehouseFiles());
      degraded.add(new ReadsPlan.Planned(degraded.size(), random.nextInt(nodes), atMs, file));
    }
    return new AllPlan(
        settings,
        WritesPlan.draw(settings.writes(), racks, nodes, seed),
        lost,
        List.copyOf(reads),
        List.copyOf(degraded));
  }
}
