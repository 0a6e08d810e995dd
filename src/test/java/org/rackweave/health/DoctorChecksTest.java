package org.rackweave.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rackweave.health.Finding.Severity;

/** Each check on both sides of what it goes by. */
class DoctorChecksTest {
  private boolean isPlacing = true;
  private boolean isCopying = true;
  private String policy = "";
  private int clocks = 10;
  private Map<String, Long> clocksOffMs = Map.of();
  private Map<String, Integer> datanodes = Map.of("3.5.0", 10);
  private List<String> movers = List.of();
  private long requests = 1000;
  private long smallBlocks = 10;
  private final Map<String, Double> settings =
      new HashMap<>(
          Map.of(
              DoctorChecks.STREAMS, 2.0,
              DoctorChecks.HARD_LIMIT, 4.0,
              DoctorChecks.BALANCER, 100e6,
              DoctorChecks.BLOCK_SIZE, 128e6,
              DoctorChecks.LOAD_FACTOR, 2.0,
              DoctorChecks.PROMETHEUS, 1.0));

  private List<Finding> findings() {
    return DoctorChecks.of(
        new DoctorFacts(
            isPlacing,
            isCopying,
            policy,
            clocks,
            clocksOffMs,
            "3.5.0",
            datanodes,
            movers,
            125e6,
            requests,
            smallBlocks,
            settings));
  }

  private List<String> codes() {
    List<String> codes = findings().stream().map(Finding::code).toList();
    assertTrue(DoctorChecks.CODES.containsAll(codes), codes::toString);
    return codes;
  }

  private String onlyDetail() {
    return String.join("|", findings().get(0).details());
  }

  @Test
  void nothingIsWrongWithWhatHdfsHasByDefault() {
    assertEquals(List.of(), codes());
  }

  @Test
  void anotherPolicyPlacesNothing() {
    policy = "org.example.Policy";
    assertEquals(List.of("POLICY_OTHER"), codes());
    assertEquals("dfs.block.replicator.classname: org.example.Policy", onlyDetail());
    isPlacing = false;
    assertEquals(List.of(), codes());
  }

  @Test
  void namesClocksThatAreOffAndHowFar() {
    clocksOffMs = Map.of("/r1/b", -7_500L, "/r1/a", 60_000L);
    assertEquals(List.of("CLOCKS_WRONG"), codes());
    assertEquals("/r1/a: +60000 ms|/r1/b: -7500 ms", onlyDetail());
    assertTrue(findings().get(0).whatToDo().startsWith("Correct NTP"));
  }

  @Test
  void doubtsTheNameNodesClockWhenMostDiffer() {
    clocks = 3;
    clocksOffMs = Map.of("a", 6_000L, "b", 6_100L);
    assertTrue(findings().get(0).whatToDo().contains("this NameNode's clock first"));
  }

  @Test
  void countsVersionsThatDiffer() {
    datanodes = Map.of("3.4.3", 2, "3.5.0", 8);
    assertEquals(List.of("VERSIONS_MIXED"), codes());
    assertEquals("3.4.3: 2 DataNodes|3.5.0: 8 DataNodes", onlyDetail());
    datanodes = Map.of("3.4.3", 10);
    assertEquals(List.of("VERSIONS_MIXED"), codes(), "all of another than the NameNode's");
    datanodes = Map.of();
    assertEquals(List.of(), codes(), "none has registered yet");
  }

  @Test
  void aBalancerCopiesBesideRecovery() {
    movers = List.of("/system/balancer.id");
    assertEquals(List.of("BALANCER_RUNS"), codes());
    assertTrue(onlyDetail().contains("100 MB/s a DataNode, of a link of 125 MB/s"), onlyDetail());
    isCopying = false;
    assertEquals(List.of(), codes());
  }

  @Test
  void stocksOwnStreamsHaveNoRates() {
    settings.put(DoctorChecks.HARD_LIMIT, 10.0);
    assertEquals(List.of(), codes());
    settings.put(DoctorChecks.HARD_LIMIT, 11.0);
    assertEquals(List.of("STREAMS_MANY"), codes());
    assertTrue(onlyDetail().endsWith("max-streams-hard-limit: 11.0"), onlyDetail());
  }

  @Test
  void aLowLimitOfLoadRefusesDataNodes() {
    settings.put(DoctorChecks.LOAD_FACTOR, 1.2);
    assertEquals(List.of("LOAD_LIMIT_LOW"), codes());
    settings.put(DoctorChecks.LOAD_FACTOR, 0.0);
    assertEquals(List.of(), codes(), "load does not count");
  }

  @Test
  void mostBlocksMayBeSmall() {
    smallBlocks = 500;
    assertEquals(List.of(), codes());
    smallBlocks = 501;
    assertEquals(List.of("BLOCKS_SMALL"), codes());
    assertTrue(onlyDetail().startsWith("501 of 1000 requests"), onlyDetail());
    requests = 99;
    smallBlocks = 99;
    assertEquals(List.of(), codes(), "too few to say");
  }

  /** It comes last, and a script does not fail for it. */
  @Test
  void metricsThatNobodyReadsAreOnlyWorthKnowing() {
    settings.put(DoctorChecks.STREAMS, 40.0);
    settings.put(DoctorChecks.PROMETHEUS, 0.0);
    assertEquals(List.of("STREAMS_MANY", "PROMETHEUS_OFF"), codes());
    assertEquals(Severity.INFO, findings().get(1).severity());
  }
}
