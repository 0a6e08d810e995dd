package org.rackweave.cli.testbed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a command to its end. It has a session of its own: Ctrl-C is for this process, which knows
 * what to do about it, and must not stop a command halfway.
 */
final class Shell {

  private Shell() {}

  /**
   * Runs a command and returns what it printed.
   *
   * @throws IOException if it cannot be started or fails, with the command and what it printed
   */
  static String run(List<String> command) throws IOException {
    return run(command, "");
  }

  /** As {@link #run(List)}, with something for the command to read. */
  static String run(List<String> command, String input) throws IOException {
    List<String> inSession = new ArrayList<>(List.of("setsid"));
    inSession.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(inSession).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    try {
      try (OutputStream stdin = process.getOutputStream()) {
        stdin.write(input.getBytes(UTF_8));
      }
      String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
      int exit = process.waitFor();
      if (exit != 0) {
        throw new IOException(
            "'" + String.join(" ", command) + "' failed with " + exit + ": " + printed.strip());
      }
      return printed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted in '" + String.join(" ", command) + "'");
    } finally {
      process.destroy();
    }
  }
}
