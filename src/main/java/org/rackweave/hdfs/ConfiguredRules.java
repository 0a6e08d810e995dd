package org.rackweave.hdfs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.rackweave.eafr.PathRules;
import org.rackweave.ear.EncodingTerms;
import org.rackweave.ear.PathCodes;
import org.rackweave.rules.RuleSet;

/**
 * Rules that an earlier version's configuration has: {@code /directory=value word=value ...},
 * separated by commas, in a key for each feature. Those of the namespace go before them.
 */
public final class ConfiguredRules {
  /** What was to be encoded. */
  public static final String CODES = "rackweave.ear.paths";

  /** Which files were to follow their readers. */
  public static final String HEAT = "rackweave.eafr.paths";

  private static final Pattern RULE =
      Pattern.compile("(/[^=,]*)=([a-z0-9-]+)((?:\\s+[a-z]+=\\S+)*)");

  /** What stood for no rules at all. */
  private static final String UNUSED = "unused";

  /** What words were called. */
  private static final Map<String, String> RENAMED = Map.of("r", "min", "epsilon", "hot");

  private ConfiguredRules() {}

  /**
   * Reads them.
   *
   * @throws IllegalArgumentException naming the key, the value and what is allowed
   */
  public static RuleSet of(Configuration conf) {
    return RuleWords.over(
        of(
            conf,
            CODES,
            PathCodes.CODE,
            PathCodes.ALLOWED,
            rules -> PathCodes.of(rules, EncodingTerms.ANY)),
        of(conf, HEAT, PathRules.HEAT, PathRules.ALLOWED, PathRules::of));
  }

  private static RuleSet of(
      Configuration conf, String key, String leader, String allowed, Consumer<RuleSet> check) {
    String text = conf.getTrimmed(key, "");
    try {
      RuleSet rules = text.isEmpty() || text.equals(UNUSED) ? RuleSet.NONE : read(text, leader);
      check.accept(rules);
      return rules;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          key
              + " = '"
              + text
              + "': allowed is /directory=VALUE WORD=VALUE, separated by commas, with "
              + allowed
              + "; "
              + e.getMessage(),
          e);
    }
  }

  private static RuleSet read(String text, String leader) {
    RuleSet rules = RuleSet.NONE;
    for (String part : text.split(",", -1)) {
      String rule = part.trim();
      Matcher parts = RULE.matcher(rule);
      if (!parts.matches()) {
        throw new IllegalArgumentException("rule '" + rule + "': not /directory=VALUE");
      }
      try {
        String named = parts.group(1).trim().replaceAll("/+", "/").replaceAll("/$", "");
        String directory = named.isEmpty() ? "/" : named;
        if (!rules.of(directory).isEmpty()) {
          throw new IllegalArgumentException("its directory has another one");
        }
        List<String> words = new ArrayList<>();
        words.add(leader + '=' + parts.group(2));
        for (String word : parts.group(3).trim().split("\\s+")) {
          if (!word.isEmpty()) {
            words.add(word);
          }
        }
        Map<String, String> renamed = new LinkedHashMap<>();
        RuleSet.words(words)
            .forEach((word, value) -> renamed.put(RENAMED.getOrDefault(word, word), value));
        RuleWords.check(renamed);
        rules = rules.with(directory, renamed);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("rule '" + rule + "': " + e.getMessage(), e);
      }
    }
    return rules;
  }

  /** How to say the same in the namespace, for the log; empty where there is nothing to say. */
  public static List<String> advice(Configuration conf) {
    List<String> commands = new ArrayList<>();
    RuleSet rules = of(conf);
    for (String directory : rules.directories()) {
      StringBuilder command = new StringBuilder("bin/rackweave rules set ").append(directory);
      rules
          .of(directory)
          .forEach((word, value) -> command.append(' ').append(word).append('=').append(value));
      commands.add(command.toString());
    }
    return commands;
  }
}
