package org.rackweave.cli;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.GenericOptionsParser;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.VersionInfo;
import org.rackweave.cli.admin.AdminCommand;
import org.rackweave.cli.admin.HealthCommand;
import org.rackweave.cli.admin.ReloadCommand;
import org.rackweave.cli.admin.ShadowCommand;
import org.rackweave.cli.admin.WhyCommand;
import org.rackweave.cli.bench.Bench;
import org.rackweave.cli.demo.DemoCommand;
import org.rackweave.cli.eafr.EafrCommand;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.cli.recovery.RecoveryCommand;
import org.rackweave.cli.sim.SimCommand;
import org.rackweave.cli.testbed.TestbedCommand;

/** Entry point of {@code bin/rackweave}: finds the command the first argument names and runs it. */
public final class Rackweave {

  /** Exit code for a command line that cannot be understood. */
  static final int EXIT_USAGE = 2;

  /** Every command. What is listed here goes into the usage text of {@code bin/rackweave} too. */
  static final List<Command> COMMANDS =
      List.of(
          new Command(
              "bench",
              "measures decisions and heartbeats beside stock HDFS, and the simulator",
              () -> new Bench(System.out, System.err)),
          new Command(
              "decode",
              "gives encoded files of an HDFS their replicas back",
              () -> EarCommand.decode(System.out, System.err)),
          new Command(
              "demo",
              "shows Rackweave beside stock HDFS, on a whole HDFS in this process",
              DemoCommand::standard),
          new Command(
              "eafr",
              "tells how replicas follow the readers, changes them now, or takes it back",
              () -> EafrCommand.eafr(System.out, System.err)),
          new Command(
              "encode",
              "encodes replicated files of an HDFS now",
              () -> EarCommand.encode(System.out, System.err)),
          new Command(
              "events",
              "lists what has happened on an HDFS's NameNodes",
              () -> HealthCommand.events(System.out, System.err)),
          new Command(
              "health",
              "tells whether all is well on an HDFS, and what to do if not",
              () -> HealthCommand.health(System.out, System.err)),
          new Command(
              "hot",
              "lists the files of an HDFS that are read most",
              () -> EafrCommand.hot(System.out, System.err)),
          new Command(
              "mode",
              "tells what features do, and switches them on and off for a whole namespace",
              () -> AdminCommand.mode(System.out, System.err)),
          new Command(
              "nodes",
              "lists the DataNodes of an HDFS, their links and agents",
              () -> HealthCommand.nodes(System.out, System.err)),
          new Command(
              "recovery",
              "tells how an HDFS's lost replicas are made again",
              () -> RecoveryCommand.recovery(System.out, System.err)),
          new Command(
              "reload",
              "has an HDFS's NameNodes read their settings again",
              () -> new ReloadCommand(System.out, System.err)),
          new Command(
              "rules",
              "sets what directories of an HDFS want",
              () -> AdminCommand.rules(System.out, System.err)),
          new Command(
              "shadow",
              "tells what placement in shadow mode would change on an HDFS",
              () -> new ShadowCommand(System.out, System.err)),
          new Command(
              "sim",
              "simulates policies on thousands of nodes, and the papers' claims",
              SimCommand::standard),
          new Command(
              "stripes",
              "tells how an HDFS's stripes stand, and moves what lies wrong",
              () -> EarCommand.stripes(System.out, System.err)),
          new Command(
              "testbed",
              "runs real HDFS processes in racks of network namespaces (needs root)",
              () -> new TestbedCommand(System.out, System.err)),
          new Command(
              "version",
              "prints the versions of Rackweave, Hadoop and Java",
              () -> new Version(System.out)),
          new Command(
              "whatif",
              "predicts the recovery of a DataNode that would die now",
              () -> RecoveryCommand.whatIf(System.out, System.err)),
          new Command(
              "why",
              "tells why blocks of an HDFS are where they are",
              () -> new WhyCommand(System.out, System.err)));

  private static final String OPTIONS =
      """

      Options:
        --help     prints this text
        --version  same as the command version

      Environment:
        JAVA_HOME       the JDK to use, 17 or later; otherwise java on the PATH
        HADOOP_VERSION  the Hadoop to run on, 3.5.0 unless set; 3.4.3 works too
        HADOOP_CONF_DIR the configuration of the HDFS that encode, eafr, recovery and others talk to
        RACKWEAVE_OPTS  flags for the Java virtual machine, -Xmx3g unless set
      """;

  private final List<Command> commands;
  private final PrintStream out;
  private final PrintStream err;

  Rackweave(List<Command> commands, PrintStream out, PrintStream err) {
    this.commands = List.copyOf(commands);
    this.out = out;
    this.err = err;
  }

  /** Runs the command that {@code args[0]} names with the other arguments, then exits. */
  public static void main(String[] args) throws Exception {
    System.exit(new Rackweave(COMMANDS, System.out, System.err).run(args));
  }

  /**
   * Runs the command that {@code args[0]} names with the other arguments.
   *
   * @return the command's exit code, or {@link #EXIT_USAGE} when no command is named
   */
  int run(String... args) throws Exception {
    if (args.length == 0) {
      err.print(usage());
      return EXIT_USAGE;
    }
    String name =
        switch (args[0]) {
          case "--version" -> "version";
          case "-h", "--help" -> "help";
          default -> args[0];
        };
    if (name.equals("help")) {
      out.print(usage());
      return 0;
    }
    Optional<Command> command = commands.stream().filter(c -> c.name().equals(name)).findFirst();
    if (command.isEmpty()) {
      err.printf("rackweave: no command '%s'%n%n%s", name, usage());
      return EXIT_USAGE;
    }
    Configuration conf = new Configuration();
    GenericOptionsParser generic =
        new GenericOptionsParser(conf, Arrays.copyOfRange(args, 1, args.length));
    if (!generic.isParseSuccessful()) {
      return EXIT_USAGE; // it has told; what is left of the arguments would be another command
    }
    Tool tool = command.get().tool().get();
    tool.setConf(conf);
    return tool.run(generic.getRemainingArgs());
  }

  String usage() {
    StringBuilder text = new StringBuilder("Usage: bin/rackweave <command> [arguments]\n\n");
    text.append("Commands:\n");
    for (Command command : commands) {
      text.append(String.format("  %-10s %s\n", command.name(), command.summary()));
    }
    return text.append(OPTIONS).toString();
  }

  /**
   * One thing {@code bin/rackweave} can do.
   *
   * @param name what one types
   * @param summary one line for the usage text, starting with a verb
   * @param tool makes the command; not called for a command that does not run
   */
  record Command(String name, String summary, Supplier<Tool> tool) {}

  /** Prints what a bug report has to name. */
  static final class Version extends Configured implements Tool {
    private final PrintStream out;

    Version(PrintStream out) {
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
}
