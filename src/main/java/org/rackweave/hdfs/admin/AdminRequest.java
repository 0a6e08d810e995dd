package org.rackweave.hdfs.admin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;

/**
 * What a command asks a refresh handler of ours for: a word that says what to do, and options of
 * the form {@code key=value} behind it.
 *
 * @param what the word
 * @param options those that were given, by key
 */
public record AdminRequest(String what, Map<String, String> options) {
  /**
   * Reads a request.
   *
   * @param known the options of each word there is
   * @throws IllegalArgumentException naming what is not known, and what is allowed
   */
  public static AdminRequest parse(List<String> words, Map<String, Set<String>> known) {
    String what = words.isEmpty() ? "" : words.get(0);
    Set<String> keys = known.get(what);
    if (keys == null) {
      throw new IllegalArgumentException(
          "'" + what + "': allowed is one of " + known.keySet().stream().sorted().toList());
    }
    Map<String, String> options = new HashMap<>();
    for (String arg : words.subList(1, words.size())) {
      int equals = arg.indexOf('=');
      String key = equals < 0 ? arg : arg.substring(0, equals);
      if (equals < 0 || !keys.contains(key)) {
        throw new IllegalArgumentException(
            "'" + arg + "': allowed is key=value with one of " + keys.stream().sorted().toList());
      }
      options.put(key, arg.substring(equals + 1));
    }
    return new AdminRequest(what, options);
  }

  /**
   * Reads an option that is a time, in milliseconds.
   *
   * @throws IllegalArgumentException when it is none, or not above 0
   */
  public static long durationMs(String key, String text) {
    Configuration reader = new Configuration(false);
    reader.set(key, text);
    try {
      long ms = reader.getTimeDuration(key, 0, TimeUnit.SECONDS, TimeUnit.MILLISECONDS);
      if (ms > 0) {
        return ms;
      }
    } catch (NumberFormatException e) {
      // said below, as of a number out of range
    }
    throw new IllegalArgumentException(
        key + " '" + text + "': allowed is a time such as 36h or 7d");
  }

  /**
   * The directory or file that the request is for, the root unless one was given.
   *
   * @throws IllegalArgumentException when it is no absolute path
   */
  public static String path(Map<String, String> options) {
    String path = options.getOrDefault("path", "/");
    if (!path.startsWith("/") || (path.length() > 1 && path.endsWith("/"))) {
      throw new IllegalArgumentException(
          "path '" + path + "': allowed is an absolute path without a slash at its end");
    }
    return path;
  }
}
