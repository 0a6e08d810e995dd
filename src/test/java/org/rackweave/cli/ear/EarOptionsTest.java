package org.rackweave.cli.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.cli.UsageException;

class EarOptionsTest {
  private static final Set<String> ALLOWED = Set.of("--engine", "--jobs-per-rack");

  @Test
  void dataNodesEncodeUnlessAskedOtherwise() {
    assertEquals(EarOptions.Engine.EMBEDDED, EarOptions.parse(new String[0], ALLOWED).engine());
    EarOptions yarn =
        EarOptions.parse(new String[] {"--engine", "yarn", "--jobs-per-rack", "16"}, ALLOWED);
    assertEquals(EarOptions.Engine.YARN, yarn.engine());
    assertEquals(16, yarn.jobsPerRack());
  }

  @ParameterizedTest
  @CsvSource({
    "--engine, spark, embedded or yarn",
    "--engine, YARN, embedded or yarn",
    "--jobs-per-rack, 0, 1 to 16",
    "--jobs-per-rack, 17, 1 to 16",
    "--jobs-per-rack, many, 1 to 16"
  })
  void namesTheOptionItsValueAndWhatItAllows(String option, String value, String allowed) {
    UsageException wrong =
        assertThrows(
            UsageException.class, () -> EarOptions.parse(new String[] {option, value}, ALLOWED));
    assertTrue(
        wrong.getMessage().startsWith(option + " '" + value + "'")
            && wrong.getMessage().endsWith(allowed),
        wrong.getMessage());
  }
}
