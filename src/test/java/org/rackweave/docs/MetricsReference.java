package org.rackweave.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

/** The metrics in the reference are those that are exported. */
public final class MetricsReference {
  private MetricsReference() {}

  /**
   * Compares both, in both directions. {@code Fallback<Reason>} stands for all that begin so, which
   * may be none at the moment.
   *
   * @param source name of the metrics2 source
   * @param exported names of its metrics
   */
  public static void check(String source, Set<String> exported) throws IOException {
    Set<String> listed = PagesTest.firstCells(Path.of("docs/reference.md"), "### Source " + source);
    Set<String> missing = new TreeSet<>(exported);
    Set<String> surplus = new TreeSet<>(listed);
    surplus.removeAll(exported);
    surplus.removeIf(name -> name.endsWith(">"));
    for (String name : listed) {
      String pattern = name.replaceAll("<\\w+>", "[A-Z]\\\\w*");
      missing.removeIf(one -> one.matches(pattern));
    }
    assertEquals(Set.of(), missing, source + ": not in the reference");
    assertEquals(Set.of(), surplus, source + ": not exported");
  }
}
