package org.rackweave.cli.ear.yarn;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** The way to the NameNode. */
@FunctionalInterface
public interface NameNodeQuery {
  /**
   * Asks for something.
   *
   * @throws IOException with the NameNode's words when it refuses
   */
  JsonNode ask(String... what) throws IOException;
}
