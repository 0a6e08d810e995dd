package org.rackweave.cli.testbed.compare.worker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;

/** What goes between a comparison and its workers: one object in JSON a line. */
public final class Lines {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

  private Lines() {}

  /** An order or a report as one line. */
  public static String of(Object one) {
    try {
      return MAPPER.writeValueAsString(one);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("cannot be said: " + one, e);
    }
  }

  /**
   * Reads a line.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static <T> T parse(String line, Class<T> type) {
    try {
      return MAPPER.readValue(line, type);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no " + type.getSimpleName() + " '" + line + "'", e);
    }
  }
}
