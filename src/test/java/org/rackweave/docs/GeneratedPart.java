package org.rackweave.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rackweave.sim.scenario.Expectation;

/** A part of a page between two comments that a test generates. */
public final class GeneratedPart {
  private static final int COLUMNS = 118;

  private GeneratedPart() {}

  /**
   * Compares the part with what it should be, or writes it with {@code -Drackweave.rewrite=true}.
   *
   * @param name the part is between {@code <!-- name -->} and {@code <!-- end of name -->}
   */
  public static void check(Path page, String name, List<String> lines) throws IOException {
    List<String> text = Files.readAllLines(page);
    int begin = text.indexOf("<!-- " + name + " -->");
    int end = text.indexOf("<!-- end of " + name + " -->");
    assertTrue(begin >= 0 && end > begin, name);
    List<String> wanted = new ArrayList<>(text.subList(0, begin + 1));
    wanted.add("");
    wanted.addAll(lines);
    wanted.add("");
    wanted.addAll(text.subList(end, text.size()));
    if (Boolean.getBoolean(Expectation.REWRITE)) {
      Files.write(page, wanted);
    } else {
      assertEquals(Optional.empty(), Expectation.difference(text, wanted));
    }
  }

  /** An item of a list, wrapped. */
  public static List<String> item(String indent, String text) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(indent).append('-');
    for (String word : text.trim().split("\\s+")) {
      if (line.length() + 1 + word.length() > COLUMNS) {
        lines.add(line.toString());
        line = new StringBuilder(indent).append(' ');
      }
      line.append(' ').append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
