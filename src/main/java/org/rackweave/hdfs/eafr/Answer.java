package org.rackweave.hdfs.eafr;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What operators are told, as text: lines of {@code key=value}, numbers with keys that begin with
 * {@code figure.}, and a line {@code row.KIND=} for each thing of a list, whose fields are {@code
 * key=value} joined by {@code &}, the values URL-encoded.
 */
final class Answer {
  /** Bytes of rows in one answer; of more only the number. */
  private static final int ROW_BYTES_MAX = 4 << 20;

  private final StringBuilder text = new StringBuilder();

  Answer word(String key, String value) {
    text.append(key).append('=').append(value.replace('\n', ' ')).append('\n');
    return this;
  }

  Answer figure(String key, long value) {
    return word("figure." + key, Long.toString(value));
  }

  Answer figure(String key, double value) {
    return word("figure." + key, Double.toString(value));
  }

  /** One of a list; left out when there are too many. */
  Answer row(String kind, Map<String, ?> fields) {
    if (text.length() < ROW_BYTES_MAX) {
      word(
          "row." + kind,
          fields.entrySet().stream()
              .map(
                  field ->
                      field.getKey()
                          + '='
                          + URLEncoder.encode(field.getValue().toString(), StandardCharsets.UTF_8))
              .collect(Collectors.joining("&")));
    }
    return this;
  }

  String text() {
    return text.toString();
  }
}
