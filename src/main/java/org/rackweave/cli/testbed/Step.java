package org.rackweave.cli.testbed;

import java.util.List;

/**
 * One command of a plan.
 *
 * @param command the program and its arguments
 * @param makes what has to be removed once the command has succeeded, null for nothing
 */
record Step(List<String> command, Resource makes) {

  Step {
    command = List.copyOf(command);
  }

  /** A command whose effect goes with something else. */
  static Step of(String... command) {
    return new Step(List.of(command), null);
  }

  /** A command whose effect has to be undone. */
  static Step making(Resource resource, String... command) {
    return new Step(List.of(command), resource);
  }
}
