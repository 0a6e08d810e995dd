package org.rackweave.eafr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.rackweave.model.Require;

/**
 * Which files follow their readers, and how far: rules for directories, of which the deepest
 * counts. Immutable.
 */
public final class PathRules {
  /** In place of a rule: files of this directory keep their replicas. */
  public static final String NONE = "none";

  private static final String ADAPT = "adapt";

  /** What {@link #parse} understands, in words. */
  public static final String ALLOWED =
      "/directory="
          + ADAPT
          + " or /directory="
          + NONE
          + ", separated by commas, behind "
          + ADAPT
          + ", after blanks, any of r=REPLICAS (2 to 512, a floor below files' own factors),"
          + " epsilon=REPLICAS (1 to 511, on hot servers, fewer than r), max=REPLICAS (1 to 512)";

  /** What a rule says that says nothing. */
  private static final FileRule USUAL = new FileRule(FileRule.OWN_FACTOR, 1, 10);

  /** No file system keeps more replicas than this by default. */
  private static final int REPLICAS_MAX = 512;

  private static final Pattern RULE =
      Pattern.compile("(/[^=,]*)=([a-z]+)((?:\\s+[a-z]+=[0-9]{1,4})*)");

  private static final Comparator<Rule> DEEPEST_FIRST =
      Comparator.comparingInt((Rule rule) -> -rule.directory().length())
          .thenComparing(Rule::directory);

  private final List<Rule> rules;

  /**
   * @param directory absolute, without a slash at its end; empty for the root
   * @param file empty where files keep their replicas
   */
  private record Rule(String directory, Optional<FileRule> file) {
    boolean covers(String path) {
      return path.startsWith(directory)
          && (path.length() == directory.length() || path.charAt(directory.length()) == '/');
    }

    @Override
    public String toString() {
      String words =
          file.map(
                  rule ->
                      ADAPT
                          + (rule.minReplicas() == FileRule.OWN_FACTOR
                              ? ""
                              : " r=" + rule.minReplicas())
                          + " epsilon="
                          + rule.hotReplicas()
                          + " max="
                          + rule.maxReplicas())
              .orElse(NONE);
      return (directory.isEmpty() ? "/" : directory) + '=' + words;
    }
  }

  private PathRules(List<Rule> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * Reads rules such as {@code /warehouse=adapt max=6, /warehouse/raw=none, /logs=adapt r=2}.
   *
   * @param text rules separated by commas; empty for none
   * @throws IllegalArgumentException naming the rule and what is allowed
   */
  public static PathRules parse(String text) {
    List<Rule> rules = new ArrayList<>();
    Set<String> directories = new HashSet<>();
    for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
      Rule rule = read(part.trim());
      if (!directories.add(rule.directory())) {
        throw new IllegalArgumentException(
            "rule '" + part.trim() + "': its directory has another one");
      }
      rules.add(rule);
    }
    rules.sort(DEEPEST_FIRST);
    return new PathRules(rules);
  }

  private static Rule read(String rule) {
    Matcher parts = RULE.matcher(rule);
    if (!parts.matches()) {
      throw new IllegalArgumentException("rule '" + rule + "': not /directory=" + ADAPT);
    }
    String directory = parts.group(1).trim().replaceAll("/+", "/").replaceAll("/$", "");
    String terms = parts.group(3).trim();
    try {
      return switch (parts.group(2)) {
        case ADAPT -> new Rule(directory, Optional.of(fileRule(terms)));
        case NONE -> {
          Require.that(terms.isEmpty(), "what follows " + NONE, terms, "nothing");
          yield new Rule(directory, Optional.empty());
        }
        default ->
            throw new IllegalArgumentException("'" + parts.group(2) + "' is no kind of rule");
      };
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("rule '" + rule + "': " + e.getMessage(), e);
    }
  }

  private static FileRule fileRule(String terms) {
    int min = USUAL.minReplicas();
    int hot = USUAL.hotReplicas();
    int max = USUAL.maxReplicas();
    for (String term : terms.isEmpty() ? new String[0] : terms.split("\\s+")) {
      int equals = term.indexOf('=');
      int value = Integer.parseInt(term.substring(equals + 1));
      Require.within(term.substring(0, equals), value, 1, REPLICAS_MAX);
      switch (term.substring(0, equals)) {
        case "r" -> min = value;
        case "epsilon" -> hot = value;
        case "max" -> max = value;
        default -> throw new IllegalArgumentException("'" + term + "' is unknown");
      }
    }
    return new FileRule(min, hot, max);
  }

  /** The rule for a file, empty when it keeps its replicas. */
  public Optional<FileRule> of(String path) {
    for (Rule rule : rules) {
      if (rule.covers(path)) {
        return rule.file();
      }
    }
    return Optional.empty();
  }

  /** Whether any rule lets files fall below the factors their users gave them. */
  public boolean anyBelowOwnFactor() {
    return rules.stream()
        .flatMap(rule -> rule.file().stream())
        .anyMatch(file -> file.minReplicas() != FileRule.OWN_FACTOR);
  }

  /**
   * The factors that rules can give files.
   *
   * @return the least floor that any rule names, the greatest int where none does; the greatest
   *     factor
   */
  public int[] factors() {
    int least = Integer.MAX_VALUE;
    int most = 1;
    for (Rule rule : rules) {
      if (rule.file().isPresent()) {
        most = Math.max(most, rule.file().get().maxReplicas());
        if (rule.file().get().minReplicas() != FileRule.OWN_FACTOR) {
          least = Math.min(least, rule.file().get().minReplicas());
        }
      }
    }
    return new int[] {least, most};
  }

  /** Whether no file may change. */
  public boolean isEmpty() {
    return rules.stream().noneMatch(rule -> rule.file().isPresent());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathRules that && rules.equals(that.rules);
  }

  @Override
  public int hashCode() {
    return rules.hashCode();
  }

  /** The rules, those that count first in front. */
  @Override
  public String toString() {
    return rules.stream().map(Rule::toString).collect(Collectors.joining(", "));
  }
}
