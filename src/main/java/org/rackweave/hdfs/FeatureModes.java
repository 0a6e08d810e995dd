package org.rackweave.hdfs;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is done with the decisions of each feature. Immutable.
 *
 * <p>In words one mode for all features, or {@code feature=mode} for some, or both, of which later
 * words win: {@code shadow placement=active}.
 */
public final class FeatureModes {
  /** What {@link #with} understands, in words. */
  public static final String ALLOWED =
      Arrays.stream(Mode.values()).map(FeatureModes::lower).collect(Collectors.joining(", "))
          + " for all features, or FEATURE=MODE, separated by blanks; features are "
          + Arrays.stream(Feature.values()).map(Feature::label).collect(Collectors.joining(", "));

  private final Map<Feature, Mode> modes;
  private final boolean hasShadow;

  private FeatureModes(Map<Feature, Mode> modes) {
    this.modes = modes;
    hasShadow = modes.containsValue(Mode.SHADOW);
  }

  /** One mode for every feature. */
  public static FeatureModes all(Mode mode) {
    Map<Feature, Mode> modes = new EnumMap<>(Feature.class);
    for (Feature feature : Feature.values()) {
      modes.put(feature, mode);
    }
    return new FeatureModes(modes);
  }

  /**
   * These modes with what words change.
   *
   * @throws IllegalArgumentException naming the word and what is allowed
   */
  public FeatureModes with(List<String> words) {
    Map<Feature, Mode> changed = new EnumMap<>(modes);
    for (String word : words) {
      int equals = word.indexOf('=');
      Mode mode = ConfigReader.choose("mode", word.substring(equals + 1), Mode.class);
      if (equals < 0) {
        changed.replaceAll((feature, before) -> mode);
      } else {
        changed.put(ConfigReader.choose("feature", word.substring(0, equals), Feature.class), mode);
      }
    }
    return new FeatureModes(changed);
  }

  /** The same, of words separated by blanks. */
  public FeatureModes with(String words) {
    return with(List.of(words.trim().split("\\s+")));
  }

  public Mode of(Feature feature) {
    return modes.get(feature);
  }

  public boolean isActive(Feature feature) {
    return of(feature) == Mode.ACTIVE;
  }

  public boolean isOff(Feature feature) {
    return of(feature) == Mode.OFF;
  }

  /** Whether any feature is in shadow mode. */
  public boolean hasShadow() {
    return hasShadow;
  }

  /** Whether every feature is in that mode. */
  public boolean areAll(Mode mode) {
    return modes.values().stream().allMatch(mode::equals);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FeatureModes that && modes.equals(that.modes);
  }

  @Override
  public int hashCode() {
    return modes.hashCode();
  }

  /** What stops all that EAFR does by itself: heat is off, and no server falls asleep. */
  public List<String> wordsThatStopEafr() {
    String heat = word(Feature.HEAT, Mode.OFF);
    return isActive(Feature.SLEEP)
        ? List.of(heat, word(Feature.SLEEP, Mode.SHADOW))
        : List.of(heat);
  }

  /**
   * Words that say all of it: one mode, then each feature's. Earlier versions, which understand
   * them, have written either, but not both.
   */
  public String inFull() {
    return lower(Mode.OFF) + ' ' + eachFeature();
  }

  /** Whether {@link #inFull} has made these words. */
  public static boolean isInFull(String words) {
    return words.startsWith(lower(Mode.OFF) + ' ');
  }

  private String eachFeature() {
    return modes.entrySet().stream()
        .map(one -> word(one.getKey(), one.getValue()))
        .collect(Collectors.joining(" "));
  }

  private static String word(Feature feature, Mode mode) {
    return feature.label() + '=' + lower(mode);
  }

  /** The same in short: one mode where all features are in it. */
  @Override
  public String toString() {
    Mode first = of(Feature.PLACEMENT);
    return areAll(first) ? lower(first) : eachFeature();
  }

  private static String lower(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }
}
