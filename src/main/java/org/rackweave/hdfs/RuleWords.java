package org.rackweave.hdfs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rackweave.eafr.PathRules;
import org.rackweave.ear.PathCodes;
import org.rackweave.rules.RuleSet;

/** The words of rules: those that lead, and those that go with each. */
public final class RuleWords {
  private static final Map<String, List<String>> FOLLOWERS =
      Map.of(
          Placing.WORD, List.of(),
          PathCodes.CODE, PathCodes.TERMS,
          PathRules.HEAT, PathRules.BOUNDS);

  private static final List<String> LEADERS = List.of(Placing.WORD, PathCodes.CODE, PathRules.HEAT);

  /** What rules may say, in words. */
  public static final String ALLOWED =
      Placing.ALLOWED + "; " + PathCodes.ALLOWED + "; " + PathRules.ALLOWED;

  private RuleWords() {}

  /**
   * Refuses words that nobody reads.
   *
   * @throws IllegalArgumentException naming the word and what is allowed
   */
  public static void check(Map<String, String> words) {
    for (String word : words.keySet()) {
      String leader = leaderOf(word);
      if (!FOLLOWERS.containsKey(leader)) {
        throw new IllegalArgumentException("'" + word + "': allowed is " + ALLOWED);
      }
      if (!words.containsKey(leader)) {
        throw new IllegalArgumentException(
            "'" + word + "': allowed behind " + leader + "=..., which is missing");
      }
    }
  }

  /** The word that has to be there with a word; of one that leads, or is unknown, itself. */
  private static String leaderOf(String word) {
    return LEADERS.stream()
        .filter(leader -> FOLLOWERS.get(leader).contains(word))
        .findFirst()
        .orElse(word);
  }

  /** Rules with others behind them, which count for a directory where these do not lead. */
  public static RuleSet over(RuleSet rules, RuleSet behind) {
    RuleSet both = behind;
    for (String directory : rules.directories()) {
      both = both.with(directory, over(rules.of(directory), behind.of(directory)));
    }
    return both;
  }

  /** The same for the words of one directory. */
  public static Map<String, String> over(Map<String, String> words, Map<String, String> behind) {
    Map<String, String> both = new LinkedHashMap<>(words);
    for (Map.Entry<String, String> word : behind.entrySet()) {
      if (!words.containsKey(leaderOf(word.getKey()))) {
        both.put(word.getKey(), word.getValue());
      }
    }
    return both;
  }

  /** Words without those that some lead, and what goes with them. */
  public static Map<String, String> without(List<String> leaders, Map<String, String> words) {
    Map<String, String> left = new LinkedHashMap<>(words);
    left.keySet().removeIf(word -> leaders.contains(leaderOf(word)));
    return left;
  }

  /** The words that lead, in the order in which they are told. */
  public static List<String> leaders() {
    return LEADERS;
  }
}
