package org.rackweave.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts of {@code docker/} say without a Docker, and without doing anything. */
class DockerScriptsTest {

  @TempDir Path directory;

  private record Outcome(int exitCode, String out, String err) {}

  @ParameterizedTest
  @ValueSource(strings = {"docker/base-image", "docker/build", "docker/smoke"})
  void printsUsageWhenAskedForHelp(String script) throws Exception {
    Outcome outcome = run(script, "--help");
    assertEquals(0, outcome.exitCode());
    assertTrue(outcome.out().startsWith("Usage: " + script), outcome.out());
    assertEquals("", outcome.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"docker/base-image", "docker/build", "docker/smoke"})
  void namesTheOptionItDoesNotKnow(String script) throws Exception {
    Outcome outcome = run(script, "--hlep");
    assertEquals(2, outcome.exitCode());
    assertTrue(outcome.err().startsWith(script + ": no option '--hlep'"), outcome.err());
    assertEquals("", outcome.out());
  }

  @Test
  void smokeNamesThePolicyItDoesNotKnowAndThoseItDoes() throws Exception {
    Outcome outcome = run("docker/smoke", "--policies", "stock,sinabd");
    assertEquals(2, outcome.exitCode());
    assertTrue(
        outcome.err().startsWith("docker/smoke: --policies: no policy 'sinabd'; known: stock"),
        outcome.err());
    assertTrue(outcome.err().contains(" sinbad"), outcome.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"base-image", "build", "smoke", "node/bin/node", "node/bin/hdfs"})
  void isWhatBashCanRead(String script) throws Exception {
    assertEquals(0, run("bash", "-n", "docker/" + script).exitCode());
  }

  private Outcome run(String... command) throws IOException, InterruptedException {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder(List.of(command))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    process.getOutputStream().close();
    return new Outcome(
        process.waitFor(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }
}
