package org.rackweave.rules;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The rules for directories: for each some words such as {@code code=rs-10-4 age=30d heat=none}. A
 * word that leads ({@code code}) and those that go with it ({@code age}) count together for all
 * that is below, until another directory leads anew. Immutable.
 */
public final class RuleSet {
  /** No rules. */
  public static final RuleSet NONE = new RuleSet(new TreeMap<>());

  private static final Pattern WORD = Pattern.compile("[a-z]+=[^\\s=,]+");
  private static final Pattern DIRECTORY = Pattern.compile("/|(/[^/\\p{Cntrl}]+)+");

  private final SortedMap<String, Map<String, String>> byDirectory;

  private RuleSet(SortedMap<String, Map<String, String>> byDirectory) {
    this.byDirectory = byDirectory;
  }

  /**
   * Reads words.
   *
   * @return the words by what stands before their equals sign, in the order given
   * @throws IllegalArgumentException naming the word and what is allowed
   */
  public static Map<String, String> words(List<String> text) {
    Map<String, String> words = new LinkedHashMap<>();
    for (String word : text) {
      if (!WORD.matcher(word).matches()) {
        throw new IllegalArgumentException("'" + word + "': allowed is WORD=VALUE");
      }
      int equals = word.indexOf('=');
      if (words.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
        throw new IllegalArgumentException("'" + word + "': it is there twice");
      }
    }
    return Collections.unmodifiableMap(words);
  }

  /**
   * These rules and another one, in place of what there was for its directory.
   *
   * @param words none to have no rule there any more
   * @throws IllegalArgumentException naming the directory and what is allowed
   */
  public RuleSet with(String directory, Map<String, String> words) {
    if (!canBeFor(directory)) {
      throw new IllegalArgumentException(
          "directory '" + directory + "': allowed is an absolute path without a slash at its end");
    }
    SortedMap<String, Map<String, String>> changed = new TreeMap<>(byDirectory);
    if (words.isEmpty()) {
      changed.remove(directory);
    } else {
      changed.put(directory, words);
    }
    return new RuleSet(changed);
  }

  /** Whether a rule can be for a directory: an absolute path without control characters. */
  public static boolean canBeFor(String directory) {
    return DIRECTORY.matcher(directory).matches();
  }

  /** Whether there is no rule. */
  public boolean isEmpty() {
    return byDirectory.isEmpty();
  }

  /** The words for a directory itself, empty for none. */
  public Map<String, String> of(String directory) {
    return byDirectory.getOrDefault(directory, Map.of());
  }

  /** The directories that have words, in order. */
  public List<String> directories() {
    return new ArrayList<>(byDirectory.keySet());
  }

  /**
   * What one feature makes of its words, by directory.
   *
   * @param leader the word without which a rule is none of its
   * @param read makes a value of the words of a rule; not {@code null}
   * @throws IllegalArgumentException naming the directory and what is wrong with its words
   */
  public <T> SortedMap<String, T> read(String leader, Function<Map<String, String>, T> read) {
    SortedMap<String, T> values = new TreeMap<>();
    byDirectory.forEach(
        (directory, words) -> {
          if (words.containsKey(leader)) {
            try {
              values.put(directory, read.apply(words));
            } catch (IllegalArgumentException e) {
              throw new IllegalArgumentException(directory + ": " + e.getMessage(), e);
            }
          }
        });
    return values;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RuleSet that && byDirectory.equals(that.byDirectory);
  }

  @Override
  public int hashCode() {
    return byDirectory.hashCode();
  }

  /** A line for each directory. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    byDirectory.forEach(
        (directory, words) -> {
          text.append(text.isEmpty() ? "" : "\n").append(directory);
          words.forEach((word, value) -> text.append(' ').append(word).append('=').append(value));
        });
    return text.toString();
  }
}
