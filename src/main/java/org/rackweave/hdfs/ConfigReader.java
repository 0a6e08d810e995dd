package org.rackweave.hdfs;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * Reads single values of a {@link Configuration} and refuses what is out of range. Every refusal is
 * an {@link IllegalArgumentException} that names the key, the value and what is allowed.
 */
public final class ConfigReader {
  private final Configuration conf;

  /** What is set as words of {@link PaperConstants}, by key. */
  private final Map<String, String> words;

  public ConfigReader(Configuration conf) {
    this(conf, Map.of());
  }

  private ConfigReader(Configuration conf, Map<String, String> words) {
    this.conf = conf;
    this.words = words;
  }

  /**
   * Reads {@link PaperConstants}, too.
   *
   * @throws IllegalArgumentException naming a word that is none of these, and what is allowed
   */
  static ConfigReader withPaper(Configuration conf) {
    return new ConfigReader(conf, PaperConstants.of(conf));
  }

  private String value(String key) {
    String word = words.get(key);
    return word == null ? conf.getTrimmed(key, "") : word;
  }

  boolean isSet(String key) {
    return !value(key).isEmpty();
  }

  /** How an operator finds a key, who has set it in one of two ways, or not at all. */
  String nameOf(String key) {
    boolean isWord = words.containsKey(key) || (PaperConstants.KEYS.contains(key) && !isSet(key));
    return isWord ? PaperConstants.name(key) : key;
  }

  /** A whole number within [min, max]. */
  public long wholeNumber(String key, long byDefault, long min, long max) {
    String text = value(key);
    if (text.isEmpty()) {
      return byDefault;
    }
    String allowed = "a whole number from " + min + " to " + max;
    try {
      return within(key, text, Long.parseLong(text), min, max, allowed);
    } catch (NumberFormatException e) {
      throw refused(key, text, allowed);
    }
  }

  /** A number within [min, max]. */
  public double number(String key, double byDefault, double min, double max) {
    String text = value(key);
    return text.isEmpty() ? byDefault : number(key, text, min, max, "");
  }

  /** In place of a number: as it is seen to be. */
  static final String MEASURED = "measured";

  /** A number within [min, max], or a word, the default, which is {@code byDefault}. */
  public double numberOr(String word, String key, double byDefault, double min, double max) {
    String text = value(key);
    return text.equals(word) || text.isEmpty()
        ? byDefault
        : number(key, text, min, max, ", or " + word);
  }

  private double number(String key, String text, double min, double max, String more) {
    String allowed = "a number from " + min + " to " + max + more;
    try {
      double value = Double.parseDouble(text);
      if (!(value >= min && value <= max)) {
        throw refused(key, text, allowed);
      }
      return value;
    } catch (NumberFormatException e) {
      throw refused(key, text, allowed);
    }
  }

  /** A duration with an optional unit (ms, s, m, h, d; milliseconds without one), in ms. */
  public long durationMs(String key, long byDefaultMs, long minMs, long maxMs) {
    String text = value(key);
    if (text.isEmpty()) {
      return byDefaultMs;
    }
    String allowed = "a duration from " + minMs + "ms to " + maxMs + "ms, such as 250ms, 15s or 5m";
    try {
      long value = conf.getTimeDuration(key, byDefaultMs, TimeUnit.MILLISECONDS);
      return within(key, text, value, minMs, maxMs, allowed);
    } catch (NumberFormatException e) {
      throw refused(key, text, allowed);
    }
  }

  /** A text that matches a pattern; {@code allowed} says in words what that is. */
  public String text(String key, String byDefault, Pattern pattern, String allowed) {
    String text = value(key);
    if (text.isEmpty()) {
      return byDefault;
    }
    if (!pattern.matcher(text).matches()) {
      throw refused(key, text, allowed);
    }
    return text;
  }

  /** Refuses a lower bound that is not below the upper one. */
  void inOrder(String lowerKey, double lower, String upperKey, double upper) {
    if (lower >= upper) {
      throw refused(
          lowerKey,
          String.valueOf(lower),
          String.format("a number above 0 and below %s = '%s'", nameOf(upperKey), upper));
    }
  }

  public boolean flag(String key, boolean byDefault) {
    String text = value(key).toLowerCase(Locale.ROOT);
    return switch (text) {
      case "" -> byDefault;
      case "true" -> true;
      case "false" -> false;
      default -> throw refused(key, text, "true or false");
    };
  }

  /** One of an enum's names, written in kebab-case. */
  public <E extends Enum<E>> E choice(String key, E byDefault) {
    String text = value(key);
    return text.isEmpty() ? byDefault : choose(nameOf(key), text, byDefault.getDeclaringClass());
  }

  /** The constant of an enum that a kebab-case word names. */
  public static <E extends Enum<E>> E choose(String what, String word, Class<E> type) {
    for (E constant : type.getEnumConstants()) {
      if (kebab(constant).equals(word.toLowerCase(Locale.ROOT))) {
        return constant;
      }
    }
    throw refuse(
        what,
        word,
        Arrays.stream(type.getEnumConstants())
            .map(ConfigReader::kebab)
            .collect(Collectors.joining(", ")));
  }

  static String kebab(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private long within(String key, String text, long value, long min, long max, String allowed) {
    if (value < min || value > max) {
      throw refused(key, text, allowed);
    }
    return value;
  }

  private IllegalArgumentException refused(String key, String value, String allowed) {
    return refuse(nameOf(key), value, allowed);
  }

  private static IllegalArgumentException refuse(String key, String value, String allowed) {
    return new IllegalArgumentException(key + " = '" + value + "': allowed is " + allowed);
  }
}
