package org.rackweave.sim.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.InputLines;

/**
 * A scenario's text cut into sections, before anything is understood. A line that begins in the
 * first column begins a section; indented lines are its keys. {@code #} after a blank or at the
 * beginning of a line begins a comment. What follows {@code expect} is taken as it is.
 *
 * @param file where it stands, for messages
 * @param about the texts of all {@code about} lines, joined
 * @param sections all others but {@code vary} and {@code expect}
 * @param variations the {@code vary} lines
 * @param expected lines after {@code expect}, without their two blanks
 */
record RawScenario(
    Path file,
    String about,
    List<RawSection> sections,
    List<Vary> variations,
    List<String> expected) {

  /** A scenario that needs more is no longer one that people read. */
  private static final int LINES_MAX = 10_000;

  static final String EXPECT = "expect";
  static final String INDENT = "  ";

  /** One {@code vary} line. */
  record Vary(int line, String target, List<String> values) {}

  /** Reads and cuts a file. */
  static RawScenario read(Path file) throws InputException {
    List<String> lines = new ArrayList<>();
    try (InputLines in = new InputLines(file)) {
      for (String line = in.next(); line != null; line = in.next()) {
        if (lines.size() == LINES_MAX) {
          throw in.bad("more than " + LINES_MAX + " lines");
        }
        lines.add(line);
      }
    }
    return cut(file, lines);
  }

  /** Cuts a text. */
  static RawScenario cut(Path file, List<String> lines) throws InputException {
    Cutter cutter = new Cutter(file);
    for (int i = 0; i < lines.size(); i++) {
      if (withoutComment(lines.get(i)).equals(EXPECT)) {
        return cutter.done(expected(file, lines, i + 1));
      }
      cutter.line(i + 1, lines.get(i));
    }
    return cutter.done(List.of());
  }

  /** The lines of the block, which end with the last that is not empty. */
  private static List<String> expected(Path file, List<String> lines, int from)
      throws InputException {
    List<String> expected = new ArrayList<>();
    for (int i = from; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.isBlank()) {
        expected.add("");
      } else if (line.startsWith(INDENT)) {
        expected.add(line.substring(INDENT.length()));
      } else {
        throw new InputException(
            file, i + 1, "expect goes to the end of the file, every line begins with two blanks");
      }
    }
    while (!expected.isEmpty() && expected.get(expected.size() - 1).isEmpty()) {
      expected.remove(expected.size() - 1);
    }
    return expected;
  }

  private static String withoutComment(String line) {
    for (int i = line.indexOf('#'); i >= 0; i = line.indexOf('#', i + 1)) {
      if (i == 0 || Character.isWhitespace(line.charAt(i - 1))) {
        return line.substring(0, i).stripTrailing();
      }
    }
    return line.stripTrailing();
  }

  /** The same scenario with one value changed, without variations. */
  RawScenario with(Vary vary, String value) throws InputException {
    int dot = vary.target.lastIndexOf('.');
    String section = dot < 0 ? vary.target : vary.target.substring(0, dot);
    String key = vary.target.substring(dot + 1);
    List<RawSection> changed = new ArrayList<>(sections);
    for (int i = 0; i < changed.size() && dot > 0; i++) {
      RawSection one = changed.get(i);
      boolean named = one.topic().equals("workload") || one.topic().equals("policy");
      if (section.equals(named ? one.name() : one.words().size() == 1 ? one.topic() : "")) {
        changed.set(i, one.with(new RawSection.Entry(vary.line, key, value)));
        return new RawScenario(file, about, changed, List.of(), List.of());
      }
    }
    boolean unwritten =
        List.of("telemetry", "power", "encoding", "recovery", "run").contains(section);
    if (dot <= 0 || !unwritten) {
      throw new InputException(
          file,
          vary.line,
          "vary "
              + InputException.quote(vary.target)
              + "; expected <cluster, telemetry, power, encoding, recovery, run or the name of a workload or policy>"
              + ".<key>");
    }
    RawSection.Entry entry = new RawSection.Entry(vary.line, key, value);
    changed.add(new RawSection(file, vary.line, List.of(section), List.of(entry)));
    return new RawScenario(file, about, changed, List.of(), List.of());
  }

  /** Collects sections line by line. */
  private static final class Cutter {
    private final Path file;
    private final List<String> about = new ArrayList<>();
    private final List<RawSection> sections = new ArrayList<>();
    private final List<Vary> variations = new ArrayList<>();
    private List<String> words;
    private int begin;
    private List<RawSection.Entry> entries = new ArrayList<>();

    Cutter(Path file) {
      this.file = file;
    }

    void line(int number, String text) throws InputException {
      String line = withoutComment(text);
      if (line.isBlank()) {
        return;
      }
      String[] parts = line.strip().split("\\s+", 2);
      String rest = parts.length > 1 ? parts[1] : "";
      if (Character.isWhitespace(line.charAt(0))) {
        entry(number, parts[0], rest);
        return;
      }
      finish();
      if (parts[0].equals("about")) {
        about.add(rest);
      } else if (parts[0].equals("vary")) {
        variations.add(vary(number, rest));
      } else {
        words = Arrays.asList(line.split("\\s+"));
        begin = number;
      }
    }

    private void entry(int number, String key, String value) throws InputException {
      if (words == null) {
        throw new InputException(
            file,
            number,
            InputException.quote(key)
                + " is indented but belongs to no section; those begin in the first column");
      }
      if (value.isEmpty()) {
        throw new InputException(file, number, InputException.quote(key) + " has no value");
      }
      entries.add(new RawSection.Entry(number, key, value));
    }

    private Vary vary(int number, String text) throws InputException {
      String[] parts = text.split("\\s+", 2);
      List<String> values =
          parts.length < 2
              ? List.of("")
              : Arrays.stream(parts[1].split("\\|", -1)).map(String::strip).toList();
      if (values.contains("")) {
        throw new InputException(
            file, number, "expected 'vary <section>.<key> <value> | <value> ...'");
      }
      return new Vary(number, parts[0], values);
    }

    private void finish() {
      if (words != null) {
        sections.add(new RawSection(file, begin, words, entries));
      }
      words = null;
      entries = new ArrayList<>();
    }

    RawScenario done(List<String> expected) {
      finish();
      return new RawScenario(file, String.join(" ", about).strip(), sections, variations, expected);
    }
  }
}
