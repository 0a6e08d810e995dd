package org.rackweave.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Reports of every magnitude: small, typical and at the edges. */
final class RandomReports {

  private RandomReports() {}

  static HeartbeatReport next(Random random) {
    List<BlockReads> topReads = new ArrayList<>();
    if (random.nextInt(4) == 0) {
      int count = 1 + random.nextInt(20);
      for (int i = 0; i < count; i++) {
        topReads.add(new BlockReads(random.nextLong(), upTo(random, BlockReads.MAX_READS)));
      }
    }
    Optional<LinkRates> rates =
        random.nextInt(3) == 0 ? Optional.of(rates(random)) : Optional.empty();
    return new HeartbeatReport(
        upTo(random, HeartbeatReport.MAX_TIME_MS),
        upTo(random, HeartbeatReport.MAX_TIME_MS),
        upTo(random, HeartbeatReport.MAX_TIME_MS),
        upTo(random, Long.MAX_VALUE),
        upTo(random, Long.MAX_VALUE),
        upTo(random, HeartbeatReport.MAX_LINK_BYTES_PER_SEC),
        upTo(random, Long.MAX_VALUE),
        rates.isPresent() || random.nextInt(3) == 0 ? 0 : upTo(random, Long.MAX_VALUE),
        random.nextInt(5) == 0 ? random.nextInt(2) : random.nextFloat(),
        (int) upTo(random, HeartbeatReport.MAX_TRANSFERS),
        (int) upTo(random, HeartbeatReport.MAX_TRANSFERS),
        topReads,
        random.nextInt(3) == 0 ? upTo(random, BlockReads.MAX_READS) : HeartbeatReport.UNKNOWN,
        rates,
        rates.isPresent() ? saturation(random) : Saturation.NONE);
  }

  /** Rates that codes are exact for. */
  static LinkRates rates(Random random) {
    boolean tellsBlocksApart = random.nextBoolean();
    return new LinkRates(
        rate(random),
        rate(random),
        rate(random),
        tellsBlocksApart ? rate(random) : LinkRates.UNKNOWN,
        rate(random),
        rate(random),
        RateCode.trend(random.nextInt(1 << RateCode.BITS)) + 0.0,
        RateCode.trend(random.nextInt(1 << RateCode.BITS)) + 0.0);
  }

  /** What a code is exact for. */
  private static Saturation saturation(Random random) {
    return Saturation.of((byte) random.nextInt(256));
  }

  private static double rate(Random random) {
    return RateCode.rate(random.nextInt(RateCode.UNKNOWN));
  }

  /** Any number of bits is as likely as any other. */
  private static long upTo(Random random, long max) {
    if (random.nextInt(10) == 0) {
      return max;
    }
    return (random.nextLong() >>> 1 >>> random.nextInt(63)) & max;
  }
}
