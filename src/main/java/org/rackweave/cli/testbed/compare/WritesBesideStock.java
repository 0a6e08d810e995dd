package org.rackweave.cli.testbed.compare;

import java.util.List;
import java.util.Locale;
import org.rackweave.cli.experiment.Spread;
import org.rackweave.cli.testbed.compare.ClassSpeeds.ClassSpeed;

/**
 * What a placement policy reaches with writes, and what it has to.
 *
 * @param runs the policy beside stock
 */
record WritesBesideStock(BesideBaseline<WritesRun> runs) {

  private static final double COLD_SPEED_UP_MIN = 2.0;
  private static final double AVOIDED_MIN = 0.90;
  private static final double STORAGE_CV_MORE_MAX = 0.10;

  /**
   * Something a policy has to reach.
   *
   * @param key name in JSON
   * @param what name for people
   * @param wanted the limit in words
   * @param reached what was reached
   * @param met whether that is enough
   */
  record Must(String key, String what, String wanted, Spread reached, boolean met) {}

  /**
   * Of the blocks with a cold writer that stock sends to a hot rack, the share that the policy
   * sends elsewhere: 1 less the policy's share of such blocks over stock's.
   */
  Spread hotTargetAvoided() {
    Spread left =
        Spread.ofRatio(
            WritesFigures.COLD_TO_HOT.bySeed(runs.runs()),
            WritesFigures.COLD_TO_HOT.bySeed(runs.baseline()));
    return new Spread(1 - left.mean(), left.sd(), 1 - left.high(), 1 - left.low(), left.seeds());
  }

  /** How many times as fast the overall mean could be if nothing but targets were changed. */
  Spread ceilingSpeedUp() {
    return Spread.ofRatio(
        WritesFigures.MEAN.bySeed(runs.baseline()), WritesFigures.CEILING.bySeed(runs.baseline()));
  }

  /** Every class of blocks beside stock's. */
  List<ClassSpeed> classes() {
    return ClassSpeeds.of(runs);
  }

  /** What has to be reached. */
  List<Must> musts() {
    Spread cold = runs.speedUp(WritesFigures.COLD_WRITER_MEAN);
    Spread avoided = hotTargetAvoided();
    Spread linkCv = runs.difference(WritesFigures.LINK_CV);
    Spread storageCv = runs.difference(WritesFigures.STORAGE_CV);
    return List.of(
        new Must(
            "cold_writer_speed_up",
            "writer cold: times as fast as stock",
            ">= " + COLD_SPEED_UP_MIN,
            cold,
            cold.mean() >= COLD_SPEED_UP_MIN),
        new Must(
            "hot_target_avoided_of_stock",
            "writer cold: hot targets of stock avoided",
            String.format(Locale.ROOT, ">= %.2f", AVOIDED_MIN),
            avoided,
            avoided.mean() >= AVOIDED_MIN),
        new Must(
            "link_cv_difference",
            "received by DataNodes, Cv less stock's",
            "< 0",
            linkCv,
            linkCv.mean() < 0),
        new Must(
            "storage_cv_difference",
            "stored by DataNodes, sd/mean less stock's",
            String.format(Locale.ROOT, "<= %.2f", STORAGE_CV_MORE_MAX),
            storageCv,
            storageCv.mean() <= STORAGE_CV_MORE_MAX));
  }
}
