package org.rackweave.cli.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.testbed.compare.CompareOptions;

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
    assertEquals(TestbedOptions.USAGE, out.toString(UTF_8));
    for (String command : new String[] {"up", "down", "status"}) {
      out.reset();
      assertEquals(0, run(command, "--help"));
      assertEquals(TestbedOptions.USAGE, out.toString(UTF_8));
    }
    assertEquals("", err.toString(UTF_8));
  }

  @Test
  void compareHasHelpAndWrongOptionsOfItsOwn() {
    assertEquals(0, run("compare", "--help"));
    assertEquals(CompareOptions.USAGE, out.toString(UTF_8));
    assertEquals(2, run("compare", "writes", "--seeds", "0"));
    assertTrue(err.toString(UTF_8).contains("--seeds is '0'"), err.toString(UTF_8));
  }

  @Test
  void aWrongOptionIsNamedAndNothingIsBuilt() {
    assertEquals(2, run("up", "--racks", "0"));
    assertTrue(err.toString(UTF_8).contains("--racks is '0'"), err.toString(UTF_8));
    assertEquals("", out.toString(UTF_8));
  }

  @Test
  void aCommandThatIsNotThereIsNamedBesideThoseThatAre() {
    assertEquals(2, run("start"));
    assertTrue(err.toString(UTF_8).contains("no command 'start'"), err.toString(UTF_8));
    assertTrue(err.toString(UTF_8).contains("up, status, down and compare"), err.toString(UTF_8));
    assertEquals(2, run());
  }
}
