package org.rackweave.hdfs;

import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.rackweave.ear.EncodingTerms;
import org.rackweave.ear.ErasureCode;
import org.rackweave.ear.PathCodes;
import org.rackweave.ear.StripeMaintenance;
import org.rackweave.ear.StripeRecord;
import org.rackweave.ear.StripeRules;
import org.rackweave.rules.RuleSet;

/**
 * What is to be encoded, and how stripes are formed; checked.
 *
 * @param isOn whether there is anything to be encoded
 * @param paths which files, by which code and when
 * @param forming how stripes are formed
 * @param searchIntervalMs rest between two searches for blocks that are in no stripe
 * @param parityDirectory where parity files are kept, which are never encoded themselves
 * @param encodeConcurrent stripes encoded at a time
 * @param encodeBytesPerSec most that a DataNode reads for one stripe in a second; 0 = no limit
 * @param repairConcurrent stripes repaired at a time
 * @param margin failures a stripe is to survive when others of its blocks have been deleted
 * @param auditIntervalMs rest between two looks at all encoded stripes
 * @param changeWaitMs how long a call waits that changes an encoded block
 * @param safeModeGraceMs how long nobody has to have reported anything before safe mode at start
 *     stops waiting for blocks that can be decoded
 * @param ranking who is asked for the nodes of replicas
 */
public record EarConfig(
    boolean isOn,
    PathCodes paths,
    Forming forming,
    long searchIntervalMs,
    String parityDirectory,
    int encodeConcurrent,
    long encodeBytesPerSec,
    int repairConcurrent,
    int margin,
    long auditIntervalMs,
    long changeWaitMs,
    long safeModeGraceMs,
    EarConfig.Ranking ranking) {

  /**
   * How stripes are formed, of whatever code.
   *
   * @param rackLimit see {@link StripeRules}, as the others
   */
  public record Forming(int rackLimit, int targetRacks, long sealAgeMs) {

    StripeRules of(ErasureCode code) {
      return StripeRules.of(code)
          .withRackLimit(rackLimit)
          .withTargetRacks(targetRacks)
          .withSealAgeMs(sealAgeMs);
    }

    private void check(ErasureCode code) {
      try {
        of(code);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            PaperConstants.name(PaperConstants.EAR_RACK_LIMIT)
                + " = '"
                + rackLimit
                + "', "
                + PaperConstants.name(PaperConstants.EAR_TARGET_RACKS)
                + " = '"
                + targetRacks
                + "': "
                + e.getMessage(),
            e);
      }
    }
  }

  /** Who proposes nodes for EAR's own policy, within what stripes allow. */
  public enum Ranking {
    /** Chance, as in the paper; files of no code are stock's. */
    RANDOM,
    /** The links' room; files of no code are placed by it too. */
    SINBAD
  }

  /** Most stripes encoded at a time, for all requests together. */
  public static final int ENCODE_CONCURRENT_MAX = 1000;

  private static final Pattern PARITY_DIRECTORY =
      Pattern.compile("/(?!\\.reserved)[^/=,]+(/[^/=,]+)*");
  private static final long SECOND = 1000;
  private static final long HOUR = 3600 * SECOND;

  /** Reads and checks every key, with no rules in the namespace. */
  public static EarConfig from(Configuration conf) {
    return from(conf, ConfiguredRules.of(conf));
  }

  /**
   * Reads and checks every key.
   *
   * @param said rules that are in force
   * @throws IllegalArgumentException naming the key, the value and the allowed range
   */
  public static EarConfig from(Configuration conf, RuleSet said) {
    ConfigReader read = ConfigReader.withPaper(conf);
    String parityDirectory =
        read.text(
            ConfigKeys.EAR_PARITY_DIRECTORY,
            "/.rackweave/parity",
            PARITY_DIRECTORY,
            "an absolute path without a slash at its end, other than the root and outside"
                + " /.reserved");
    PathCodes paths = PathCodes.of(said, terms(read)).leaving(parityDirectory);
    Forming forming =
        new Forming(
            (int) read.wholeNumber(PaperConstants.EAR_RACK_LIMIT, 1, 1, ErasureCode.BLOCKS_MAX),
            (int)
                read.wholeNumber(
                    PaperConstants.EAR_TARGET_RACKS, StripeRules.ALL_RACKS, 0, 1_000_000),
            read.durationMs(ConfigKeys.EAR_SEAL_AGE, 24 * HOUR, SECOND, 365 * 24 * HOUR));
    paths.codes().forEach(forming::check);
    return new EarConfig(
        !paths.codes().isEmpty(),
        paths,
        forming,
        read.durationMs(ConfigKeys.EAR_SEARCH_INTERVAL, 600 * SECOND, SECOND, 24 * HOUR),
        parityDirectory,
        (int) read.wholeNumber(ConfigKeys.EAR_ENCODE_CONCURRENT, 0, 0, ENCODE_CONCURRENT_MAX),
        read.wholeNumber(ConfigKeys.EAR_ENCODE_BYTES_PER_SEC, 0, 0, 1_000_000_000_000L),
        (int) read.wholeNumber(ConfigKeys.EAR_REPAIR_CONCURRENT, 8, 0, 1000),
        (int) read.wholeNumber(ConfigKeys.EAR_MARGIN, 2, 0, ErasureCode.BLOCKS_MAX),
        read.durationMs(ConfigKeys.EAR_AUDIT_INTERVAL, 600 * SECOND, SECOND, 24 * HOUR),
        read.durationMs(ConfigKeys.EAR_CHANGE_WAIT, 60 * SECOND, 0, 600 * SECOND),
        read.durationMs(ConfigKeys.EAR_SAFE_MODE_GRACE, 60 * SECOND, SECOND, 24 * HOUR),
        read.choice(RemovedKeys.EAR_RANKING, Ranking.RANDOM));
  }

  /** How stripes of a code are formed, whether or not some path still has that code. */
  public StripeRules rulesOf(ErasureCode code) {
    try {
      return forming.of(code);
    } catch (IllegalArgumentException e) {
      return StripeRules.of(code); // of before a limit was changed
    }
  }

  /** How an encoded stripe is to lie: with the limit it was laid out for. */
  public StripeRules rulesOf(StripeRecord stripe) {
    return rulesOf(stripe.code()).withRackLimit(stripe.rackLimit());
  }

  /** What to do with an encoded stripe whose members are so. */
  public StripeMaintenance.Care careOf(
      StripeRecord stripe, List<StripeMaintenance.MemberState> members) {
    return StripeMaintenance.decide(
        members, StripeMaintenance.margin(rulesOf(stripe), margin), stripe.code().parityBlocks());
  }

  private static EncodingTerms terms(ConfigReader read) {
    return new EncodingTerms(
        read.durationMs(RemovedKeys.EAR_ENCODE_AGE, HOUR, 0, 365 * 24 * HOUR),
        read.durationMs(RemovedKeys.EAR_ENCODE_QUIET, 0, 0, 365 * 24 * HOUR),
        read.wholeNumber(RemovedKeys.EAR_ENCODE_SIZE_MIN, 0, 0, 1L << 50));
  }
}
