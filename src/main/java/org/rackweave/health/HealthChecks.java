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
          "Rackweave has started only in part: " + facts.notStarted() + ".",
          "The NameNode's log has the error. Correct it and restart the NameNode.",
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
              "Rackweave is not built and tested for Hadoop %s; %s.",
              faults.unknownHadoop(),
              faults.unlinked().isEmpty()
                  ? "everything used so far fits"
                  : faults.unlinked().size() + " places do not fit and are left to stock HDFS"),
          "Run it with all features in shadow mode first, or use a supported version.",
          faults.unlinked());
    }
  }

  private void stripes() {
    HealthFacts.Stripes stripes = facts.stripes();
    if (stripes.lost() > 0) {
      add(
          "STRIPES_LOST",
          Severity.ERR,
          stripes.lost() + " stripes have lost more blocks than can be decoded.",
          "Bring back the DataNodes that hold them. bin/rackweave stripes --audit lists stripes"
              + " and blocks.",
          List.of());
    }
    if (stripes.unreadable() > 0) {
      add(
          "PARITY_UNREADABLE",
          Severity.ERR,
          stripes.unreadable() + " parity files have no readable record of their stripe.",
          "Do not delete them. The NameNode's log names each; restore its extended attributes"
              + " from a backup, or decode the affected files.",
          List.of());
    }
    if (!stripes.deletionAlarm().isEmpty()) {
      add(
          "DELETIONS_WAIT",
          Severity.ERR,
          stripes.deletionAlarm(),
          "Deletions continue when the stripes have been read: look for errors of"
              + " rackweave-encoding in the NameNode's log.",
          List.of());
    }
    if (stripes.degraded() > 0) {
      add(
          "STRIPES_DEGRADED",
          Severity.WARN,
          stripes.degraded() + " stripes have lost blocks that can be decoded.",
          "They are repaired automatically. If the number does not fall, see bin/rackweave"
              + " stripes.",
          List.of());
    }
  }

  private void faults() {
    HealthFacts.Faults faults = facts.faults();
    if (!faults.late().isEmpty()) {
      add(
          "TIMER_LATE",
          Severity.ERR,
          faults.late().size() + " timers of Rackweave are late.",
          "The NameNode's log has the stack trace of each. Their features are idle meanwhile.",
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
          "Stock HDFS acted instead. The NameNode's log has the stack traces; please report"
              + " them.",
          lines(faults.failures()));
    }
    if (!faults.blackBox().isEmpty()) {
      add(
          "BLACK_BOX_OFF",
          Severity.WARN,
          "Nothing is written to the black box.",
          "Correct the error in the details, or set rackweave.black-box.directory and restart."
              + " Until then a restart loses events, and replay lacks this time.",
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
          "Placement and recovery are left to stock HDFS. This is normal in the first seconds"
              + " after a start; later, look for the timer 'snapshots' in the NameNode's log.",
          List.of());
      return;
    }
    if (links.live() > 0 && links.coverage() < links.coverageMin()) {
      add(
          "LOW_COVERAGE",
          Severity.ERR,
          String.format(
              Locale.ROOT,
              "The load of %.0f %% of %d DataNodes is known; decisions need %.0f %%.",
              100 * links.coverage(),
              links.live(),
              100 * links.coverageMin()),
          "Repair the silent DataNodes, or lower rackweave.telemetry.coverage.min.",
          List.of());
    }
    if (!links.silent().isEmpty() && links.reporting() > 0) {
      add(
          "DATANODES_SILENT",
          Severity.WARN,
          links.silent().size() + " of " + links.live() + " DataNodes report no load.",
          "Their load is derived from stock heartbeats, or counts as full. Install the jar"
              + " there, or see the details.",
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
          links.doubted() + " DataNodes report much faster links than the others.",
          "Set rackweave.agent.link.bytes-per-sec on them, or check their network cards.",
          List.of());
    }
    if (!links.slowLinks().isEmpty()) {
      add(
          "LINKS_SLOW",
          Severity.WARN,
          links.slowLinks().size() + " DataNodes have a much slower link than their rack.",
          "Check their cables and the negotiated speed of their network cards.",
          links.slowLinks());
    }
    if (!links.disagreement().isEmpty()) {
      add(
          "NETWORK_DECLARED",
          Severity.WARN,
          "The rackweave.network settings differ by far from what is measured.",
          "Correct the settings, or remove them.",
          List.of(links.disagreement()));
    }
  }

  private void decisions() {
    HealthFacts.Decisions decisions = facts.decisions();
    if (!decisions.canaryAborted().isEmpty()) {
      add(
          "CANARY_ABORTED",
          Severity.WARN,
          "A canary was aborted: blocks that Rackweave placed were written too slowly.",
          "See rackweave canary status and rackweave shadow report before you activate"
              + " placement. rackweave canary stop ends this finding.",
          List.of(decisions.canaryAborted()));
    }
    if (!decisions.slower().isEmpty()) {
      add(
          "BREAKER_OPEN",
          Severity.WARN,
          "Placement is left to stock HDFS for now: blocks that Rackweave placed were written"
              + " more slowly than those of the control share.",
          "It is tried again automatically. If it happens again: rackweave mode"
              + " placement=shadow, and look for links or disks that are slower than reported.",
          List.of(decisions.slower()));
    } else if (decisions.breaker() != CircuitBreaker.State.CLOSED) {
      add(
          "BREAKER_OPEN",
          Severity.WARN,
          "Placement is left to stock HDFS for now: most decisions failed or took too long.",
          "It is tried again automatically. The NameNode's log has the errors; if there are"
              + " none, look for long pauses of the NameNode.",
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
              "%d of %d requests in %d minutes fell back to stock HDFS.",
              left,
              all,
              decisions.minutes()),
          "docs/reference.md explains each reason (Fallback reasons).",
          lines(decisions.fallbacks()));
    }
  }

  private void recovery() {
    HealthFacts.Recovery recovery = facts.recovery();
    if (facts.isActive() && recovery.stocks() != null) {
      add(
          "RECOVERY_FALLBACK",
          Severity.WARN,
          "Stock HDFS recovers lost replicas: " + recovery.stocks() + ".",
          "See bin/rackweave recovery.",
          List.of());
    }
    if (facts.isActive() && recovery.isWaiting()) {
      add(
          "RECOVERY_WAITS",
          Severity.WARN,
          "Many DataNodes were lost at once; recovery waits for their return.",
          "If they will not return: hdfs dfsadmin -refresh HOST:PORT rackweave-recovery go.",
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
