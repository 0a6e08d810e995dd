package org.rackweave.cli.testbed;

import java.io.IOException;

/** Where testbeds come from. */
public final class Testbeds {

  private Testbeds() {}

  /**
   * Brings a testbed up. It goes down again when it is closed, or when this process ends by Ctrl-C
   * or {@code kill}; {@code docker/testbed down} removes what a {@code kill -9} left.
   *
   * @throws IOException if something of that name exists, or a step fails; nothing is left then
   */
  public static Testbed up(TestbedSpec spec) throws IOException {
    throw new UnsupportedOperationException("follows in the next commits on this branch: " + spec);
  }

  /**
   * Uses a testbed that is up already, and leaves it up.
   *
   * @throws IOException if there is none of that name
   */
  public static Testbed attach(String prefix) throws IOException {
    throw new UnsupportedOperationException(
        "follows in the next commits on this branch: " + prefix);
  }
}
