package org.rackweave.cli;

import java.io.PrintStream;
import java.net.URI;
import org.apache.hadoop.fs.FileSystem;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** A command that asks the active NameNode of an HDFS. */
public abstract class HdfsCommand extends ToolCommand {

  /** Prints results to {@code out} and everything else to {@code err}. */
  protected HdfsCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  @Option(
      names = "-fs",
      paramLabel = "URI",
      scope = ScopeType.INHERIT,
      description = "The HDFS, otherwise the one HADOOP_CONF_DIR names.")
  void fileSystem(URI uri) {
    FileSystem.setDefaultUri(getConf(), uri);
  }
}
