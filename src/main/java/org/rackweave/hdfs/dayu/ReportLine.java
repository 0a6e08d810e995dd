package org.rackweave.hdfs.dayu;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A thing that is told of recovery, and what is told of it. As text a line: the kind, then {@code
 * key=value}, with tabs between.
 *
 * @param kind such as {@code node}
 * @param values by name, in order; numbers as {@link Number}s, texts without tabs and line ends
 */
public record ReportLine(String kind, Map<String, Object> values) {
  private static final String BLANK = "[\t\r\n]+";

  /** Begins a line. */
  public static ReportLine of(String kind) {
    return new ReportLine(kind, new LinkedHashMap<>());
  }

  /** Adds a text. */
  public ReportLine with(String key, String text) {
    values.put(key, text.replaceAll(BLANK, " "));
    return this;
  }

  /** Adds a number. */
  public ReportLine with(String key, long number) {
    values.put(key, number);
    return this;
  }

  /** Adds a number, to three digits behind the point. */
  public ReportLine with(String key, double number) {
    values.put(key, Double.isFinite(number) ? Math.round(number * 1000) / 1000.0 : "unknown");
    return this;
  }

  /** It as a line without its end. */
  public String text() {
    StringBuilder text = new StringBuilder(kind);
    values.forEach((key, value) -> text.append('\t').append(key).append('=').append(value));
    return text.toString();
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static ReportLine parse(String text) {
    String[] parts = text.split("\t");
    ReportLine line = of(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("'" + parts[i] + "' is not key=value");
      }
      line.values.put(parts[i].substring(0, equals), value(parts[i].substring(equals + 1)));
    }
    return line;
  }

  private static Object value(String text) {
    if (text.matches("-?[0-9]{1,18}")) {
      return Long.valueOf(text);
    }
    return text.matches("-?[0-9]+\\.[0-9]+(E-?[0-9]+)?") ? (Object) Double.valueOf(text) : text;
  }
}
