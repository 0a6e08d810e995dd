package org.rackweave.ear;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which files are to be encoded, by which code and when: rules for directories, of which the
 * deepest counts. Immutable.
 */
public final class PathCodes {
  /** In place of a code: files of this directory are left as they are. */
  public static final String NONE = "none";

  /** What {@link #parse} understands, in words. */
  public static final String ALLOWED =
      "/directory=code, separated by commas, the code being rs-<data>-<parity> or "
          + NONE
          + ", behind it, after blanks, any of "
          + EncodingTerms.ALLOWED;

  private static final Pattern RULE =
      Pattern.compile("(/[^=,]*)=([a-z0-9-]+)((?:\\s+[a-z]+=\\S+)*)");

  private static final Comparator<Rule> DEEPEST_FIRST =
      Comparator.comparingInt((Rule rule) -> -rule.directory().length())
          .thenComparing(Rule::directory);

  private final List<Rule> rules;
  private final EncodingTerms usual;

  /**
   * @param directory absolute, without a slash at its end; empty for the root
   * @param code empty where files are left as they are
   * @param terms when they are encoded
   */
  private record Rule(String directory, Optional<ErasureCode> code, EncodingTerms terms) {
    boolean covers(String path) {
      return path.startsWith(directory)
          && (path.length() == directory.length() || path.charAt(directory.length()) == '/');
    }
  }

  private PathCodes(List<Rule> rules, EncodingTerms usual) {
    this.rules = List.copyOf(rules);
    this.usual = usual;
  }

  /**
   * Reads rules such as {@code /warehouse=rs-10-4, /warehouse/raw=none, /logs=rs-6-3 age=30d}.
   *
   * @param text rules separated by commas; empty for none
   * @param usual terms of rules that say nothing of them
   * @throws IllegalArgumentException naming the rule and what is allowed
   */
  public static PathCodes parse(String text, EncodingTerms usual) {
    List<Rule> rules = new ArrayList<>();
    Set<String> directories = new HashSet<>();
    for (String part : text.split(",", -1)) {
      String rule = part.trim();
      if (rule.isEmpty() && text.isBlank()) {
        break;
      }
      Rule read = read(rule, usual);
      if (!directories.add(read.directory())) {
        throw new IllegalArgumentException("rule '" + rule + "': its directory has another one");
      }
      rules.add(read);
    }
    rules.sort(DEEPEST_FIRST);
    return new PathCodes(rules, usual);
  }

  /** The same, except that files of a directory are left as they are, whatever the rules say. */
  public PathCodes leaving(String directory) {
    List<Rule> all = new ArrayList<>(rules);
    Rule left = new Rule(directory, Optional.empty(), usual);
    all.removeIf(rule -> left.covers(rule.directory()));
    all.add(left);
    all.sort(DEEPEST_FIRST);
    return new PathCodes(all, usual);
  }

  private static Rule read(String rule, EncodingTerms usual) {
    Matcher parts = RULE.matcher(rule);
    if (!parts.matches()) {
      throw new IllegalArgumentException("rule '" + rule + "': not /directory=code");
    }
    String directory = parts.group(1).replaceAll("/+", "/").replaceAll("/$", "");
    String code = parts.group(2);
    try {
      if (code.equals(NONE)) {
        if (!parts.group(3).isBlank()) {
          throw new IllegalArgumentException(NONE + " has no terms");
        }
        return new Rule(directory, Optional.empty(), usual);
      }
      EncodingTerms terms = usual;
      for (String term : parts.group(3).trim().split("\\s+")) {
        terms = term.isEmpty() ? terms : terms.with(term);
      }
      return new Rule(directory, Optional.of(ErasureCode.named(code)), terms);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("rule '" + rule + "': " + e.getMessage(), e);
    }
  }

  /** The code for a file, empty when it is not to be encoded. */
  public Optional<ErasureCode> of(String path) {
    Rule rule = ruleFor(path);
    return rule == null ? Optional.empty() : rule.code();
  }

  /** When a file is encoded, if it is to be at all. */
  public EncodingTerms termsOf(String path) {
    Rule rule = ruleFor(path);
    return rule == null ? usual : rule.terms();
  }

  /** The rule that counts for a path, {@code null} without one. Asked for every block placed. */
  private Rule ruleFor(String path) {
    for (Rule rule : rules) {
      if (rule.covers(path)) {
        return rule;
      }
    }
    return null;
  }

  /** The directories that some rule gives a code. */
  public List<String> directories() {
    return rules.stream()
        .filter(rule -> rule.code().isPresent())
        .map(rule -> rule.directory().isEmpty() ? "/" : rule.directory())
        .toList();
  }

  /**
   * Whether a directory, written without a slash at its end, has a rule of its own and not only one
   * of a directory above it.
   */
  public boolean hasRuleFor(String directory) {
    return rules.stream().anyMatch(rule -> rule.directory().equals(directory));
  }

  /** Every code that some rule names. */
  public Set<ErasureCode> codes() {
    Set<ErasureCode> codes = new HashSet<>();
    rules.forEach(rule -> rule.code().ifPresent(codes::add));
    return codes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PathCodes that && rules.equals(that.rules);
  }

  @Override
  public int hashCode() {
    return rules.hashCode();
  }

  /** The rules, those that count first in front. */
  @Override
  public String toString() {
    return rules.stream()
        .map(
            rule ->
                (rule.directory().isEmpty() ? "/" : rule.directory())
                    + '='
                    + rule.code().map(ErasureCode::name).orElse(NONE)
                    + rule.terms().differingFrom(usual))
        .collect(Collectors.joining(", "));
  }
}
