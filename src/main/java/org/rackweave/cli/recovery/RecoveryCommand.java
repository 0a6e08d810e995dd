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
          "Tells how the recovery of lost replicas stands: blocks that wait, by priority, the last"
              + " slot's plan, what DataNodes use of their idle bandwidth, when it will be over,"
              + " and copies that take longer than a slot.")
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
            "Tells by when recovery is to be done, or sets that: it takes the least share of the"
                + " idle bandwidth by which it is. What is infeasible is refused. Blocks with a"
                + " single replica are never held back.")
    int goal(
        @Option(
                names = "--done-by",
                paramLabel = "HH:MM",
                description = "When it is next that time at the NameNode.")
            String doneBy,
        @Option(
                names = "--max-interference",
                paramLabel = "2%",
                description = "Share of the bandwidth of all links by which others may suffer.")
            String most,
        @Option(names = "--none", description = "Removes it.") boolean none)
        throws IOException {
      return say("goal", none, doneBy == null ? "" : "done-by=" + doneBy, interference(most));
    }

    private static String interference(String most) {
      return most == null ? "" : "max-interference=" + most;
    }

    @Command(
        description =
            "Tells what share of the idle bandwidth recovery may take in which hours, or sets it.")
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
          "Tells what would happen if DataNodes or a rack died now, DataNodes were drained, or a"
              + " rack's uplink became another: how long it would take until every block has its"
              + " replicas again over links as they are now, how much of them that takes, which"
              + " source would send most, and what would be lost. Changes nothing. Exit code 0 when"
              + " nothing is lost and nothing is left with a single replica, or when there is room"
              + " for what is drained; 1 otherwise.")
  private static final class WhatIf extends RecoveryCommand {
    @ArgGroup(multiplicity = "1")
    private Scenario scenario;

    private static final class Scenario {
      @Option(
          names = "--node",
          paramLabel = "X,Y",
          description =
              "DataNodes that die at once, each by host:port, address, host name or UUID.")
      private String node;

      @Option(names = "--rack", paramLabel = "R", description = "A rack that dies.")
      private String rack;

      @Option(
          names = "--drain",
          paramLabel = "X,Y",
          description = "DataNodes that are decommissioned, named as for --node.")
      private String drain;

      @Option(
          names = "--uplink",
          paramLabel = "R=50%",
          description =
              "A rack, and how much its uplink carries of what it does now: recovery of its"
                  + " largest DataNode and writes into it.")
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
          "Tells what the death of one more DataNode, of two at once and of one rack would lose"
              + " now, at worst and on average, and for how many block-hours replicas have been"
              + " missing. Exit code 0 when one more death loses nothing, 1 otherwise.")
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
