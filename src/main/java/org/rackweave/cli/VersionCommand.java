package org.rackweave.cli;

import java.io.PrintStream;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.apache.hadoop.util.VersionInfo;
import picocli.CommandLine.Command;

/** Prints what a bug report has to name. */
@Command(
    name = "bin/rackweave version",
    description = "Prints the versions of Rackweave, Hadoop and Java, of this command.")
final class VersionCommand extends ToolCommand implements Callable<Integer> {
  VersionCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Override
  public Integer call() {
    String version = Rackweave.class.getPackage().getImplementationVersion();
    // Only the jar carries its version.
    out.println("Rackweave " + Objects.requireNonNullElse(version, "(unpackaged)"));
    out.println("Hadoop " + VersionInfo.getVersion());
    out.println("Java " + Runtime.version());
    return 0;
  }
}
