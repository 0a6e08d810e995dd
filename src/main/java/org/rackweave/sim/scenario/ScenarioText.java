package org.rackweave.sim.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rackweave.sim.workload.InputException;

/**
 * Scenarios as text, see {@code docs/scenarios.md}. Reading and writing are each other's inverse.
 */
public final class ScenarioText {

  /** What a scenario's file name ends in. */
  public static final String ENDING = ".scenario";

  private static final List<String> TOPICS =
      List.of(
          "about",
          "cluster",
          "telemetry",
          "power",
          "encoding",
          "recovery",
          "workload",
          "policy",
          "failure",
          "run",
          "vary",
          "expect");

  /** Sections there are one of, which names of workloads and policies may not shadow. */
  private static final Set<String> SINGLE =
      Set.of("cluster", "telemetry", "power", "encoding", "recovery", "run");

  private ScenarioText() {}

  /**
   * Reads a scenario.
   *
   * @throws InputException naming the line, the key, the value and what is allowed
   */
  public static Scenario read(Path file) throws InputException {
    return understood(RawScenario.read(file));
  }

  /**
   * Reads a scenario that is in memory.
   *
   * @param file named in messages, and gives the scenario its name; need not exist
   */
  public static Scenario parse(Path file, List<String> lines) throws InputException {
    return understood(RawScenario.cut(file, lines));
  }

  private static Scenario understood(RawScenario raw) throws InputException {
    Scenario base = plain(raw);
    List<Scenario.Variation> variations = new ArrayList<>();
    Set<String> targets = new HashSet<>();
    for (RawScenario.Vary vary : raw.variations()) {
      if (!targets.add(vary.target())) {
        throw new InputException(
            raw.file(), vary.line(), "vary " + vary.target() + " is there twice");
      }
      List<Scenario.Case> cases = new ArrayList<>();
      for (String value : vary.values()) {
        cases.add(new Scenario.Case(value, varied(raw, vary, value)));
      }
      variations.add(new Scenario.Variation(vary.target(), cases));
    }
    return base.withVariations(variations);
  }

  /** Where another line is no longer right, the message says what was varied. */
  private static Scenario varied(RawScenario raw, RawScenario.Vary vary, String value)
      throws InputException {
    RawScenario changed = raw.with(vary, value);
    try {
      return plain(changed);
    } catch (InputException e) {
      if (e.line() == vary.line()) {
        throw e;
      }
      String cause = ", once line " + vary.line() + " varies " + vary.target() + " to " + value;
      throw new InputException(raw.file(), e.line(), e.reason() + cause);
    }
  }

  private static Scenario plain(RawScenario raw) throws InputException {
    checkTopics(raw);
    ClusterSpec cluster = ClusterSection.SCHEMA.read(single(raw, "cluster"));
    TelemetrySpec telemetry = RunSections.TELEMETRY.read(single(raw, "telemetry"));
    PowerSpec power = RunSections.POWER.read(single(raw, "power"));
    EncodingSpec encoding = encoding(raw, cluster);
    RunSpec run = RunSections.RUN.read(single(raw, "run"));
    Set<String> names = new HashSet<>(SINGLE);
    List<WorkloadSpec> workloads = named(raw, "workload", WorkloadSections.KINDS, names);
    List<PolicySpec> policies = named(raw, "policy", PolicySections.KINDS, names);
    checkReducers(raw, workloads);
    RecoverySpec recovery = recovery(raw, cluster, workloads, policies);
    return new Scenario(
        nameOf(raw.file()),
        raw.about(),
        cluster,
        telemetry,
        power,
        encoding,
        recovery,
        workloads,
        policies,
        failures(raw, cluster),
        run,
        List.of(),
        raw.expected());
  }

  private static EncodingSpec encoding(RawScenario raw, ClusterSpec cluster) throws InputException {
    RawSection section = single(raw, "encoding");
    EncodingSpec encoding = EncodingSection.SCHEMA.read(section);
    try {
      EncodingSection.requireRoom(encoding, cluster);
    } catch (IllegalArgumentException e) {
      throw section.bad(e.getMessage());
    }
    return encoding;
  }

  private static RecoverySpec recovery(
      RawScenario raw, ClusterSpec cluster, List<WorkloadSpec> workloads, List<PolicySpec> policies)
      throws InputException {
    RawSection section = single(raw, "recovery");
    RecoverySpec recovery = RecoverySection.SCHEMA.read(section);
    try {
      RecoverySection.requireFit(recovery, cluster, workloads, policies);
    } catch (IllegalArgumentException e) {
      throw section.bad(e.getMessage());
    }
    return recovery;
  }

  private static String nameOf(Path file) {
    Path last = file.getFileName();
    String name = last == null ? "" : last.toString();
    return name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
  }

  private static void checkTopics(RawScenario raw) throws InputException {
    for (RawSection section : raw.sections()) {
      if (!TOPICS.contains(section.topic())) {
        throw section.bad(
            "unknown section "
                + InputException.quote(section.topic())
                + NearestName.suggestion(section.topic(), TOPICS)
                + "; allowed: "
                + String.join(", ", TOPICS));
      }
    }
  }

  /** The one section of a topic; an empty one when it is left out. */
  private static RawSection single(RawScenario raw, String topic) throws InputException {
    RawSection found = null;
    for (RawSection section : raw.sections()) {
      if (section.topic().equals(topic)) {
        if (found != null) {
          throw section.bad(topic + " is there twice, first in line " + found.line());
        }
        if (section.words().size() > 1) {
          throw section.bad(
              topic + " takes no name, but has " + InputException.quote(section.name()));
        }
        found = section;
      }
    }
    return found == null ? new RawSection(raw.file(), 0, List.of(topic), List.of()) : found;
  }

  private static <S> List<S> named(
      RawScenario raw, String topic, Map<String, Schema<? extends S>> kinds, Set<String> names)
      throws InputException {
    List<S> all = new ArrayList<>();
    for (RawSection section : raw.sections()) {
      if (section.topic().equals(topic)) {
        String allowed = String.join(", ", kinds.keySet());
        if (section.words().size() < 2 || section.words().size() > 3) {
          throw section.bad("expected '" + topic + " <name> <kind>'; kinds: " + allowed);
        }
        Schema<? extends S> schema = kinds.get(section.kind());
        if (schema == null) {
          throw section.bad(
              "unknown kind of "
                  + topic
                  + " "
                  + InputException.quote(section.kind())
                  + NearestName.suggestion(section.kind(), kinds.keySet())
                  + "; allowed: "
                  + allowed);
        }
        if (!names.add(section.name())) {
          throw section.bad("the name " + InputException.quote(section.name()) + " is taken");
        }
        all.add(schema.read(section));
      }
    }
    if (all.isEmpty()) {
      throw new InputException(raw.file(), 0, "has no " + topic + "; at least one is needed");
    }
    return all;
  }

  private static void checkReducers(RawScenario raw, List<WorkloadSpec> workloads)
      throws InputException {
    List<String> shuffles =
        workloads.stream()
            .filter(WorkloadSpec.Shuffles.class::isInstance)
            .map(WorkloadSpec::name)
            .toList();
    for (WorkloadSpec workload : workloads) {
      if (workload instanceof WorkloadSpec.Writes writes
          && writes.reducersOf().isPresent()
          && !shuffles.contains(writes.reducersOf().get())) {
        RawSection section = sectionOf(raw, workload.name());
        throw section.bad(
            "reducers-of is "
                + InputException.quote(writes.reducersOf().get())
                + "; allowed: the name of a workload of kind shuffles"
                + (shuffles.isEmpty() ? ", of which there is none" : ", " + shuffles));
      }
    }
  }

  private static RawSection sectionOf(RawScenario raw, String workload) {
    return raw.sections().stream()
        .filter(section -> section.topic().equals("workload") && section.name().equals(workload))
        .findFirst()
        .orElseThrow();
  }

  private static List<FailureSpec> failures(RawScenario raw, ClusterSpec cluster)
      throws InputException {
    List<FailureSpec> failures = new ArrayList<>();
    for (RawSection section : raw.sections()) {
      if (section.topic().equals("failure")) {
        failures.add(failure(section, cluster));
      }
    }
    failures.sort(Comparator.comparingLong(FailureSpec::atMs));
    return failures;
  }

  private static FailureSpec failure(RawSection section, ClusterSpec cluster)
      throws InputException {
    String expected = "expected 'failure node <index>' or 'failure rack <index>'";
    if (section.words().size() != 3) {
      throw section.bad(expected);
    }
    FailureSpec.Part part;
    switch (section.words().get(1)) {
      case "node" -> part = FailureSpec.Part.NODE;
      case "rack" -> part = FailureSpec.Part.RACK;
      default -> throw section.bad(expected);
    }
    int there =
        part == FailureSpec.Part.RACK ? cluster.racks() : cluster.racks() * cluster.nodesPerRack();
    // How many an operator's topology has is known when it is read.
    int last = cluster.topologyFile().isPresent() ? Integer.MAX_VALUE : there - 1;
    try {
      int index = ValueKind.count(0, last).parse(section.words().get(2));
      return RunSections.failure(part, index).read(section);
    } catch (BadValueException e) {
      throw section.bad(section.words().get(1) + " " + e.getMessage());
    }
  }

  /** A scenario as text, with what differs from the usual; read again, it is equal. */
  public static List<String> write(Scenario scenario) {
    List<String> lines = new ArrayList<>();
    if (!scenario.about().isEmpty()) {
      lines.add("about " + scenario.about());
      lines.add("");
    }
    section(lines, "cluster", ClusterSection.SCHEMA.write(scenario.cluster()));
    usually(lines, "telemetry", RunSections.TELEMETRY.write(scenario.telemetry()));
    usually(lines, "power", RunSections.POWER.write(scenario.power()));
    usually(lines, "encoding", EncodingSection.SCHEMA.write(scenario.encoding()));
    usually(lines, "recovery", RecoverySection.SCHEMA.write(scenario.recovery()));
    for (WorkloadSpec workload : scenario.workloads()) {
      named(lines, "workload", workload.name(), workload, WorkloadSections.KINDS);
    }
    for (PolicySpec policy : scenario.policies()) {
      named(lines, "policy", policy.name(), policy, PolicySections.KINDS);
    }
    for (FailureSpec failure : scenario.failures()) {
      String part = failure.part() == FailureSpec.Part.NODE ? "node" : "rack";
      section(
          lines,
          "failure " + part + " " + failure.index(),
          RunSections.failure(failure.part(), failure.index()).write(failure));
    }
    usually(lines, "run", RunSections.RUN.write(scenario.run()));
    for (Scenario.Variation variation : scenario.variations()) {
      List<String> values = variation.cases().stream().map(Scenario.Case::value).toList();
      lines.add("vary " + variation.target() + " " + String.join(" | ", values));
    }
    if (!scenario.expected().isEmpty()) {
      lines.addAll(Expectation.block(scenario.expected()));
    }
    return lines;
  }

  /** A section that may be left out. */
  private static void usually(List<String> lines, String header, List<String> settings) {
    if (!settings.isEmpty()) {
      section(lines, header, settings);
    }
  }

  private static void section(List<String> lines, String header, List<String> settings) {
    lines.add(header);
    settings.forEach(setting -> lines.add(RawScenario.INDENT + setting));
    lines.add("");
  }

  private static <S> void named(
      List<String> lines,
      String topic,
      String name,
      S spec,
      Map<String, Schema<? extends S>> kinds) {
    for (Map.Entry<String, Schema<? extends S>> kind : kinds.entrySet()) {
      if (kind.getValue().type().isInstance(spec)) {
        String header =
            topic + " " + name + (kind.getKey().equals(name) ? "" : " " + kind.getKey());
        section(lines, header, settings(kind.getValue(), spec));
        return;
      }
    }
    throw new IllegalStateException("no kind of " + topic + " for " + spec.getClass());
  }

  private static <S> List<String> settings(Schema<S> schema, Object spec) {
    return schema.write(schema.type().cast(spec));
  }
}
