package org.rackweave.hdfs;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** Keys of earlier versions, for configurations that still set them. */
public final class RemovedKeys {
  /** Of rules that do not say it, as the next two. */
  public static final String EAR_ENCODE_AGE = "rackweave.ear.encode.age";

  public static final String EAR_ENCODE_QUIET = "rackweave.ear.encode.quiet";
  public static final String EAR_ENCODE_SIZE_MIN = "rackweave.ear.encode.size.min";

  /** Whether EAR's own policy places by the network, too. */
  public static final String EAR_RANKING = "rackweave.ear.ranking";

  /** Whether Dayu recovers at all, with any of Rackweave's policies. */
  public static final String DAYU_ENABLED = "rackweave.dayu.enabled";

  private static final String FIXED = "it is ";

  /** Those without effect. */
  private static final Map<String, String> INSTEAD =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry(
                  "rackweave.telemetry.ewma.alpha", "agents report what their links carry now"),
              Map.entry(
                  "rackweave.telemetry.estimate",
                  "agents report what their links carry now, and the paper's average is the"
                      + " simulator's"),
              Map.entry("rackweave.telemetry.warm-up.interval", FIXED + "10m"),
              Map.entry("rackweave.telemetry.future.tolerance", FIXED + "5m"),
              Map.entry(
                  "rackweave.telemetry.read-counts.top-k",
                  "agents are asked for 200 while files follow their readers, else for none"),
              Map.entry(
                  "rackweave.sinbad.promise", "blocks under way are told apart where agents can"),
              Map.entry("rackweave.sinbad.threshold.fraction", FIXED + "0.5"),
              Map.entry("rackweave.sinbad.candidates.max", FIXED + "32"),
              Map.entry("rackweave.sinbad.storage-imbalance.limit", FIXED + "0.10"),
              Map.entry(
                  "rackweave.sinbad.interval",
                  "requests are decided at once, and the paper's OPT' is the simulator's"),
              Map.entry("rackweave.sinbad.interval.max-held", "requests are decided at once"),
              Map.entry("rackweave.ear.open-stripes.max", FIXED + "4"),
              Map.entry("rackweave.ear.seat.age", FIXED + "10m"),
              Map.entry("rackweave.ear.restore.blocks.max", FIXED + "1000"),
              Map.entry("rackweave.dayu.algorithm", "always dayu; the others are in the simulator"),
              Map.entry("rackweave.dayu.rates", "always wss; the others are in the simulator"),
              Map.entry("rackweave.dayu.schedule-ahead", FIXED + "500ms"),
              Map.entry("rackweave.dayu.restart-stragglers", FIXED + "true"),
              Map.entry("rackweave.eafr.power.asleep-watts", FIXED + "10"),
              Map.entry("rackweave.eafr.verify.max", FIXED + "20")));

  /** Those that are read, and the better way to say the same. */
  private static final Map<String, String> STILL_READ =
      new TreeMap<>(
          Map.of(
              EAR_ENCODE_AGE, "say age= in rules",
              EAR_ENCODE_QUIET, "say quiet= in rules",
              EAR_ENCODE_SIZE_MIN, "say size= in rules",
              DAYU_ENABLED,
                  "use the mode of recovery, with the policy RackweaveBlockPlacementPolicy or"
                      + " DayuBlockPlacementPolicy",
              EAR_RANKING,
                  "the policy RackweaveBlockPlacementPolicy places by the network where the feature"
                      + " placement is active"));

  private RemovedKeys() {}

  /** A sentence for each such key that is set, for the log. */
  public static List<String> setIn(Configuration conf) {
    return Stream.of(
            INSTEAD.keySet().stream()
                .filter(key -> isSet(conf, key))
                .map(key -> key + " no longer has an effect: " + INSTEAD.get(key)),
            STILL_READ.keySet().stream()
                .filter(key -> isSet(conf, key))
                .map(key -> key + " is still read, but will not be: " + STILL_READ.get(key)),
            PaperConstants.KEYS.stream()
                .filter(key -> isSet(conf, key))
                .map(key -> key + paper(key, conf)))
        .flatMap(sentences -> sentences)
        .toList();
  }

  /** Why a key has no effect, {@code null} when it has one, or is no key of an earlier version. */
  public static String whyWithoutEffect(String key, Configuration conf) {
    if (PaperConstants.KEYS.contains(key) && PaperConstants.of(conf).containsKey(key)) {
      return ConfigKeys.PAPER + " says " + PaperConstants.word(key);
    }
    return INSTEAD.get(key);
  }

  /** Whether it is a key of an earlier version that counts. */
  public static boolean isStillRead(String key) {
    return STILL_READ.containsKey(key);
  }

  private static boolean isSet(Configuration conf, String key) {
    return conf.get(key) != null;
  }

  private static String paper(String key, Configuration conf) {
    String word = PaperConstants.word(key);
    return PaperConstants.of(conf).containsKey(key)
        ? " has no effect: " + ConfigKeys.PAPER + " says " + word
        : String.format(
            " is still read, but will not be: set %s to %s=%s",
            ConfigKeys.PAPER, word, conf.getTrimmed(key));
  }
}
