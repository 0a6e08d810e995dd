package org.rackweave.hdfs;

import java.util.Arrays;
import java.util.Locale;
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

  public ConfigReader(Configuration conf) {
    this.conf = conf;
  }

  /** A whole number within [min, max]. */
  public long wholeNumber(String key, long byDefault, long min, long max) {
    String text = conf.getTrimmed(key, "");
    if (text.isEmpty()) {
      return byDefault;
    }
    String allowed = "a whole number from " + min + " to " + max;
    try {
      return within(key, text, Long.parseLong(text), min, max, allowed);
    } catch (NumberFormatException e) {
      throw refuse(key, text, allowed);
    }
  }

  /** A number within [min, max]. */
  public double number(String key, double byDefault, double min, double max) {
    String text = conf.getTrimmed(key, "");
    return text.isEmpty() ? byDefault : number(key, text, min, max, "");
  }

  /** In place of a number: as it is seen to be. */
  static final String MEASURED = "measured";

  /** A number within [min, max], or a word, the default, which is {@code byDefault}. */
  public double numberOr(String word, String key, double byDefault, double min, double max) {
    String text = conf.getTrimmed(key, word);
    return text.equals(word) || text.isEmpty()
        ? byDefault
        : number(key, text, min, max, ", or " + word);
  }

  private double number(String key, String text, double min, double max, String more) {
    String allowed = "a number from " + min + " to " + max + more;
    try {
      double value = Double.parseDouble(text);
      if (!(value >= min && value <= max)) {
        throw refuse(key, text, allowed);
      }
      return value;
    } catch (NumberFormatException e) {
      throw refuse(key, text, allowed);
    }
  }

  /** A duration with an optional unit (ms, s, m, h, d; milliseconds without one), in ms. */
  public long durationMs(String key, long byDefaultMs, long minMs, long maxMs) {
    String text = conf.getTrimmed(key, "");
    if (text.isEmpty()) {
      return byDefaultMs;
    }
    String allowed = "a duration from " + minMs + "ms to " + maxMs + "ms, such as 250ms, 15s or 5m";
    try {
      long value = conf.getTimeDuration(key, byDefaultMs, TimeUnit.MILLISECONDS);
      return within(key, text, value, minMs, maxMs, allowed);
    } catch (NumberFormatException e) {
      throw refuse(key, text, allowed);
    }
  }

  /** A text that matches a pattern; {@code allowed} says in words what that is. */
  public String text(String key, String byDefault, Pattern pattern, String allowed) {
    String text = conf.getTrimmed(key, "");
    if (text.isEmpty()) {
      return byDefault;
    }
    if (!pattern.matcher(text).matches()) {
      throw refuse(key, text, allowed);
    }
    return text;
  }

  public boolean flag(String key, boolean byDefault) {
    String text = conf.getTrimmed(key, "").toLowerCase(Locale.ROOT);
    return switch (text) {
      case "" -> byDefault;
      case "true" -> true;
      case "false" -> false;
      default -> throw refuse(key, text, "true or false");
    };
  }

  /** One of an enum's names, written in kebab-case. */
  public <E extends Enum<E>> E choice(String key, E byDefault) {
    String text = conf.getTrimmed(key, "");
    return text.isEmpty() ? byDefault : choose(key, text, byDefault.getDeclaringClass());
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

  private static long within(
      String key, String text, long value, long min, long max, String allowed) {
    if (value < min || value > max) {
      throw refuse(key, text, allowed);
    }
    return value;
  }

  private static IllegalArgumentException refuse(String key, String value, String allowed) {
    return new IllegalArgumentException(key + " = '" + value + "': allowed is " + allowed);
  }
}
