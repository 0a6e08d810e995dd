package org.rackweave.hdfs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.rackweave.ear.EncodingTerms;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.PathCodes;
import org.rackweave.ear.StripeCare;
import org.rackweave.ear.StripeRecord;
import org.rackweave.ear.StripeRules;

/**
 * What is to be encoded, and how stripes are formed; read once and checked.
 *
 * @param isOn whether there is anything to be encoded, or that may have been
 * @param paths which files, by which code and when
 * @param rules how stripes of each of these codes are formed
 * @param searchIntervalMs rest between two searches for blocks that are in no stripe
 * @param parityDirectory where parity files are kept, which are never encoded themselves
 * @param encodeConcurrent stripes encoded at a time
 * @param encodeBytesPerSec most that a DataNode reads for one stripe in a second; 0 = no limit
 * @param repairConcurrent stripes repaired at a time
 * @param margin failures a stripe is to survive when others of its blocks have been deleted
 * @param auditIntervalMs rest between two looks at all encoded stripes
 * @param restoreBlocksMax blocks that get their replicas back at a time
 * @param changeWaitMs how long a call waits that changes an encoded block
 * @param safeModeGraceMs how long nobody has to have reported anything before safe mode at start
 *     stops waiting for blocks that can be decoded
 * @param ranking who is asked for the nodes of replicas
 */
public record EarConfig(
    boolean isOn,
    PathCodes paths,
    Map<ErasureCode, StripeRules> rules,
    long searchIntervalMs,
    String parityDirectory,
    int encodeConcurrent,
    long encodeBytesPerSec,
    int repairConcurrent,
    int margin,
    long auditIntervalMs,
    int restoreBlocksMax,
    long changeWaitMs,
    long safeModeGraceMs,
    EarConfig.Ranking ranking) {

  /** Who proposes nodes, within what stripes allow. */
  public enum Ranking {
    /** Chance, as in the paper; files of no code are stock's. */
    RANDOM,
    /** The links' room; files of no code are placed by it too. */
    SINBAD
  }

  private static final Pattern PARITY_DIRECTORY =
      Pattern.compile("/(?!\\.reserved)[^/=,]+(/[^/=,]+)*");
  private static final String NOT_USED = "unused";
  private static final long SECOND = 1000;
  private static final long HOUR = 3600 * SECOND;

  /**
   * Reads and checks every key.
   *
   * @throws IllegalArgumentException naming the key, the value and the allowed range
   */
  public static EarConfig from(Configuration conf) {
    ConfigReader read = new ConfigReader(conf);
    String parityDirectory =
        read.text(
            ConfigKeys.EAR_PARITY_DIRECTORY,
            "/.rackweave/parity",
            PARITY_DIRECTORY,
            "an absolute path without a slash at its end, other than the root and outside /.reserved");
    PathCodes paths = paths(conf, terms(read)).leaving(parityDirectory);
    int rackLimit = (int) read.wholeNumber(ConfigKeys.EAR_RACK_LIMIT, 1, 1, ErasureCode.BLOCKS_MAX);
    int targetRacks =
        (int) read.wholeNumber(ConfigKeys.EAR_TARGET_RACKS, StripeRules.ALL_RACKS, 0, 1_000_000);
    int openMax = (int) read.wholeNumber(ConfigKeys.EAR_OPEN_STRIPES_MAX, 4, 1, 1000);
    long sealAgeMs = read.durationMs(ConfigKeys.EAR_SEAL_AGE, 24 * HOUR, SECOND, 365 * 24 * HOUR);
    long seatAgeMs = read.durationMs(ConfigKeys.EAR_SEAT_AGE, 600 * SECOND, SECOND, 24 * HOUR);
    Map<ErasureCode, StripeRules> rules = new HashMap<>();
    for (ErasureCode code : paths.codes()) {
      try {
        rules.put(
            code, new StripeRules(code, rackLimit, targetRacks, openMax, sealAgeMs, seatAgeMs));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            ConfigKeys.EAR_RACK_LIMIT
                + " = '"
                + rackLimit
                + "', "
                + ConfigKeys.EAR_TARGET_RACKS
                + " = '"
                + targetRacks
                + "': "
                + e.getMessage(),
            e);
      }
    }
    return new EarConfig(
        !conf.getTrimmed(ConfigKeys.EAR_PATHS, NOT_USED).equals(NOT_USED),
        paths,
        Map.copyOf(rules),
        read.durationMs(ConfigKeys.EAR_SEARCH_INTERVAL, 600 * SECOND, SECOND, 24 * HOUR),
        parityDirectory,
        (int) read.wholeNumber(ConfigKeys.EAR_ENCODE_CONCURRENT, 0, 0, 1000),
        read.wholeNumber(ConfigKeys.EAR_ENCODE_BYTES_PER_SEC, 0, 0, 1_000_000_000_000L),
        (int) read.wholeNumber(ConfigKeys.EAR_REPAIR_CONCURRENT, 8, 0, 1000),
        (int) read.wholeNumber(ConfigKeys.EAR_MARGIN, 2, 0, ErasureCode.BLOCKS_MAX),
        read.durationMs(ConfigKeys.EAR_AUDIT_INTERVAL, 600 * SECOND, SECOND, 24 * HOUR),
        (int) read.wholeNumber(ConfigKeys.EAR_RESTORE_BLOCKS_MAX, 1000, 1, 1_000_000),
        read.durationMs(ConfigKeys.EAR_CHANGE_WAIT, 60 * SECOND, 0, 600 * SECOND),
        read.durationMs(ConfigKeys.EAR_SAFE_MODE_GRACE, 60 * SECOND, SECOND, 24 * HOUR),
        read.choice(ConfigKeys.EAR_RANKING, Ranking.RANDOM));
  }

  /**
   * How an encoded stripe is to lie: with the limit it was laid out for, and whether or not some
   * path still has its code.
   */
  public StripeRules rulesOf(StripeRecord stripe) {
    return rules
        .getOrDefault(stripe.code(), StripeRules.of(stripe.code()))
        .withRackLimit(stripe.rackLimit());
  }

  /** What to do with an encoded stripe whose members are so. */
  public StripeCare.Care careOf(StripeRecord stripe, List<StripeCare.MemberState> members) {
    return StripeCare.decide(
        members, StripeCare.margin(rulesOf(stripe), margin), stripe.code().parityBlocks());
  }

  private static EncodingTerms terms(ConfigReader read) {
    return new EncodingTerms(
        read.durationMs(ConfigKeys.EAR_ENCODE_AGE, HOUR, 0, 365 * 24 * HOUR),
        read.durationMs(ConfigKeys.EAR_ENCODE_QUIET, 0, 0, 365 * 24 * HOUR),
        read.wholeNumber(ConfigKeys.EAR_ENCODE_SIZE_MIN, 0, 0, 1L << 50));
  }

  private static PathCodes paths(Configuration conf, EncodingTerms usual) {
    String text = conf.getTrimmed(ConfigKeys.EAR_PATHS, NOT_USED);
    try {
      return PathCodes.parse(text.equals(NOT_USED) ? "" : text, usual);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          ConfigKeys.EAR_PATHS
              + " = '"
              + text
              + "': allowed is "
              + PathCodes.ALLOWED
              + "; "
              + e.getMessage(),
          e);
    }
  }
}
