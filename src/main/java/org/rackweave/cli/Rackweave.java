package org.rackweave.cli;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.GenericOptionsParser;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.admin.AdminCommand;
import org.rackweave.cli.admin.CanaryCommand;
import org.rackweave.cli.admin.HealthCommand;
import org.rackweave.cli.admin.ReloadCommand;
import org.rackweave.cli.admin.ShadowCommand;
import org.rackweave.cli.admin.UninstallCommand;
import org.rackweave.cli.admin.WhyCommand;
import org.rackweave.cli.eafr.EafrCommand;
import org.rackweave.cli.ear.EarCommand;
import org.rackweave.cli.recovery.RecoveryCommand;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Entry point of {@code hdfs rackweave}: finds the command the first argument names and runs it. It
 * and its commands run on the jars of an installed Hadoop, Rackweave's for NameNodes and picocli.
 */
public final class Rackweave {

  /** Exit code for a command line that cannot be understood. */
  static final int EXIT_USAGE = 2;

  /** What administers an HDFS. {@link Checkout} has these and {@link #CHECKOUT_ONLY}. */
  static final List<Command> COMMANDS =
      List.of(
          new Command(
              "canary",
              "tries placement on a share of new files and compares write times",
              () -> new CanaryCommand(System.out, System.err)),
          new Command(
              "decode",
              "restores the replicas of encoded files",
              () -> EarCommand.decode(System.out, System.err)),
          new Command(
              "doctor",
              "checks links, clocks, versions and settings",
              () -> HealthCommand.doctor(System.out, System.err)),
          new Command(
              "durability",
              "shows what further failures would lose",
              () -> RecoveryCommand.durability(System.out, System.err)),
          new Command(
              "eafr",
              "shows, applies and reverts adaptive replication",
              () -> EafrCommand.eafr(System.out, System.err)),
          new Command(
              "encode",
              "encodes replicated files now",
              () -> EarCommand.encode(System.out, System.err)),
          new Command(
              "events",
              "lists the history of all NameNodes",
              () -> HealthCommand.events(System.out, System.err)),
          new Command(
              "health",
              "checks all NameNodes and says what to do",
              () -> HealthCommand.health(System.out, System.err)),
          new Command(
              "hot", "lists the most read files", () -> EafrCommand.hot(System.out, System.err)),
          new Command(
              "mode",
              "shows or sets the modes of features, for all NameNodes",
              () -> AdminCommand.mode(System.out, System.err)),
          new Command(
              "nodes",
              "lists DataNodes with their links and agents",
              () -> HealthCommand.nodes(System.out, System.err)),
          new Command(
              "recovery",
              "shows the state of re-replication",
              () -> RecoveryCommand.recovery(System.out, System.err)),
          new Command(
              "reload",
              "makes all NameNodes read their settings again",
              () -> new ReloadCommand(System.out, System.err)),
          new Command(
              "rules",
              "shows or sets rules of directories",
              () -> AdminCommand.rules(System.out, System.err)),
          new Command(
              "shadow",
              "reports what placement would change",
              () -> new ShadowCommand(System.out, System.err)),
          new Command(
              "stripes",
              "shows the state of stripes and moves misplaced blocks",
              () -> EarCommand.stripes(System.out, System.err)),
          new Command(
              "uninstall",
              "lists what still depends on Rackweave, and what to do",
              () -> new UninstallCommand(System.out, System.err)),
          new Command(
              "version",
              "prints the versions of Rackweave, Hadoop and Java",
              () -> new VersionCommand(System.out, System.err)),
          new Command(
              "whatif",
              "predicts failures, decommissions and slower uplinks",
              () -> RecoveryCommand.whatIf(System.out, System.err)),
          new Command(
              "why",
              "explains why blocks are where they are",
              () -> new WhyCommand(System.out, System.err)));

  /** Commands that need the sources, Hadoop's test jars or the simulator's libraries. */
  static final List<String> CHECKOUT_ONLY = List.of("bench", "demo", "replay", "sim", "testbed");

  private static final String OPTIONS =
      """

      Options:
        --help        prints this text
        --version     same as the command version
        --completion  prints a completion script for bash

      """;

  private static final String INSTALLED =
      """
      Environment:
        HDFS_RACKWEAVE_OPTS  flags for the Java virtual machine, after -Xmx256m
        All other variables of 'hdfs', such as HADOOP_CONF_DIR, apply too.

      A checkout of the sources has these as bin/rackweave, and bench, demo, replay, sim, testbed.
      """;

  private final String program;
  private final List<Command> commands;
  private final String environment;
  private final PrintStream out;
  private final PrintStream err;

  /**
   * Runs what it is told to by {@link #run}.
   *
   * @param program what users type in front of a command
   * @param environment the end of the usage text
   */
  Rackweave(
      String program,
      List<Command> commands,
      String environment,
      PrintStream out,
      PrintStream err) {
    this.program = program;
    this.commands = List.copyOf(commands);
    this.environment = environment;
    this.out = out;
    this.err = err;
  }

  static Rackweave installed(PrintStream out, PrintStream err) {
    return new Rackweave("hdfs rackweave", COMMANDS, INSTALLED, out, err);
  }

  /** Runs the command that {@code args[0]} names with the other arguments, then exits. */
  public static void main(String[] args) throws Exception {
    System.exit(installed(System.out, System.err).run(args));
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
    if (name.equals("--completion")) {
      out.print(completion());
      return 0;
    }
    Optional<Command> command = commands.stream().filter(c -> c.name().equals(name)).findFirst();
    if (command.isEmpty()) {
      if (CHECKOUT_ONLY.contains(name)) {
        err.printf("rackweave: '%1$s' needs a checkout of the sources: bin/rackweave %1$s%n", name);
      } else {
        err.printf("rackweave: no command '%s'%n%n%s", name, usage());
      }
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
    if (tool instanceof ToolCommand annotated) {
      annotated.calledBy(program);
    }
    return tool.run(generic.getRemainingArgs());
  }

  String usage() {
    StringBuilder text = new StringBuilder("Usage: " + program + " <command> [arguments]\n\n");
    text.append("Commands:\n");
    for (Command command : commands) {
      text.append(String.format("  %-10s %s\n", command.name(), command.summary()));
    }
    return text.append(OPTIONS).append(environment).toString();
  }

  /** A script for bash to source. */
  private String completion() {
    CommandLine line = new CommandLine(CommandSpec.create());
    for (Command command : commands) {
      line.addSubcommand(command.name(), ToolCommand.parser(command.tool().get()));
    }
    String[] words = program.substring(program.lastIndexOf('/') + 1).split(" ", 2);
    if (words.length > 1) {
      line = new CommandLine(CommandSpec.create()).addSubcommand(words[1], line);
    }
    return AutoComplete.bash(words[0], line);
  }

  /**
   * One thing that can be done.
   *
   * @param name what one types
   * @param summary one line for the usage text, starting with a verb
   * @param tool makes the command; not called for a command that does not run
   */
  record Command(String name, String summary, Supplier<Tool> tool) {}
}
