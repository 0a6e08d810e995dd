package org.rackweave.ear;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.rackweave.rules.PathTable;
import org.rackweave.rules.RuleSet;

/**
 * Which files are to be encoded, by which code and when: what rules say behind {@value #CODE}.
 * Immutable.
 */
public final class PathCodes {
  /** The word that names a code. */
  public static final String CODE = "code";

  /** In place of a code: files of this directory are left as they are. */
  public static final String NONE = "none";

  /** The words that may go with a code. */
  public static final List<String> TERMS = List.of("age", "quiet", "size");

  /** What rules may say, in words. */
  public static final String ALLOWED =
      CODE
          + "=rs-<data>-<parity> or "
          + CODE
          + '='
          + NONE
          + ", with a code any of "
          + EncodingTerms.ALLOWED;

  private final PathTable<Rule> table;
  private final EncodingTerms usual;

  /**
   * @param code empty where files are left as they are
   * @param terms when they are encoded
   */
  private record Rule(Optional<ErasureCode> code, EncodingTerms terms) {}

  private PathCodes(SortedMap<String, Rule> byDirectory, EncodingTerms usual) {
    table = new PathTable<>(byDirectory);
    this.usual = usual;
  }

  /**
   * Reads rules such as {@code code=rs-6-3 age=30d}.
   *
   * @param usual terms of rules that say nothing of them
   * @throws IllegalArgumentException naming the directory, the word and what is allowed
   */
  public static PathCodes of(RuleSet rules, EncodingTerms usual) {
    return new PathCodes(rules.read(CODE, words -> rule(words, usual)), usual);
  }

  private static Rule rule(Map<String, String> words, EncodingTerms usual) {
    boolean isNone = words.get(CODE).equals(NONE);
    EncodingTerms terms = usual;
    for (String term : TERMS) {
      if (words.containsKey(term)) {
        if (isNone) {
          throw new IllegalArgumentException(
              "'" + term + "': " + CODE + '=' + NONE + " has no terms");
        }
        terms = terms.with(term + '=' + words.get(term));
      }
    }
    return new Rule(isNone ? Optional.empty() : Optional.of(code(words.get(CODE))), terms);
  }

  private static ErasureCode code(String name) {
    try {
      return ErasureCode.named(name);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(CODE + '=' + name + ": " + e.getMessage(), e);
    }
  }

  /** The same, except that files of a directory are left as they are, whatever the rules say. */
  public PathCodes leaving(String directory) {
    SortedMap<String, Rule> all = new TreeMap<>(table.byDirectory());
    all.keySet().removeIf(one -> one.equals(directory) || one.startsWith(directory + "/"));
    all.put(directory, new Rule(Optional.empty(), usual));
    return new PathCodes(all, usual);
  }

  /** The code for a file, empty when it is not to be encoded. */
  public Optional<ErasureCode> of(String path) {
    Rule rule = table.of(path);
    return rule == null ? Optional.empty() : rule.code();
  }

  /** When a file is encoded, if it is to be at all. */
  public EncodingTerms termsOf(String path) {
    Rule rule = table.of(path);
    return rule == null ? usual : rule.terms();
  }

  /** The directories that some rule gives a code. */
  public List<String> directories() {
    return table.byDirectory().entrySet().stream()
        .filter(rule -> rule.getValue().code().isPresent())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether a directory has a rule of its own and not only one of a directory above it. */
  public boolean hasRuleFor(String directory) {
    return table.byDirectory().containsKey(directory);
  }

  /** Every code that some rule names. */
  public Set<ErasureCode> codes() {
    Set<ErasureCode> codes = new HashSet<>();
    table.byDirectory().values().forEach(rule -> rule.code().ifPresent(codes::add));
    return codes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathCodes that && table.equals(that.table);
  }

  @Override
  public int hashCode() {
    return table.hashCode();
  }

  @Override
  public String toString() {
    return table.toString();
  }
}
