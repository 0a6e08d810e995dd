package org.rackweave.sim.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.rackweave.MixedRandom;
import org.rackweave.sim.workload.InputException;

/** Thousands of broken scenarios: each is understood, or refused with a line it has. */
class BrokenScenarioTest {
  private static final int CASES = 5_000;
  private static final Path NAME = Path.of("broken.yaml");

  private static final String[] PIECES = {
    "-1",
    "0",
    "NaN",
    "1e400",
    "9999999999999999999",
    "1s",
    "5%",
    "10MB",
    "uniform",
    "of",
    "else",
    "quantiles 0% 1 100%",
    "choice",
    "zipf",
    "#",
    "  ",
    "\t",
    "|",
    ".",
    "none",
    "never",
    "é",
    "vary: {cluster.racks: [1, 2]}",
    "vary: {.: 1}",
    "vary: {writes.: 4}",
    "expect: |2",
    "cluster:",
    "policies:",
    "  - kind: writes",
    "  - {rack: -1}",
    "about:",
    ":",
    ": ",
    "- ",
    "[",
    "[[[[[[[[",
    "]",
    "{",
    "}",
    "&a ",
    "*a",
    "!!binary ",
    "|",
    ">2",
    "\"",
    "'",
    "%",
    "---",
    "...",
    "? ",
    "~",
    "\u0007",
    "\u0000",
    "unlimited",
    "1/s",
    "2 of 3 else 4"
  };

  private static List<String> broken(List<String> lines, Random dice) {
    List<String> broken = new ArrayList<>(lines);
    for (int changes = 1 + dice.nextInt(4); changes > 0; changes--) {
      int at = dice.nextInt(broken.size());
      String line = broken.get(at);
      String piece = PIECES[dice.nextInt(PIECES.length)];
      int cut = dice.nextInt(line.length() + 1);
      switch (dice.nextInt(6)) {
        case 0 -> broken.set(at, line.substring(0, cut));
        case 1 -> broken.set(at, line.substring(0, cut) + piece + line.substring(cut));
        case 2 -> broken.set(at, line.replaceFirst("\\S+$", piece));
        case 3 -> broken.add(at, broken.get(dice.nextInt(broken.size())));
        case 4 -> broken.add(at, piece);
        default -> broken.set(at, line.substring(cut));
      }
    }
    return broken;
  }

  @Test
  void isUnderstoodOrRefusedWithItsLine() throws InputException {
    int refused = 0;
    for (long seed = 0; seed < CASES; seed++) {
      Random dice = MixedRandom.of(seed);
      List<String> text = broken(RandomScenario.lines(dice), dice);
      try {
        Scenario scenario = ScenarioText.parse(NAME, text);
        List<String> written = scenario.text().lines().toList();
        assertEquals(scenario.text(), ScenarioText.parse(NAME, written).text(), "seed " + seed);
      } catch (InputException e) {
        refused++;
        assertEquals(NAME, e.file());
        assertTrue(e.line() >= 0 && e.line() <= text.size(), "seed " + seed + ": " + e);
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError("seed " + seed + ": " + String.join("\n", text), e);
      }
    }
    assertTrue(refused > CASES / 4, refused + " refused");
  }

  @Test
  void refusesAMixtureNobodyReads() {
    String deep = "0.5 of 1B else ".repeat(60_000) + "1B";
    List<String> text =
        List.of(
            "cluster: {racks: 1, nodes-per-rack: 1}",
            "policies: [{kind: stock}]",
            "workloads:",
            "  - kind: writes",
            "    rate: 1/s",
            "    size: " + deep);
    InputException e = assertThrows(InputException.class, () -> ScenarioText.parse(NAME, text));
    assertEquals("broken.yaml:6: size has more than 20 parts with else", e.getMessage());
  }
}
