package org.rackweave.cli.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecoveryCommandTest {
  @ParameterizedTest
  @CsvSource({
    "'', '--node=X,Y | --rack=R | --drain=X,Y | --uplink=R=50%'",
    "--node, 'Missing required parameter for option ''--node'' (X,Y)'",
    "--node a --rack b, mutually exclusive",
    "--node a --fast, Unknown option: '--fast'",
    "--node a extra, 'extra'",
  })
  void optionsAreCheckedBeforeAnybodyIsAsked(String line, String said) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
    String[] args = line.isEmpty() ? new String[0] : line.split(" ");
    assertEquals(2, RecoveryCommand.whatIf(to, to).run(args));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains(said), err::toString);
    assertEquals(2, RecoveryCommand.recovery(to, to).run(new String[] {"--node", "a"}));
    assertEquals(2, RecoveryCommand.durability(to, to).run(new String[] {"now"}));
    assertEquals(2, RecoveryCommand.recovery(to, to).run(new String[] {"goal", "06:00"}));
  }
}
