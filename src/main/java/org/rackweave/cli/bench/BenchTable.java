package org.rackweave.cli.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How results of a bench are shown: on a terminal a line each, for programs a JSON object each.
 *
 * @param <R> one result
 */
record BenchTable<R>(List<Column<R>> columns) {
  private static final Pattern PATTERN = Pattern.compile("%(-?)(\\d+)(?:\\.\\d+)?[dfs](.*)");

  /**
   * One value of every result.
   *
   * @param head its name for people
   * @param pattern how it is printed for them: a width, and perhaps something after the value
   * @param key its name in JSON
   * @param jsonPattern how it is printed there
   */
  record Column<R>(
      String head, String pattern, String key, String jsonPattern, Function<R, Object> of) {
    private String heading() {
      Matcher parts = PATTERN.matcher(pattern);
      if (!parts.matches()) {
        throw new IllegalArgumentException(pattern);
      }
      int width = Integer.parseInt(parts.group(2)) + parts.group(3).length();
      return String.format("%" + parts.group(1) + width + "s", head);
    }

    private String text(R result) {
      return String.format(Locale.ROOT, pattern, of.apply(result));
    }

    private String json(R result) {
      return String.format(Locale.ROOT, "\"%s\": " + jsonPattern, key, of.apply(result));
    }
  }

  static <R> Column<R> column(
      String head, String pattern, String key, String jsonPattern, Function<R, Object> of) {
    return new Column<>(head, pattern, key, jsonPattern, of);
  }

  /** The names of the columns. */
  String header() {
    return columns.stream().map(Column::heading).collect(Collectors.joining(" "));
  }

  /** A result under these names. */
  String line(R result) {
    return columns.stream().map(one -> one.text(result)).collect(Collectors.joining(" "));
  }

  /** A JSON array, one result a line. */
  String json(List<R> results) {
    return results.stream()
        .map(
            result ->
                columns.stream()
                    .map(one -> one.json(result))
                    .collect(Collectors.joining(", ", "{", "}")))
        .collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
  }
}
