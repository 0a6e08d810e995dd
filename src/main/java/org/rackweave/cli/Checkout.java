package org.rackweave.cli;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.rackweave.cli.Rackweave.Command;
import org.rackweave.cli.bench.Bench;
import org.rackweave.cli.demo.DemoCommand;
import org.rackweave.cli.sim.ReplayCommand;
import org.rackweave.cli.sim.SimCommand;
import org.rackweave.cli.testbed.TestbedCommand;

/** Entry point of {@code bin/rackweave}: the commands of {@code hdfs rackweave}, and some more. */
public final class Checkout {

  /** Every command. What is listed here goes into the usage text of {@code bin/rackweave} too. */
  static final List<Command> COMMANDS =
      Stream.concat(
              Rackweave.COMMANDS.stream(),
              Stream.of(
                  new Command(
                      "bench",
                      "measures decisions and heartbeats beside stock HDFS, and the simulator",
                      () -> new Bench(System.out, System.err)),
                  new Command(
                      "demo",
                      "shows Rackweave beside stock HDFS in one process",
                      DemoCommand::standard),
                  new Command(
                      "replay",
                      "replays a NameNode's black box with other rules",
                      () -> new ReplayCommand(System.out, System.err)),
                  new Command(
                      "sim",
                      "simulates policies on thousands of nodes, and the papers' claims",
                      SimCommand::standard),
                  new Command(
                      "testbed",
                      "runs real HDFS processes in racks of network namespaces (needs root)",
                      () -> new TestbedCommand(System.out, System.err))))
          .sorted(Comparator.comparing(Command::name))
          .toList();

  private static final String ENVIRONMENT =
      """
      Environment:
        JAVA_HOME       the JDK to use, 17 or later; otherwise java on the PATH
        HADOOP_VERSION  the Hadoop to run on, 3.5.0 unless set; 3.4.3 works too
        HADOOP_CONF_DIR the configuration of the HDFS to administer
        RACKWEAVE_OPTS  flags for the Java virtual machine, -Xmx3g unless set
      """;

  private Checkout() {}

  /** Runs the command that {@code args[0]} names with the other arguments, then exits. */
  public static void main(String[] args) throws Exception {
    System.exit(rackweave(System.out, System.err).run(args));
  }

  static Rackweave rackweave(PrintStream out, PrintStream err) {
    return new Rackweave(ToolCommand.CHECKOUT, COMMANDS, ENVIRONMENT, out, err);
  }
}
