package org.rackweave.sim.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The output that a scenario's file expects of it, and how to replace it. A run gives lines; they
 * are compared with the block after {@code expect}, or become it.
 */
public final class Expectation {

  /** System property that makes tests write what they see in place of comparing it. */
  public static final String REWRITE = "rackweave.rewrite";

  /** Every line below is indented by two blanks; what more there is belongs to the line. */
  private static final String HEAD = "expect: |2";

  private static final String INDENT = "  ";

  private Expectation() {}

  /**
   * Compares what a run gave with what was expected.
   *
   * @return nothing when they are equal, or the first difference as a sentence of several lines
   */
  public static Optional<String> difference(List<String> expected, List<String> actual) {
    int line = 0;
    while (line < expected.size()
        && line < actual.size()
        && expected.get(line).equals(actual.get(line))) {
      line++;
    }
    if (line == expected.size() && line == actual.size()) {
      return Optional.empty();
    }
    return Optional.of(
        "line "
            + (line + 1)
            + " differs\n  expected: "
            + (line < expected.size() ? expected.get(line) : "(no more lines)")
            + "\n  actual:   "
            + (line < actual.size() ? actual.get(line) : "(no more lines)")
            + "\nwrite what is actual with -D"
            + REWRITE
            + "=true");
  }

  /**
   * Replaces the expected output in a scenario's file. Everything before the block stays as it is,
   * byte for byte.
   */
  public static void rewrite(Path file, List<String> actual) throws IOException {
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
    int end = lines.indexOf(HEAD);
    List<String> kept = new ArrayList<>(end < 0 ? lines : lines.subList(0, end));
    if (end < 0 && !kept.isEmpty() && !kept.get(kept.size() - 1).isBlank()) {
      kept.add("");
    }
    kept.addAll(block(actual));
    Files.write(file, kept, StandardCharsets.UTF_8);
  }

  /** The block as it stands in a file. */
  static List<String> block(List<String> expected) {
    List<String> lines = new ArrayList<>();
    lines.add(HEAD);
    for (String line : expected) {
      lines.add(line.isEmpty() ? "" : INDENT + line);
    }
    return lines;
  }
}
