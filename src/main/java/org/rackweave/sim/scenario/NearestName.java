package org.rackweave.sim.scenario;

import java.util.Collection;
import java.util.Comparator;

/** What somebody who misspelt a name may have meant. */
final class NearestName {

  /** Longer words are near nothing. */
  private static final int WRITTEN_MAX = 60;

  private NearestName() {}

  /**
   * {@code " (did you mean 'x'?)"} with the name that needs the fewest changes, or nothing when
   * none is near.
   */
  static String suggestion(String written, Collection<String> names) {
    if (written.length() > WRITTEN_MAX) {
      return "";
    }
    return names.stream()
        .min(
            Comparator.comparingInt((String name) -> changes(written, name))
                .thenComparing(Comparator.naturalOrder()))
        .filter(name -> changes(written, name) <= Math.max(2, name.length() / 2))
        .map(name -> " (did you mean '" + name + "'?)")
        .orElse("");
  }

  /** Letters to put in, take out or replace to make one word of another (Levenshtein). */
  static int changes(String from, String to) {
    int[] previous = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] current = new int[to.length() + 1];
      current[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
