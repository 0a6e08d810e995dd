package org.rackweave.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rackweave.health.CircuitBreaker.State;
import org.rackweave.health.Finding.Severity;

/** Each check on both sides of what it goes by. */
class HealthChecksTest {
  private String notStarted = "";
  private boolean isAnyOn = true;
  private boolean isActive = true;
  private HealthFacts.Telemetry links =
      new HealthFacts.Telemetry(true, 10, 10, 1, 0.5, List.of(), 0, List.of(), "");
  private HealthFacts.Decisions decisions =
      new HealthFacts.Decisions(10, 1000, Map.of(), State.CLOSED, "", "");
  private HealthFacts.Recovery recovery = new HealthFacts.Recovery(null, false);
  private HealthFacts.Stripes stripes = new HealthFacts.Stripes(0, 0, 0, "");
  private HealthFacts.Faults faults =
      new HealthFacts.Faults(Map.of(), List.of(), "", "", List.of());

  private List<Finding> findings() {
    return HealthChecks.of(
        new HealthFacts(
            notStarted, isAnyOn, isActive, links, decisions, recovery, stripes, faults));
  }

  private List<String> codes() {
    return findings().stream().map(Finding::code).toList();
  }

  private static HealthFacts.Telemetry links(
      int reporting, double coverage, List<String> silent, int doubted) {
    return new HealthFacts.Telemetry(
        true, 10, reporting, coverage, 0.5, silent, doubted, List.of(), "");
  }

  @Test
  void nothingIsWrongWhereAllIsWell() {
    assertEquals(List.of(), findings());
  }

  @Test
  void tellsWhatHasNotStarted() {
    notStarted = "recovery or EAFR (java.io.IOException: no port)";
    assertEquals(List.of("NOT_STARTED"), codes());
    assertTrue(HealthChecks.CODES.contains("NOT_STARTED"));
  }

  @Test
  void tellsOfAHadoopThatIsNotTestedAndOfWhatDoesNotFit() {
    faults = new HealthFacts.Faults(Map.of(), List.of(), "", "3.6.0", List.of());
    assertEquals(List.of("HADOOP_UNKNOWN"), codes());
    assertTrue(findings().get(0).summary().contains("3.6.0"));
    faults =
        new HealthFacts.Faults(
            Map.of(), List.of(), "", "3.6.0", List.of("read-order: Stock HDFS sorts"));
    assertEquals(List.of("read-order: Stock HDFS sorts"), findings().get(0).details());
  }

  @Test
  void looksAtTheLinks() {
    links = links(5, 0.5, List.of(), 0);
    assertEquals(List.of(), codes());
    links = links(4, 0.49, List.of("/r1/a: no report yet"), 1);
    assertEquals(List.of("LOW_COVERAGE", "DATANODES_SILENT", "LINKS_DOUBTED"), codes());
    assertEquals(List.of("/r1/a: no report yet"), findings().get(1).details());
    links = links(0, 1, List.of("/r1/a: no report yet"), 0);
    assertEquals(List.of("NO_AGENTS"), codes(), "one finding, not one for each DataNode");
    links = new HealthFacts.Telemetry(false, 0, 0, 0, 0.5, List.of(), 0, List.of(), "");
    assertEquals(List.of("NO_SNAPSHOT"), codes());
  }

  @Test
  void tellsOfSlowLinksAndOfWhatIsDeclaredWrongly() {
    links =
        new HealthFacts.Telemetry(
            true, 10, 10, 1, 0.5, List.of(), 0, List.of("/r1/a: 125 MB/s among 1250 MB/s"), "x");
    assertEquals(List.of("LINKS_SLOW", "NETWORK_DECLARED"), codes());
    assertEquals(List.of("x"), findings().get(1).details());
  }

  @Test
  void looksAtWhatIsLeftToStockWhereThereAreEnoughRequests() {
    decisions = new HealthFacts.Decisions(10, 95, Map.of("error", 5L), State.CLOSED, "", "");
    assertEquals(List.of(), codes());
    decisions =
        new HealthFacts.Decisions(
            10, 94, Map.of("error", 2L, "low-coverage", 4L), State.CLOSED, "", "");
    assertEquals(List.of("PLACEMENT_FALLBACK"), codes());
    assertEquals(List.of("low-coverage: 4", "error: 2"), findings().get(0).details());
    decisions = new HealthFacts.Decisions(10, 0, Map.of("error", 19L), State.CLOSED, "", "");
    assertEquals(List.of(), codes());
    decisions = new HealthFacts.Decisions(10, 0, Map.of("error", 20L), State.CLOSED, "", "");
    assertEquals(List.of("PLACEMENT_FALLBACK"), codes());
  }

  @Test
  void tellsThatDecisionsAreLeftToStock() {
    decisions = new HealthFacts.Decisions(10, 0, Map.of(), State.HALF_OPEN, "", "");
    assertEquals(List.of("BREAKER_OPEN"), codes());
    decisions = new HealthFacts.Decisions(10, 0, Map.of(), State.OPEN, "write_p50 +40 %", "");
    assertEquals(List.of("BREAKER_OPEN"), codes(), "once");
    assertEquals(List.of("write_p50 +40 %"), findings().get(0).details());
  }

  @Test
  void tellsThatACanaryWasAborted() {
    decisions =
        new HealthFacts.Decisions(10, 0, Map.of(), State.CLOSED, "", "canary below /tmp aborted");
    assertEquals(List.of("CANARY_ABORTED"), codes());
    assertEquals(List.of("canary below /tmp aborted"), findings().get(0).details());
  }

  @Test
  void looksAtRecoveryOnTheActiveNameNode() {
    recovery = new HealthFacts.Recovery("hung", true);
    assertEquals(List.of("RECOVERY_FALLBACK", "RECOVERY_WAITS"), codes());
    assertTrue(findings().get(0).summary().contains("hung"));
    isActive = false;
    assertEquals(List.of(), codes());
  }

  /** Encoded files are guarded in every mode. */
  @Test
  void looksAtStripesAndFaultsWhateverIsOff() {
    isAnyOn = false;
    links = new HealthFacts.Telemetry(false, 0, 0, 0, 0.5, List.of(), 0, List.of(), "");
    assertEquals(List.of(), codes());
    stripes = new HealthFacts.Stripes(1, 2, 3, "Deletions have waited for 3 minutes.");
    faults =
        new HealthFacts.Faults(
            Map.of("placement", 2L), List.of("snapshot 70 s"), "/box: full", "", List.of());
    assertEquals(
        List.of(
            "STRIPES_LOST",
            "PARITY_UNREADABLE",
            "DELETIONS_WAIT",
            "TIMER_LATE",
            "STRIPES_DEGRADED",
            "ERRORS",
            "BLACK_BOX_OFF"),
        codes());
    assertEquals(Severity.ERR, findings().get(0).severity());
    assertEquals(Severity.WARN, findings().get(5).severity());
    assertEquals("2 errors of Rackweave in 10 minutes.", findings().get(5).summary());
  }

  @Test
  void namesTheFirstOfMany() {
    List<String> silent = IntStream.range(0, 120).mapToObj(i -> "dn" + i).toList();
    links = new HealthFacts.Telemetry(true, 200, 80, 1, 0.5, silent, 0, List.of(), "");
    List<String> details = findings().get(0).details();
    assertEquals(51, details.size());
    assertEquals("and 70 more", details.get(50));
  }
}
