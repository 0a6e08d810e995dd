package org.rackweave.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.rackweave.dayu.Brake;
import org.rackweave.dayu.DayuSettings;
import org.rackweave.dayu.RecoveryBandwidth;
import org.rackweave.dayu.Timeslot;

/**
 * How lost replicas are made again; checked.
 *
 * @param anyPolicy whether one of Rackweave's policies will do that has other features only, as a
 *     key of earlier versions has it
 * @param settings of the planner
 * @param slot how time is divided
 * @param bandwidth how much of a link recovery may use
 * @param brake when it waits because too much is lost at once
 * @param blocksMax blocks planned in a slot
 * @param streamsMax most transfers that a DataNode is given at a time
 * @param claimMs how long stock holds back after a sign of life
 */
public record DayuConfig(
    boolean anyPolicy,
    DayuSettings settings,
    Timeslot slot,
    RecoveryBandwidth bandwidth,
    Brake brake,
    int blocksMax,
    int streamsMax,
    long claimMs) {

  private static final long SECOND = 1000;

  /**
   * How long it takes until a plan is carried out, T_schedule: ends before that are none of its.
   */
  private static final double SCHEDULE_SEC = 0.5;

  /** A source is told the rates of a quarter more, and of 512 copies at a time. */
  private static final int STREAMS_MOST = 400;

  /** In place of a B_min that is the same for all links. */
  private static final double SCALED = -1;

  /**
   * Reads and checks every key.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed range
   */
  public static DayuConfig from(Configuration conf) {
    ConfigReader read = ConfigReader.withPaper(conf);
    long slotMs = read.durationMs(ConfigKeys.DAYU_TIMESLOT, 15 * SECOND, SECOND, 600 * SECOND);
    return new DayuConfig(
        read.flag(RemovedKeys.DAYU_ENABLED, false),
        DayuSettings.DEFAULT.withBeta(
            read.number(PaperConstants.DAYU_BETA, DayuSettings.DEFAULT.beta(), 0, 1)),
        new Timeslot(seconds(slotMs), SCHEDULE_SEC),
        bandwidth(read),
        new Brake(
            read.number(ConfigKeys.DAYU_BRAKE_SHARE, 0.1, 0, 1),
            seconds(read.durationMs(ConfigKeys.DAYU_BRAKE_WINDOW, 60 * SECOND, 0, 3600 * SECOND)),
            seconds(
                read.durationMs(ConfigKeys.DAYU_BRAKE_GRACE, 900 * SECOND, 0, 86_400 * SECOND))),
        (int) read.wholeNumber(ConfigKeys.DAYU_BLOCKS_MAX, 100_000, 1, 10_000_000),
        (int) read.wholeNumber(ConfigKeys.DAYU_STREAMS_MAX, 8, 1, STREAMS_MOST),
        read.durationMs(ConfigKeys.DAYU_CLAIM, 10 * SECOND, SECOND, 600 * SECOND));
  }

  private static RecoveryBandwidth bandwidth(ConfigReader read) {
    RecoveryBandwidth scaled = RecoveryBandwidth.SCALED;
    double alpha = read.number(PaperConstants.DAYU_ALPHA, scaled.alpha(), 0.01, 1);
    double minShare = read.number(PaperConstants.DAYU_MIN_SHARE, scaled.minShare(), 0, 1);
    double declared =
        read.numberOr("scaled", PaperConstants.DAYU_MIN_BYTES_PER_SEC, SCALED, 0, 1e12);
    return declared == SCALED
        ? new RecoveryBandwidth(alpha, scaled.minBytesPerSec(), minShare, scaled.leastShare())
        : new RecoveryBandwidth(alpha, declared, minShare);
  }

  /**
   * The same for a NameNode.
   *
   * @param restartMs how much later a copy begins that begins anew
   * @param replanMs from one plan to the next, if half a slot is not shorter
   */
  public DayuConfig withDelays(long restartMs, long replanMs) {
    double replanSec = Math.min(slot.lengthSec() / 2, seconds(replanMs));
    Timeslot later =
        new Timeslot(slot.lengthSec(), slot.scheduleSec(), seconds(restartMs), replanSec);
    return new DayuConfig(
        anyPolicy, settings, later, bandwidth, brake, blocksMax, streamsMax, claimMs);
  }

  /** The same with slots of which each is planned whole, when the one before is over. */
  public DayuConfig withSlotsApart() {
    Timeslot apart = new Timeslot(slot.lengthSec(), slot.scheduleSec(), slot.restartSec());
    return new DayuConfig(
        anyPolicy, settings, apart, bandwidth, brake, blocksMax, streamsMax, claimMs);
  }

  private static double seconds(long ms) {
    return ms / 1000.0;
  }
}
