package org.rackweave.cli.ear.yarn;

import java.io.IOException;

/** The way to the NameNode. */
@FunctionalInterface
public interface Question {
  /**
   * Asks for something.
   *
   * @throws IOException with the NameNode's words when it refuses
   */
  String ask(String... what) throws IOException;
}
