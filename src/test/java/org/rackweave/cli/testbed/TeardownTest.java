package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a teardown does without root; namespaces and mounts are left to {@link TestbedIT}. */
@EnabledOnOs(OS.LINUX)
class TeardownTest {

  @TempDir Path base;

  private Teardown teardown() throws IOException {
    Claim.take(base, "a", Set.of());
    return new Teardown(base, "a");
  }

  @Test
  void endsWhatWasStartedAndGivesThePlaceBack() throws Exception {
    Teardown teardown = teardown();
    Process process = teardown.start(new ProcessBuilder("sleep", "600"));
    teardown.close();
    assertTrue(process.waitFor(20, TimeUnit.SECONDS), "it still runs");
    assertFalse(Files.exists(base.resolve("a")));
    teardown.close();
  }

  @Test
  void nothingIsMadeOnceItHasBegun() throws IOException {
    Teardown teardown = teardown();
    Path file = base.resolve("made");
    teardown.carryOut(Step.of("touch", file.toString()));
    assertTrue(Files.exists(file));
    teardown.close();
    Files.delete(file);
    assertThrows(IOException.class, () -> teardown.carryOut(Step.of("touch", file.toString())));
    assertThrows(IOException.class, () -> teardown.start(new ProcessBuilder("true")));
    assertFalse(Files.exists(file));
  }

  @Test
  void aStepThatFailsSaysWhichAndWhatItPrinted() throws IOException {
    try (Teardown teardown = teardown()) {
      Step step = Step.of("sh", "-c", "echo no such link >&2; exit 3");
      IOException failed = assertThrows(IOException.class, () -> teardown.carryOut(step));
      assertEquals(
          "'sh -c echo no such link >&2; exit 3' failed with 3: no such link", failed.getMessage());
    }
  }

  @Test
  void whatIsNotThereIsNotRemoved() throws IOException {
    Claim.take(base, "lab", Set.of());
    Teardown.of(base, PlanFixture.plan(1, 1, 0)).close();
    assertFalse(Files.exists(base.resolve("lab")));
  }
}
