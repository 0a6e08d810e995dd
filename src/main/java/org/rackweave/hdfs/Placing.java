package org.rackweave.hdfs;

import java.util.Map;
import org.rackweave.rules.PathTable;
import org.rackweave.rules.RuleSet;

/** Who ranks the nodes for a file's new replicas, as far as pools and modes let any be ranked. */
public enum Placing {
  /** The room of the links (Sinbad), and odds where these are not known. */
  NETWORK,
  /** EAFR's odds. */
  ODDS,
  /** Nobody: stock HDFS chooses, except for blocks of stripes. */
  STOCK;

  /** The word of rules that says so. */
  public static final String WORD = "place";

  static final String ALLOWED = WORD + "=network, " + WORD + "=odds or " + WORD + "=stock";

  /**
   * What rules say.
   *
   * @throws IllegalArgumentException naming the directory, the value and what is allowed
   */
  public static PathTable<Placing> of(RuleSet rules) {
    return new PathTable<>(rules.read(WORD, Placing::read));
  }

  /** Whether any rule asks for odds. */
  static boolean anyByOdds(RuleSet rules) {
    return rules.read(WORD, Placing::read).containsValue(ODDS);
  }

  private static Placing read(Map<String, String> words) {
    return ConfigReader.choose(WORD, words.get(WORD), Placing.class);
  }
}
