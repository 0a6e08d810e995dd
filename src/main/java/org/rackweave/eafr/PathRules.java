package org.rackweave.eafr;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.rackweave.model.Require;
import org.rackweave.rules.PathTable;
import org.rackweave.rules.RuleSet;

/**
 * Which files follow their readers, and how far: what rules say behind {@value #HEAT}. Immutable.
 */
public final class PathRules {
  /** The word that says whether files follow their readers. */
  public static final String HEAT = "heat";

  /** They do. */
  public static final String ADAPT = "adapt";

  /** They keep their replicas. */
  public static final String NONE = "none";

  /** The words that may go with {@link #ADAPT}. */
  public static final List<String> BOUNDS = List.of("min", "max", "hot");

  /** What rules may say, in words. */
  public static final String ALLOWED =
      HEAT
          + '='
          + ADAPT
          + " or "
          + HEAT
          + '='
          + NONE
          + ", with "
          + ADAPT
          + " any of min=REPLICAS (2 to 512, a floor below files' own factors), hot=REPLICAS (1 to"
          + " 511, on hot servers, fewer than min), max=REPLICAS (1 to 512)";

  /** What a rule says that says nothing. */
  private static final FileRule USUAL = new FileRule(FileRule.OWN_FACTOR, 1, 10);

  /** No file system keeps more replicas than this by default. */
  private static final int REPLICAS_MAX = 512;

  private final PathTable<Optional<FileRule>> table;

  private PathRules(SortedMap<String, Optional<FileRule>> byDirectory) {
    table = new PathTable<>(byDirectory);
  }

  /**
   * Reads rules such as {@code heat=adapt max=6}.
   *
   * @throws IllegalArgumentException naming the directory, the word and what is allowed
   */
  public static PathRules of(RuleSet rules) {
    return new PathRules(rules.read(HEAT, PathRules::rule));
  }

  private static Optional<FileRule> rule(Map<String, String> words) {
    String kind = words.get(HEAT);
    if (kind.equals(NONE)) {
      for (String bound : BOUNDS) {
        Require.that(
            !words.containsKey(bound), "what goes with " + HEAT + '=' + NONE, bound, "nothing");
      }
      return Optional.empty();
    }
    Require.that(kind.equals(ADAPT), HEAT, kind, ADAPT + " or " + NONE);
    return Optional.of(
        new FileRule(
            replicas(words, "min", USUAL.minReplicas()),
            replicas(words, "hot", USUAL.hotReplicas()),
            replicas(words, "max", USUAL.maxReplicas())));
  }

  private static int replicas(Map<String, String> words, String bound, int usual) {
    String text = words.get(bound);
    if (text == null) {
      return usual;
    }
    Require.that(text.matches("[0-9]{1,4}"), bound, text, "1 to " + REPLICAS_MAX);
    int replicas = Integer.parseInt(text);
    Require.within(bound, replicas, 1, REPLICAS_MAX);
    return replicas;
  }

  /** The rule for a file, empty when it keeps its replicas. */
  public Optional<FileRule> of(String path) {
    Optional<FileRule> rule = table.of(path);
    return rule == null ? Optional.empty() : rule;
  }

  /** Whether any rule lets files fall below the factors their users gave them. */
  public boolean anyBelowOwnFactor() {
    return table.byDirectory().values().stream()
        .flatMap(Optional::stream)
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
    for (Optional<FileRule> rule : table.byDirectory().values()) {
      if (rule.isPresent()) {
        most = Math.max(most, rule.get().maxReplicas());
        if (rule.get().minReplicas() != FileRule.OWN_FACTOR) {
          least = Math.min(least, rule.get().minReplicas());
        }
      }
    }
    return new int[] {least, most};
  }

  /** Whether rules say nothing at all, not even that files keep their replicas. */
  public boolean areSilent() {
    return table.isEmpty();
  }

  /** Whether no file may change. */
  public boolean isEmpty() {
    return table.byDirectory().values().stream().noneMatch(Optional::isPresent);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathRules that && table.equals(that.table);
  }

  @Override
  public int hashCode() {
    return table.hashCode();
  }

  @Override
  public String toString() {
    return table.byDirectory().entrySet().stream()
        .map(
            rule ->
                rule.getKey()
                    + ' '
                    + rule.getValue().map(PathRules::words).orElse(HEAT + '=' + NONE))
        .collect(Collectors.joining(", "));
  }

  private static String words(FileRule rule) {
    return HEAT
        + '='
        + ADAPT
        + (rule.minReplicas() == FileRule.OWN_FACTOR ? "" : " min=" + rule.minReplicas())
        + " hot="
        + rule.hotReplicas()
        + " max="
        + rule.maxReplicas();
  }
}
