package org.rackweave.hdfs;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/**
 * Constants of the papers, all in one key: {@code dayu.alpha=0.8 eafr.tau-load=0.7}. In earlier
 * versions each was a key of its own, its word with {@value #PREFIX} before it. Code names them so,
 * and such keys are read where no word says otherwise.
 */
public final class PaperConstants {
  static final String PREFIX = "rackweave.";

  public static final String EAR_RACK_LIMIT = PREFIX + "ear.rack-limit";
  public static final String EAR_TARGET_RACKS = PREFIX + "ear.target-racks";
  public static final String DAYU_ALPHA = PREFIX + "dayu.alpha";
  public static final String DAYU_BETA = PREFIX + "dayu.beta";
  public static final String DAYU_MIN_BYTES_PER_SEC = PREFIX + "dayu.min.bytes-per-sec";
  public static final String DAYU_MIN_SHARE = PREFIX + "dayu.min.share";
  public static final String EAFR_THRESHOLDS = PREFIX + "eafr.thresholds";
  public static final String EAFR_TAU_UPPER = PREFIX + "eafr.tau-upper";
  public static final String EAFR_TAU_LOWER = PREFIX + "eafr.tau-lower";
  public static final String EAFR_SIGMA_UPPER = PREFIX + "eafr.sigma-upper";
  public static final String EAFR_SIGMA_LOWER = PREFIX + "eafr.sigma-lower";
  public static final String EAFR_GAMMA_READS = PREFIX + "eafr.gamma-reads";
  public static final String EAFR_GAMMA_SERVERS = PREFIX + "eafr.gamma-servers";
  public static final String EAFR_TAU_LOAD = PREFIX + "eafr.tau-load";
  public static final String EAFR_ALPHA = PREFIX + "eafr.alpha";
  public static final String EAFR_BETA = PREFIX + "eafr.beta";
  public static final String EAFR_ETA_LOWER = PREFIX + "eafr.rates.eta-lower";
  public static final String EAFR_ETA_UPPER = PREFIX + "eafr.rates.eta-upper";

  static final List<String> KEYS =
      List.of(
          EAR_RACK_LIMIT,
          EAR_TARGET_RACKS,
          DAYU_ALPHA,
          DAYU_BETA,
          DAYU_MIN_BYTES_PER_SEC,
          DAYU_MIN_SHARE,
          EAFR_THRESHOLDS,
          EAFR_TAU_UPPER,
          EAFR_TAU_LOWER,
          EAFR_SIGMA_UPPER,
          EAFR_SIGMA_LOWER,
          EAFR_GAMMA_READS,
          EAFR_GAMMA_SERVERS,
          EAFR_TAU_LOAD,
          EAFR_ALPHA,
          EAFR_BETA,
          EAFR_ETA_LOWER,
          EAFR_ETA_UPPER);

  private static final String WORD_NAME = ConfigKeys.PAPER + ' ';

  /** That none is set. */
  private static final String NONE = "none";

  private static final String ALLOWED =
      NONE
          + ", or WORD=VALUE, separated by blanks, each word once; words are "
          + String.join(", ", KEYS.stream().map(PaperConstants::word).toList());

  private PaperConstants() {}

  /** Whether a key is one of these. */
  public static boolean isOne(String key) {
    return KEYS.contains(key);
  }

  /** The word of one that had a key of its own. */
  static String word(String key) {
    return key.substring(PREFIX.length());
  }

  /** How an operator finds one that is set as a word, or not at all. */
  static String name(String key) {
    return WORD_NAME + word(key);
  }

  /** The key of what {@link #name} names, as code names it; of other keys themselves. */
  public static String key(String name) {
    return name.startsWith(WORD_NAME) ? PREFIX + name.substring(WORD_NAME.length()) : name;
  }

  /** The key that is in files of what {@link #name} names. */
  public static String file(String name) {
    return name.startsWith(WORD_NAME) ? ConfigKeys.PAPER : name;
  }

  /**
   * All settings of Rackweave by key, and these constants by {@link #name}.
   *
   * @throws IllegalArgumentException as {@link #of}
   */
  public static Map<String, String> apart(Configuration conf) {
    Map<String, String> settings = new TreeMap<>();
    for (Map.Entry<String, String> setting : conf) {
      if (setting.getKey().startsWith(PREFIX) && !setting.getKey().equals(ConfigKeys.PAPER)) {
        settings.put(setting.getKey(), setting.getValue().trim());
      }
    }
    of(conf).forEach((key, value) -> settings.put(name(key), value));
    return settings;
  }

  /** Has a configuration set what {@link #apart} gives, and nothing else of Rackweave's. */
  public static void together(Map<String, String> settings, Configuration conf) {
    Map<String, String> before = apart(conf);
    StringBuilder words = new StringBuilder();
    settings.forEach(
        (name, value) -> {
          if (name.startsWith(WORD_NAME)) {
            words.append(' ').append(name.substring(WORD_NAME.length())).append('=').append(value);
          } else if (!value.equals(before.get(name))) {
            conf.set(name, value);
          }
        });
    for (String name : before.keySet()) {
      if (!settings.containsKey(name) && !name.startsWith(WORD_NAME)) {
        conf.unset(name);
      }
    }
    conf.set(ConfigKeys.PAPER, words.length() == 0 ? NONE : words.substring(1));
  }

  /**
   * Those that are set as words, by the keys of their own that they had.
   *
   * @throws IllegalArgumentException naming the word and what is allowed
   */
  static Map<String, String> of(Configuration conf) {
    Map<String, String> values = new TreeMap<>();
    String text = conf.getTrimmed(ConfigKeys.PAPER, "");
    if (text.isEmpty() || text.equals(NONE)) {
      return values;
    }
    for (String word : text.split("\\s+")) {
      int equals = word.indexOf('=');
      String key = PREFIX + word.substring(0, Math.max(0, equals));
      boolean isOne = equals < word.length() - 1 && KEYS.contains(key);
      if (!isOne || values.put(key, word.substring(equals + 1)) != null) {
        throw new IllegalArgumentException(
            ConfigKeys.PAPER + " = '" + word + "': allowed is " + ALLOWED);
      }
    }
    return values;
  }
}
