package org.rackweave.cli.recovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.cli.Watchable;
import org.rackweave.cli.admin.JsonTables;
import org.rackweave.cli.admin.NameNodeAdmin;
import org.rackweave.hdfs.dayu.RecoverySwitch;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/**
 * {@code bin/rackweave recovery}, {@code whatif} and {@code durability}: asks the active NameNode
 * and prints its answer.
 */
public abstract class RecoveryCommand extends HdfsCommand implements Callable<Integer> {
  @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print JSON.")
  private boolean json;

  private RecoveryCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  /** {@code bin/rackweave recovery}. */
  public static RecoveryCommand recovery(PrintStream out, PrintStream err) {
    return new Report(out, err);
  }

  /** {@code bin/rackweave whatif}. */
  public static RecoveryCommand whatIf(PrintStream out, PrintStream err) {
    return new WhatIf(out, err);
  }

  /** {@code bin/rackweave durability}. */
  public static RecoveryCommand durability(PrintStream out, PrintStream err) {
    return new Durability(out, err);
  }

  /** Prints what the NameNode says to that, and returns it. */
  final ObjectNode ask(String... question) throws IOException {
    ObjectNode answer = NameNodeAdmin.askActive(getConf(), RecoverySwitch.IDENTIFIER, question);
    out.print(json ? answer.toPrettyString() + "\n" : JsonTables.text(answer));
    return answer;
  }

  @Watchable
  @Command(
      name = "bin/rackweave recovery",
      description =
          "Shows the state of re-replication: waiting blocks by priority, the plan of the last"
              + " slot, the use of idle bandwidth, the expected end, and copies that take longer than"
              + " a slot.")
  private static final class Report extends RecoveryCommand {
    Report(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws IOException {
      ask("report");
      return 0;
    }

    @Command(
        description =
            "Shows or sets the time by which recovery has to be done: it then uses the smallest"
                + " sufficient share of the idle bandwidth. Infeasible goals are refused. Blocks with"
                + " one replica are never delayed.")
    int goal(
        @Option(
                names = "--done-by",
                paramLabel = "HH:MM",
                description = "The next time of that hour, in the NameNode's time zone.")
            String doneBy,
        @Option(
                names = "--max-interference",
                paramLabel = "2%",
                description = "Largest interference, as a share of the bandwidth of all links.")
            String most,
        @Option(names = "--none", description = "Removes it.") boolean none)
        throws IOException {
      return say("goal", none, doneBy == null ? "" : "done-by=" + doneBy, interference(most));
    }

    private static String interference(String most) {
      return most == null ? "" : "max-interference=" + most;
    }

    @Command(description = "Shows or sets the share of idle bandwidth for recovery by hour.")
    int calendar(
        @Parameters(
                paramLabel = "'[DAYS] HH:MM-HH:MM=SHARE%'",
                arity = "0..*",
                description = "Such as 'mon-fri 08:00-20:00=25%%', in the NameNode's time zone.")
            List<String> entries,
        @Option(names = "--none", description = "Removes it.") boolean none)
        throws IOException {
      return say("calendar", none, entries == null ? "" : "set=" + String.join("; ", entries));
    }

    private int say(String what, boolean none, String... options) throws IOException {
      Stream<String> given = none ? Stream.of("none=") : Stream.of(options);
      ask(
          Stream.concat(Stream.of(what), given.filter(option -> !option.isEmpty()))
              .toArray(String[]::new));
      return 0;
    }
  }

  @Command(
      name = "bin/rackweave whatif",
      description =
          "Predicts the death of DataNodes or of a rack, the decommission of DataNodes, or a"
              + " slower uplink of a rack: the time until every block has its replicas again over the"
              + " links as they are now, the bandwidth that takes, and what would be lost. Changes"
              + " nothing. The exit code is 0 if nothing is lost and nothing is left with one replica,"
              + " or if there is space for a decommission; 1 otherwise.")
  private static final class WhatIf extends RecoveryCommand {
    @ArgGroup(multiplicity = "1")
    private Scenario scenario;

    private static final class Scenario {
      @Option(
          names = "--node",
          paramLabel = "X,Y",
          description = "DataNodes that die at once: host:port, address, host name or UUID.")
      private String node;

      @Option(names = "--rack", paramLabel = "R", description = "A rack that dies.")
      private String rack;

      @Option(
          names = "--drain",
          paramLabel = "X,Y",
          description = "DataNodes to decommission, named as for --node.")
      private String drain;

      @Option(
          names = "--uplink",
          paramLabel = "R=50%",
          description =
              "A rack and the remaining capacity of its uplink: recovery of its largest DataNode,"
                  + " and writes into it.")
      private String uplink;

      String question() {
        return node != null
            ? "node=" + node
            : rack != null ? "rack=" + rack : drain != null ? "drain=" + drain : "uplink=" + uplink;
      }
    }

    WhatIf(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws IOException {
      JsonNode answer = ask("whatif", scenario.question());
      return answer.at("/whatif/ok").asBoolean() ? 0 : EXIT_FAILURE;
    }
  }

  @Command(
      name = "bin/rackweave durability",
      description =
          "Shows what the death of one more DataNode, of two, or of a rack would lose now, at"
              + " worst and on average, and the block-hours with missing replicas. The exit code is 0"
              + " if one more death loses nothing, 1 otherwise.")
  private static final class Durability extends RecoveryCommand {
    Durability(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws IOException {
      JsonNode one = ask("durability").get("one_death");
      return one.get("worst_blocks").asLong() + one.get("stripes").asLong() == 0 ? 0 : EXIT_FAILURE;
    }
  }
}
