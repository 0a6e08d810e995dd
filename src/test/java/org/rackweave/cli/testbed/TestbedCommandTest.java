package org.rackweave.cli.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class TestbedCommandTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    PrintStream outStream = new PrintStream(out, true, UTF_8);
    PrintStream errStream = new PrintStream(err, true, UTF_8);
    return new TestbedCommand(outStream, errStream).run(args);
  }

  @Test
  void helpIsAResultWhereverItIsAsked() {
    assertEquals(0, run("--help"));
    for (String command : new String[] {"up", "down", "status", "compare"}) {
      assertTrue(out.toString(UTF_8).contains("\n  " + command + " "), out.toString(UTF_8));
    }
    for (String command : new String[] {"up", "down", "status", "compare"}) {
      out.reset();
      assertEquals(0, run(command, "--help"));
      assertTrue(out.toString(UTF_8).startsWith("Usage: docker/testbed " + command), command);
      assertTrue(out.toString(UTF_8).contains("--prefix=NAME"), command);
    }
    out.reset();
    assertEquals(0, run("up", "--racks", "3", "--help"));
    assertTrue(out.toString(UTF_8).contains("--racks=1..24"), out.toString(UTF_8));
    assertTrue(out.toString(UTF_8).contains("Racks; default: 6."), out.toString(UTF_8));
    assertEquals("", err.toString(UTF_8));
  }

  @Test
  void compareHasWrongOptionsOfItsOwn() {
    assertEquals(2, run("compare", "writes", "--seeds", "0"));
    assertTrue(err.toString(UTF_8).contains("'--seeds': '0'"), err.toString(UTF_8));
    assertEquals(2, run("compare", "reads", "--large"));
    assertTrue(err.toString(UTF_8).contains("--large is for writes"), err.toString(UTF_8));
  }

  @Test
  void aWrongOptionIsNamedAndNothingIsBuilt() {
    assertEquals(2, run("up", "--racks", "0"));
    assertTrue(err.toString(UTF_8).contains("'--racks': '0'"), err.toString(UTF_8));
    assertEquals("", out.toString(UTF_8));
  }

  @Test
  void aCommandThatIsNotThereIsNamedBesideThoseThatAre() {
    assertEquals(2, run("start"));
    assertTrue(err.toString(UTF_8).contains("'start'"), err.toString(UTF_8));
    err.reset();
    assertEquals(2, run());
    assertTrue(
        err.toString(UTF_8).contains("Commands: compare, down, status, up"), err.toString(UTF_8));
  }
}
