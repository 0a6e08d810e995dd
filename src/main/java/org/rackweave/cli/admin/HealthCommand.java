package org.rackweave.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rackweave.cli.HdfsCommand;
import org.rackweave.cli.Watchable;
import org.rackweave.hdfs.namenode.HealthAdmin;
import org.rackweave.health.HealthChecks;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code bin/rackweave health}, {@code nodes} and {@code events}: what the NameNodes of a namespace
 * say of themselves and of their DataNodes.
 */
public abstract class HealthCommand extends HdfsCommand implements Callable<Integer> {
  private static final String WARN = "WARN";
  private static final String ERR = "ERR";
  private static final String OK = "OK";
  private static final String INFO = "INFO";

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  private HealthCommand(PrintStream out, PrintStream err) {
    super(out, err);
  }

  /** {@code bin/rackweave health}. */
  public static HealthCommand health(PrintStream out, PrintStream err) {
    return new Health(out, err);
  }

  /** {@code bin/rackweave doctor}. */
  public static HealthCommand doctor(PrintStream out, PrintStream err) {
    return new Doctor(out, err);
  }

  /** {@code bin/rackweave nodes}. */
  public static HealthCommand nodes(PrintStream out, PrintStream err) {
    return new Nodes(out, err);
  }

  /** {@code bin/rackweave events}. */
  public static HealthCommand events(PrintStream out, PrintStream err) {
    return new Events(out, err);
  }

  /** What each NameNode that can be reached answers; why not, of the others. */
  final Map<String, ObjectNode> askAll(Map<String, String> failures, String... words)
      throws IOException {
    return NameNodeAdmin.askAll(getConf(), HealthAdmin.IDENTIFIER, failures, words);
  }

  /** What the active NameNode answers. */
  final ObjectNode askActive(String... words) throws IOException {
    return NameNodeAdmin.askActive(getConf(), HealthAdmin.IDENTIFIER, words);
  }

  final void print(JsonNode answer, String text) {
    out.print(json ? answer.toPrettyString() + "\n" : text);
  }

  /** Prints what is found wrong. */
  final int tell(String word, boolean detail) throws IOException {
    Map<String, String> failures = new LinkedHashMap<>();
    ObjectNode health = merge(askAll(failures, word), failures);
    print(health, text(health, detail));
    return health.path("status").asText().equals(OK) ? 0 : EXIT_FAILURE;
  }

  private static String text(ObjectNode health, boolean detail) {
    StringBuilder text = new StringBuilder();
    text.append(health.path("status").asText()).append('\n');
    for (JsonNode finding : health.path("findings")) {
      text.append(
          String.format(
              "%-4s %s%s: %s (%s)%n     %s%n",
              finding.path("severity").asText(),
              finding.path("code").asText(),
              finding.path("muted").asText().equals("yes") ? " (muted)" : "",
              finding.path("summary").asText(),
              finding.path("namenodes").asText(),
              finding.path("what_to_do").asText()));
      if (detail) {
        finding
            .path("details")
            .forEach(line -> text.append("       ").append(line.asText()).append('\n'));
      }
    }
    return text.toString();
  }

  @Watchable
  @Command(
      name = "bin/rackweave health",
      description =
          "Checks all NameNodes of the namespace: OK, WARN (Rackweave does less than it could)"
              + " or ERR (encoded data, its protection, or the measurements behind decisions are"
              + " affected), with a code for each finding and what to do. The exit code is 0 for OK"
              + " and 1 otherwise; muted findings do not count.")
  private static final class Health extends HealthCommand {
    @Option(
        names = "--detail",
        description = "Also list the DataNodes, timers and reasons of each finding.")
    private boolean detail;

    Health(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws IOException {
      return tell("status", detail);
    }

    @Command(description = "Mutes a finding, for the whole namespace.")
    int mute(@Parameters(paramLabel = "CODE", description = "Its code.") String code)
        throws IOException {
      askActive("mute", code);
      return call();
    }

    @Command(description = "Unmutes a finding.")
    int unmute(@Parameters(paramLabel = "CODE", description = "Its code.") String code)
        throws IOException {
      askActive("unmute", code);
      return call();
    }
  }

  @Watchable
  @Command(
      name = "bin/rackweave doctor",
      description =
          "Checks more than health, on every NameNode of the namespace: clocks, versions, a"
              + " running Balancer or Mover, the placement policy, and settings of HDFS that work"
              + " against Rackweave, with the measured values and what to do. The exit code is 1 if"
              + " there is a finding that is neither muted nor INFO.")
  private static final class Doctor extends HealthCommand {
    Doctor(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws IOException {
      return tell("doctor", true);
    }
  }

  /** The findings of all NameNodes, and those that only show when they are compared. */
  static ObjectNode merge(Map<String, ObjectNode> answers, Map<String, String> failures) {
    ObjectNode health = JsonNodeFactory.instance.objectNode();
    List<ObjectNode> findings = new ArrayList<>();
    answers.forEach(
        (nameNode, answer) -> {
          for (JsonNode finding : answer.path("findings")) {
            add(findings, (ObjectNode) finding, nameNode);
          }
        });
    failures.forEach(
        (nameNode, why) ->
            findings.add(
                finding(
                    HealthChecks.NAMENODE_SILENT,
                    nameNode + " does not report its health: " + why,
                    "Start it, install Rackweave on it, or run this command as a superuser.",
                    nameNode)));
    differ(answers, "modes")
        .ifPresent(
            what ->
                findings.add(
                    finding(
                        HealthChecks.MODES_DIFFER,
                        "Modes differ between NameNodes: " + what + '.',
                        "A standby follows within seconds. If it does not, check whether it replays edits: a"
                            + " failover would change what Rackweave does.",
                        "all")));
    differ(answers, "version")
        .ifPresent(
            what ->
                findings.add(
                    finding(
                        HealthChecks.VERSIONS_DIFFER,
                        "Versions of Rackweave differ between NameNodes: " + what + '.',
                        "Finish the upgrade.",
                        "all")));
    for (ObjectNode answer : answers.values()) {
      answer.path("muted").forEach(code -> mute(findings, code.asText()));
    }
    List<String> order = List.of(ERR, WARN, INFO);
    findings.sort(Comparator.comparing(one -> order.indexOf(one.path("severity").asText())));
    health.put("status", status(findings));
    ArrayNode all = health.putArray("findings");
    findings.forEach(all::add);
    ObjectNode nameNodes = health.putObject("namenodes");
    answers.forEach(
        (nameNode, answer) -> {
          answer.remove("findings");
          nameNodes.set(nameNode, answer);
        });
    return health;
  }

  private static void mute(List<ObjectNode> findings, String code) {
    findings.stream()
        .filter(finding -> finding.path("code").asText().equals(code))
        .forEach(finding -> finding.put("muted", "yes"));
  }

  /** What NameNodes say with other words or figures is listed of each. */
  private static void add(List<ObjectNode> findings, ObjectNode finding, String nameNode) {
    for (ObjectNode known : findings) {
      if (Stream.of("code", "severity", "summary", "details")
          .allMatch(key -> known.path(key).equals(finding.path(key)))) {
        known.put("namenodes", known.path("namenodes").asText() + ", " + nameNode);
        return;
      }
    }
    finding.put("namenodes", nameNode);
    findings.add(finding);
  }

  private static ObjectNode finding(
      String code, String summary, String whatToDo, String nameNodes) {
    ObjectNode finding = JsonNodeFactory.instance.objectNode();
    finding.put("code", code).put("severity", WARN).put("muted", "no").put("summary", summary);
    finding.put("what_to_do", whatToDo).put("namenodes", nameNodes).putArray("details");
    return finding;
  }

  private static Optional<String> differ(Map<String, ObjectNode> answers, String what) {
    long different =
        answers.values().stream().map(answer -> answer.path(what).asText()).distinct().count();
    return different < 2
        ? Optional.empty()
        : Optional.of(
            answers.entrySet().stream()
                .map(answer -> answer.getKey() + " " + answer.getValue().path(what).asText())
                .collect(Collectors.joining("; ")));
  }

  private static String status(List<ObjectNode> findings) {
    List<String> counted =
        findings.stream()
            .filter(finding -> finding.path("muted").asText().equals("no"))
            .map(finding -> finding.path("severity").asText())
            .filter(severity -> !severity.equals(INFO))
            .toList();
    return counted.contains(ERR) ? ERR : counted.isEmpty() ? OK : WARN;
  }

  @Watchable
  @Command(
      name = "bin/rackweave nodes",
      description =
          "Lists the DataNodes of the active NameNode: state, version, source of its load,"
              + " speed and load of its link, time since its last report, and why its agent is silent.")
  private static final class Nodes extends HealthCommand {
    Nodes(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws IOException {
      ObjectNode answer = askActive("nodes");
      print(answer, JsonTables.text(answer));
      return 0;
    }
  }

  @Watchable
  @Command(
      name = "bin/rackweave events",
      description =
          "Lists the history of all NameNodes of the namespace, oldest first: starts,"
              + " failovers, changes of modes, settings and rules, DataNodes lost and back, findings"
              + " of health, the circuit breaker, replication factors, sleeping DataNodes, recovery"
              + " and its copies, refused encodings. Each NameNode reports its last 500 events, of the"
              + " frequent kinds the last 50.")
  private static final class Events extends HealthCommand {
    Events(PrintStream out, PrintStream err) {
      super(out, err);
    }

    @Override
    public Integer call() throws IOException {
      Map<String, String> failures = new LinkedHashMap<>();
      List<ObjectNode> events = new ArrayList<>();
      askAll(failures, "events")
          .forEach(
              (nameNode, answer) ->
                  answer
                      .path("events")
                      .forEach(
                          event -> events.add(((ObjectNode) event).put("namenode", nameNode))));
      Collections.reverse(events); // of each NameNode the newest comes first
      events.sort(Comparator.comparingLong(event -> event.path("at_ms").asLong()));
      ObjectNode all = JsonNodeFactory.instance.objectNode();
      ArrayNode array = all.putArray("events");
      events.forEach(array::add);
      StringBuilder text = new StringBuilder();
      for (ObjectNode event : events) {
        text.append(
            String.format(
                "%-24s %-21s %-9s %s%n",
                event.path("time").asText(),
                event.path("namenode").asText(),
                event.path("kind").asText(),
                event.path("text").asText()));
      }
      print(all, text.toString());
      failures.forEach(
          (nameNode, why) -> err.printf("%s: NameNode %s: %s%n", name(), nameNode, why));
      return failures.isEmpty() ? 0 : EXIT_FAILURE;
    }
  }
}
