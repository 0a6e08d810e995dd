package org.rackweave.cli.eafr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.cli.ToolCommand;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

class EafrOptionsTest {
  private static ParseResult eafr(String line) {
    return ToolCommand.parser(EafrCommand.eafr(System.out, System.err))
        .parseArgs(line.split(" "))
        .subcommand();
  }

  @Test
  void sleepAndWakeNameAHost() {
    ParseResult sleep = eafr("sleep dn1:9866 --json target/f");
    assertEquals("dn1:9866", sleep.matchedPositionalValue(0, ""));
    assertTrue(sleep.hasMatchedOption("--json"));
    assertEquals("all", eafr("wake all").matchedPositionalValue(0, ""));
    assertTrue(eafr("wake --help").isUsageHelpRequested());
  }

  @Test
  void aPlanThatIsCarriedOutMayBeNamed() {
    assertEquals(17, eafr("plan --apply 17").matchedOptionValue("--apply", -1));
    assertEquals(0, eafr("plan --apply").matchedOptionValue("--apply", -1));
    assertEquals(0, eafr("plan --apply --json target/f").matchedOptionValue("--apply", -1));
    assertEquals(-1, eafr("plan").matchedOptionValue("--apply", -1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sleep",
        "wake",
        "sleep --json target/f",
        "roles dn1",
        "wake a b",
        "plan --apply all",
        "plan --apply 0",
        "plan --apply=-1",
        "plan --path /a",
        "restore --path a",
        "status --apply",
        "status --top 3",
      })
  void refusesWhatACommandDoesNotHave(String line) {
    assertThrows(ParameterException.class, () -> eafr(line));
  }
}
