package org.rackweave.sim.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A file of cases people read: {@code == title}, the input, {@code ----}, the output. With {@code
 * -Drackweave.rewrite=true} the outputs are written, otherwise compared.
 */
final class CasesFile {

  /** One case. */
  record Case(String title, List<String> input, List<String> output) {}

  private final Path file;
  private final List<Case> cases = new ArrayList<>();

  CasesFile(Path file) throws IOException {
    this.file = file;
    Case current = null;
    boolean output = false;
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      if (line.startsWith("== ")) {
        current = new Case(line.substring(3), new ArrayList<>(), new ArrayList<>());
        cases.add(current);
        output = false;
      } else if (line.equals("----")) {
        output = true;
      } else {
        (output ? current.output : current.input).add(line);
      }
    }
  }

  List<Case> cases() {
    return cases;
  }

  /** The first difference, with the title of its case; nothing after a rewrite. */
  Optional<String> check(Function<Case, List<String>> run) throws IOException {
    List<String> lines = new ArrayList<>();
    Optional<String> difference = Optional.empty();
    for (Case one : cases) {
      List<String> actual = run.apply(one);
      lines.add("== " + one.title);
      lines.addAll(one.input);
      lines.add("----");
      lines.addAll(actual);
      if (difference.isEmpty()) {
        difference =
            Expectation.difference(one.output, actual).map(text -> one.title + ": " + text);
      }
    }
    if (Boolean.getBoolean(Expectation.REWRITE)) {
      Files.write(file, lines, StandardCharsets.UTF_8);
      return Optional.empty();
    }
    return difference;
  }
}
