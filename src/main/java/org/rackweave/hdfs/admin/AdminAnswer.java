package org.rackweave.hdfs.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an administrator is told: a JSON object, in the order it is said. */
public final class AdminAnswer {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Characters of rows in one answer; what is more is left out. */
  private static final int ROW_CHARS_MAX = 4 << 20;

  private final Map<String, Object> values = new LinkedHashMap<>();
  private int rowChars;

  /** Adds a text, {@code null} for none. */
  public AdminAnswer with(String key, String text) {
    values.put(key, text);
    return this;
  }

  /** Adds a number. */
  public AdminAnswer with(String key, long number) {
    values.put(key, number);
    return this;
  }

  /** Adds a number, which may be not known. */
  public AdminAnswer with(String key, double number) {
    values.put(key, Double.isFinite(number) ? (Object) number : "unknown");
    return this;
  }

  /** Adds whether something is so. */
  public AdminAnswer with(String key, boolean isSo) {
    values.put(key, isSo);
    return this;
  }

  /** Adds an object. */
  public AdminAnswer with(String key, Map<String, ?> object) {
    values.put(key, plain(object));
    return this;
  }

  /** Adds an object. */
  public AdminAnswer with(String key, AdminAnswer object) {
    values.put(key, object.values);
    return this;
  }

  /** Adds a list of texts or numbers; an empty one is what rows may be added to. */
  public AdminAnswer list(String key, Collection<?> items) {
    values.put(key, new ArrayList<Object>(items));
    return this;
  }

  /** Adds an object to a list; left out when there are too many. */
  public AdminAnswer row(String list, AdminAnswer row) {
    return add(list, row.values);
  }

  /** Adds an object to a list; left out when there are too many. */
  public AdminAnswer row(String list, Map<String, ?> row) {
    return add(list, plain(row));
  }

  private AdminAnswer add(String list, Map<String, Object> row) {
    if (rowChars < ROW_CHARS_MAX) {
      rowChars += row.toString().length();
      rows(list).add(row);
    }
    return this;
  }

  @SuppressWarnings("unchecked")
  private List<Object> rows(String list) {
    return (List<Object>) values.computeIfAbsent(list, key -> new ArrayList<>());
  }

  private static Map<String, Object> plain(Map<String, ?> values) {
    Map<String, Object> plain = new LinkedHashMap<>();
    values.forEach(
        (key, value) ->
            plain.put(
                key,
                value == null || value instanceof Number || value instanceof Boolean
                    ? value
                    : value.toString()));
    return plain;
  }

  /** It as text. */
  public String json() {
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(values);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("numbers and texts are no JSON", e);
    }
  }
}
