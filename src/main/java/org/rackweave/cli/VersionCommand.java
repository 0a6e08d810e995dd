package org.rackweave.cli;

import java.io.PrintStream;
import java.util.Objects;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.VersionInfo;

/** Prints what a bug report has to name. */
final class VersionCommand extends Configured implements Tool {

  private final PrintStream out;

  VersionCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public int run(String[] args) {
    String version = Rackweave.class.getPackage().getImplementationVersion();
    // Only the jar carries its version.
    out.println("Rackweave " + Objects.requireNonNullElse(version, "(unpackaged)"));
    out.println("Hadoop " + VersionInfo.getVersion());
    out.println("Java " + Runtime.version());
    return 0;
  }
}
