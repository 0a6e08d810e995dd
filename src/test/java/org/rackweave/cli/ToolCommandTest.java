package org.rackweave.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

class ToolCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<Integer> pauses = new ArrayList<>();
  private int looks;
  private boolean isSilent;

  @Watchable
  @Command(name = "bin/rackweave look")
  private final class Look extends ToolCommand implements Callable<Integer> {
    @Option(names = "--json")
    private boolean json;

    @Option(names = "--set")
    private boolean set;

    Look(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws IOException {
      looks++;
      if (isSilent && looks == 2) {
        throw new IOException("no NameNode is active");
      }
      out.println("look " + looks);
      return 0;
    }

    @Command
    int once() {
      return 0;
    }

    @Override
    protected boolean changes() {
      return set;
    }

    @Override
    boolean pause(int seconds) {
      pauses.add(seconds);
      return looks < 3;
    }
  }

  private int run(String... args) {
    return new Look(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8)).run(args);
  }

  @Test
  void looksOnceUnlessToldOtherwise() {
    assertEquals(0, run());
    assertEquals(1, looks);
    assertEquals(List.of(), pauses);
  }

  @Test
  void looksAgainAndAgainWithTheTimeAboveEachLook() {
    run("--watch", "7");
    assertEquals(List.of(7, 7, 7), pauses);
    String text = out.toString(UTF_8);
    assertTrue(text.matches("(?s)(\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z\\Rlook [123]\\R){3}"), text);
    assertFalse(text.contains("\033"), "no terminal's signs in a file");
    run("--watch");
    assertEquals(2, pauses.get(3), "unless said");
  }

  @Test
  void goesOnWhenANameNodeDoesNotAnswerForAWhile() {
    isSilent = true;
    run("--watch");
    assertEquals(3, looks);
    assertEquals("bin/rackweave look: no NameNode is active\n", err.toString(UTF_8));
  }

  @Test
  void onlyWhatChangesNothingIsDoneAgainAndAgain() {
    assertEquals(2, run("--watch", "--set"));
    assertEquals(2, run("--watch", "--json"));
    assertEquals(2, run("once", "--watch"));
    assertEquals(2, run("--watch", "0"));
    assertEquals(0, looks);
  }

  @Test
  void tellsOfItWhereItGoes() {
    run("--help");
    assertTrue(out.toString(UTF_8).contains("--watch[=SECONDS]"), () -> out.toString(UTF_8));
  }
}
