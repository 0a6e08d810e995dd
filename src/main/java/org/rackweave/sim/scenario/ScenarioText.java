package org.rackweave.sim.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rackweave.sim.workload.InputException;
import org.rackweave.sim.workload.InputLines;

/** Scenarios as text, see {@code docs/scenarios.md}. */
public final class ScenarioText {

  /** What a scenario's file name ends in. */
  public static final String ENDING = ".yaml";

  /** A scenario that needs more is no longer one that people read. */
  private static final int LINES_MAX = 10_000;

  private ScenarioText() {}

  /**
   * Reads a scenario.
   *
   * @throws InputException naming the line, the key, the value and what is allowed
   */
  public static Scenario read(Path file, Overrides overrides) throws InputException {
    List<String> lines = new ArrayList<>();
    try (InputLines in = new InputLines(file)) {
      for (String line = in.next(); line != null; line = in.next()) {
        if (lines.size() == LINES_MAX) {
          throw in.bad("more than " + LINES_MAX + " lines");
        }
        lines.add(line);
      }
    }
    return parse(file, lines, overrides);
  }

  /**
   * Reads a scenario that is in memory.
   *
   * @param file named in messages, and gives the scenario its name; need not exist
   */
  public static Scenario parse(Path file, List<String> lines) throws InputException {
    return parse(file, lines, Overrides.NONE);
  }

  static Scenario parse(Path file, List<String> lines, Overrides overrides) throws InputException {
    ScenarioTree tree = ScenarioTree.parse(file, lines);
    if (!overrides.equals(Overrides.NONE)) {
      scenario(file, tree, List.of());
      overrides.apply(tree.root());
    }
    SectionReader.Sections sections = SectionReader.read(tree);
    List<Scenario.Variation> variations = new ArrayList<>();
    for (Map.Entry<String, List<String>> vary : sections.vary().entrySet()) {
      variations.add(variation(file, tree, vary.getKey(), vary.getValue()));
    }
    return scenario(file, tree, variations);
  }

  private static Scenario.Variation variation(
      Path file, ScenarioTree tree, String target, List<String> values) throws InputException {
    if (values.isEmpty()) {
      throw tree.bad("/vary/" + target, "vary " + target + " has no value");
    }
    List<Scenario.Case> cases = new ArrayList<>();
    for (String value : values) {
      cases.add(new Scenario.Case(value, varied(file, tree, target, value)));
    }
    return new Scenario.Variation(target, cases);
  }

  /** Where another line is no longer right, the message says what was varied. */
  private static Scenario varied(Path file, ScenarioTree tree, String target, String value)
      throws InputException {
    int line = tree.varied(target);
    ScenarioTree changed = tree.with(target, value);
    changed.root().remove(List.of("vary", "expect"));
    try {
      return scenario(file, changed, List.of());
    } catch (InputException e) {
      if (e.line() == line) {
        throw e;
      }
      String cause = ", once line " + line + " varies " + target + " to " + value;
      throw new InputException(file, e.line(), e.reason() + cause);
    }
  }

  private static Scenario scenario(
      Path file, ScenarioTree tree, List<Scenario.Variation> variations) throws InputException {
    SectionReader.Sections sections = SectionReader.read(tree);
    try {
      return new Scenario(
          nameOf(file),
          sections.about().strip(),
          sections.cluster(),
          sections.telemetry(),
          sections.power(),
          sections.encoding(),
          sections.recovery(),
          sections.workloads(),
          sections.policies(),
          sections.failures(),
          sections.run(),
          variations,
          sections.expect().stripTrailing().lines().toList(),
          tree.written());
    } catch (BadValueException e) {
      throw tree.bad("/" + e.where(), e.getMessage());
    }
  }

  private static String nameOf(Path file) {
    Path last = file.getFileName();
    String name = last == null ? "" : last.toString();
    return name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
  }
}
