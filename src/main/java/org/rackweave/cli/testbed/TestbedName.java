package org.rackweave.cli.testbed;

import picocli.CommandLine.Option;

/** Which of this machine's testbeds a command is about. */
public final class TestbedName {
  @Option(
      names = "--prefix",
      paramLabel = "NAME",
      description =
          "Name of the testbed, 1 to 8 lower-case letters and digits; default: ${DEFAULT-VALUE}.")
  private String prefix = TestbedSpec.DEFAULT.prefix();

  /** What the names of its namespaces begin with. */
  public String prefix() {
    return TestbedSpec.checkPrefix("--prefix", prefix);
  }
}
