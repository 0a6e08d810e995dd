package org.rackweave.health;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.rackweave.health.Finding.Severity;

/** Judges what is known of one NameNode. Each check has a code of its own. */
public final class HealthChecks {
  /** With fewer requests nothing is said of how many were left to stock HDFS. */
  private static final long REQUESTS_LEAST = 20;

  /** Part of all requests that may be left to stock HDFS against expectation. */
  private static final double FALLBACKS_MAX = 0.05;

  /** What may be found on one NameNode. */
  private static final List<String> ON_ONE =
      List.of(
          "NOT_STARTED",
          "HADOOP_UNKNOWN",
          "STRIPES_LOST",
          "PARITY_UNREADABLE",
          "DELETIONS_WAIT",
          "STRIPES_DEGRADED",
          "TIMER_LATE",
          "ERRORS",
          "BLACK_BOX_OFF",
          "NO_SNAPSHOT",
          "LOW_COVERAGE",
          "DATANODES_SILENT",
          "NO_AGENTS",
          "LINKS_DOUBTED",
          "LINKS_SLOW",
          "NETWORK_DECLARED",
          "BREAKER_OPEN",
          "CANARY_ABORTED",
          "PLACEMENT_FALLBACK",
          "RECOVERY_FALLBACK",
          "RECOVERY_WAITS");

  /** A NameNode does not answer. */
  public static final String NAMENODE_SILENT = "NAMENODE_SILENT";

  /** Modes differ between NameNodes. */
  public static final String MODES_DIFFER = "MODES_DIFFER";

  /** Versions differ between NameNodes. */
  public static final String VERSIONS_DIFFER = "VERSIONS_DIFFER";

  /** All codes there are, those that only show when NameNodes are compared or asked among them. */
  public static final List<String> CODES =
      Stream.of(ON_ONE, List.of(NAMENODE_SILENT, MODES_DIFFER, VERSIONS_DIFFER), DoctorChecks.CODES)
          .flatMap(List::stream)
          .toList();

  private final HealthFacts facts;
  private final List<Finding> findings = new ArrayList<>();

  private HealthChecks(HealthFacts facts) {
    this.facts = facts;
  }

  /** What is wrong, the worst first; empty when all is well. */
  public static List<Finding> of(HealthFacts facts) {
    HealthChecks checks = new HealthChecks(facts);
    checks.start();
    checks.hadoop();
    checks.stripes();
    checks.faults();
    if (facts.isAnyOn()) {
      checks.telemetry();
      checks.decisions();
      checks.recovery();
    }
    checks.findings.sort(Comparator.comparing(Finding::severity).reversed());
    return List.copyOf(checks.findings);
  }

  private void start() {
    if (!facts.notStarted().isEmpty()) {
      add(
          "NOT_STARTED",
          Severity.ERR,
          "Rackweave has started in part only: " + facts.notStarted() + ".",
          "The NameNode's log has the error. Mend it and restart the NameNode.",
          List.of());
    }
  }

  private void hadoop() {
    HealthFacts.Faults faults = facts.faults();
    if (!faults.unknownHadoop().isEmpty()) {
      add(
          "HADOOP_UNKNOWN",
          Severity.WARN,
          String.format(
              Locale.ROOT,
              "Hadoop %s is not a version that Rackweave is built and tested for; %s.",
              faults.unknownHadoop(),
              faults.unlinked().isEmpty()
                  ? "all that was used so far fits"
                  : faults.unlinked().size() + " places do not fit and are left to stock HDFS"),
          "Try it with all features in shadow mode first, or run a version that is named in the"
              + " requirements.",
          faults.unlinked());
    }
  }

  private void stripes() {
    HealthFacts.Stripes stripes = facts.stripes();
    if (stripes.lost() > 0) {
      add(
          "STRIPES_LOST",
          Severity.ERR,
          stripes.lost() + " stripes miss more blocks than can be decoded.",
          "Bring back the DataNodes that have them: bin/rackweave stripes --audit lists stripes and"
              + " blocks.",
          List.of());
    }
    if (stripes.unreadable() > 0) {
      add(
          "PARITY_UNREADABLE",
          Severity.ERR,
          stripes.unreadable() + " parity files have no readable record of their stripe.",
          "Do not delete them. The NameNode's log names each; restore its extended attributes from"
              + " a backup, or decode the files concerned.",
          List.of());
    }
    if (!stripes.deletionAlarm().isEmpty()) {
      add(
          "DELETIONS_WAIT",
          Severity.ERR,
          stripes.deletionAlarm(),
          "Deletions go on when stripes are read: look for errors of the stripes' guard in the"
              + " NameNode's log.",
          List.of());
    }
    if (stripes.degraded() > 0) {
      add(
          "STRIPES_DEGRADED",
          Severity.WARN,
          stripes.degraded() + " stripes miss blocks and can be decoded.",
          "They are repaired by themselves. If the number does not fall: bin/rackweave stripes.",
          List.of());
    }
  }

  private void faults() {
    HealthFacts.Faults faults = facts.faults();
    if (!faults.late().isEmpty()) {
      add(
          "TIMER_LATE",
          Severity.ERR,
          faults.late().size() + " timers of Rackweave have not ended a round in time.",
          "The NameNode's log has the stack trace of each. Their features do nothing meanwhile.",
          faults.late());
    }
    if (!faults.failures().isEmpty()) {
      long sum = faults.failures().values().stream().mapToLong(Long::longValue).sum();
      add(
          "ERRORS",
          Severity.WARN,
          String.format(
              Locale.ROOT,
              "%d errors of Rackweave in %d minutes.",
              sum,
              facts.decisions().minutes()),
          "Stock HDFS acted in their place. The NameNode's log has the stack traces; report them.",
          lines(faults.failures()));
    }
    if (!faults.blackBox().isEmpty()) {
      add(
          "BLACK_BOX_OFF",
          Severity.WARN,
          "Nothing is written to the black box.",
          "Mend what the details name, or set rackweave.black-box.directory and restart. Events are"
              + " lost with a restart, and replay has nothing of this time.",
          List.of(faults.blackBox()));
    }
  }

  private void telemetry() {
    HealthFacts.Telemetry links = facts.telemetry();
    if (!links.hasSnapshot()) {
      add(
          "NO_SNAPSHOT",
          Severity.ERR,
          "There is no recent snapshot of the links.",
          "Placement and recovery are left to stock HDFS. In the first seconds after a start this"
              + " is normal; later look for the timer 'snapshots' in the NameNode's log.",
          List.of());
      return;
    }
    if (links.live() > 0 && links.coverage() < links.coverageMin()) {
      add(
          "LOW_COVERAGE",
          Severity.ERR,
          String.format(
              Locale.ROOT,
              "The load of %.0f %% of %d DataNodes is known; Rackweave decides from %.0f %% on.",
              100 * links.coverage(),
              links.live(),
              100 * links.coverageMin()),
          "Mend the silent DataNodes, or lower rackweave.telemetry.coverage.min.",
          List.of());
    }
    if (!links.silent().isEmpty() && links.reporting() > 0) {
      add(
          "DATANODES_SILENT",
          Severity.WARN,
          links.silent().size() + " of " + links.live() + " DataNodes report no load.",
          "Their load is derived from stock heartbeats, or taken for full. Install the jar there,"
              + " or mend what the details name.",
          links.silent());
    } else if (links.reporting() == 0 && links.live() > 0) {
      add(
          "NO_AGENTS",
          Severity.WARN,
          "No DataNode reports its load.",
          "Install the jar on the DataNodes and name"
              + " org.rackweave.hdfs.datanode.RackweaveDataNodePlugin in dfs.datanode.plugins.",
          List.of());
    }
    if (links.doubted() > 0) {
      add(
          "LINKS_DOUBTED",
          Severity.WARN,
          links.doubted() + " DataNodes say that their links are much faster than the others'.",
          "Set rackweave.agent.link.bytes-per-sec on them, or look at their network cards.",
          List.of());
    }
    if (!links.slowLinks().isEmpty()) {
      add(
          "LINKS_SLOW",
          Severity.WARN,
          links.slowLinks().size() + " DataNodes have a much slower link than their rack.",
          "Look at their cables and at what speed their network cards have negotiated.",
          links.slowLinks());
    }
    if (!links.disagreement().isEmpty()) {
      add(
          "NETWORK_DECLARED",
          Severity.WARN,
          "What rackweave.network keys declare is far from what is seen.",
          "Correct the keys, or leave them out.",
          List.of(links.disagreement()));
    }
  }

  private void decisions() {
    HealthFacts.Decisions decisions = facts.decisions();
    if (!decisions.canaryAborted().isEmpty()) {
      add(
          "CANARY_ABORTED",
          Severity.WARN,
          "A canary was aborted: blocks that Rackweave placed took too long to be written.",
          "Look at rackweave canary status and rackweave shadow report before placement is made"
              + " active. rackweave canary stop ends this finding.",
          List.of(decisions.canaryAborted()));
    }
    if (!decisions.slower().isEmpty()) {
      add(
          "BREAKER_OPEN",
          Severity.WARN,
          "Placement is left to stock HDFS for a while: blocks that Rackweave placed took longer to"
              + " be written than those of the control share.",
          "It is tried again by itself. If it happens again: rackweave mode placement=shadow, and"
              + " look for links or disks that are slower than reported.",
          List.of(decisions.slower()));
    } else if (decisions.breaker() != CircuitBreaker.State.CLOSED) {
      add(
          "BREAKER_OPEN",
          Severity.WARN,
          "Placement is left to stock HDFS for a while: most decisions failed or took too long.",
          "It is tried again by itself. The NameNode's log has the errors; without any, look for"
              + " long pauses of the NameNode.",
          List.of());
    }
    long left = decisions.fallbacks().values().stream().mapToLong(Long::longValue).sum();
    long all = decisions.ours() + left;
    if (all >= REQUESTS_LEAST && left > FALLBACKS_MAX * all) {
      add(
          "PLACEMENT_FALLBACK",
          Severity.WARN,
          String.format(
              Locale.ROOT,
              "%d of %d requests in %d minutes were left to stock HDFS.",
              left,
              all,
              decisions.minutes()),
          "docs/reference.md, Fallback reasons, says what each reason means.",
          lines(decisions.fallbacks()));
    }
  }

  private void recovery() {
    HealthFacts.Recovery recovery = facts.recovery();
    if (facts.isActive() && recovery.stocks() != null) {
      add(
          "RECOVERY_FALLBACK",
          Severity.WARN,
          "Stock HDFS makes lost replicas again: " + recovery.stocks() + ".",
          "bin/rackweave recovery tells more.",
          List.of());
    }
    if (facts.isActive() && recovery.isWaiting()) {
      add(
          "RECOVERY_WAITS",
          Severity.WARN,
          "So much was lost at once that recovery waits for it to come back.",
          "If it will not: hdfs dfsadmin -refresh HOST:PORT rackweave-recovery go.",
          List.of());
    }
  }

  private void add(
      String code, Severity severity, String summary, String whatToDo, List<String> details) {
    if (!ON_ONE.contains(code)) {
      throw new IllegalArgumentException("no code of health: " + code);
    }
    findings.add(new Finding(code, severity, summary, whatToDo, details));
  }

  private static List<String> lines(Map<String, Long> counts) {
    return counts.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .map(entry -> entry.getKey() + ": " + entry.getValue())
        .toList();
  }
}
