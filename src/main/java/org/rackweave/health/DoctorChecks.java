package org.rackweave.health;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.rackweave.health.Finding.Severity;

/**
 * Judges what is around Rackweave: clocks, versions, and settings of HDFS that work against it.
 * Each check has a code of its own, and names the numbers it goes by.
 */
public final class DoctorChecks {
  /** A clock that is off by as much is wrong. */
  public static final long CLOCK_OFF_MS = 5_000;

  public static final String BLOCK_SIZE = "dfs.blocksize";
  public static final String STREAMS = "dfs.namenode.replication.max-streams";
  public static final String HARD_LIMIT = "dfs.namenode.replication.max-streams-hard-limit";
  public static final String BALANCER = "dfs.datanode.balance.bandwidthPerSec";

  /** 0 where load does not count. */
  public static final String LOAD_FACTOR = "dfs.namenode.redundancy.considerLoad.factor";

  /** Above 0 where it is on. */
  public static final String PROMETHEUS = "hadoop.prometheus.endpoint.enabled";

  /** All codes there are. */
  public static final List<String> CODES =
      List.of(
          "POLICY_OTHER",
          "CLOCKS_WRONG",
          "VERSIONS_MIXED",
          "BALANCER_RUNS",
          "STREAMS_MANY",
          "LOAD_LIMIT_LOW",
          "BLOCKS_SMALL",
          "PROMETHEUS_OFF");

  /** Five times as many as HDFS has by default. */
  private static final double STREAMS_MAX = 10;

  private static final long REQUESTS_LEAST = 100;
  private static final double MEGA = 1e6;

  private final List<Finding> findings = new ArrayList<>();

  private DoctorChecks() {}

  /** What is wrong, the worst first; empty when all is well. */
  public static List<Finding> of(DoctorFacts facts) {
    DoctorChecks checks = new DoctorChecks();
    checks.processes(facts);
    checks.settings(facts);
    checks.findings.sort(Comparator.comparing(Finding::severity).reversed());
    return List.copyOf(checks.findings);
  }

  private void processes(DoctorFacts facts) {
    Map<String, Long> off = new TreeMap<>(facts.clocksOffMs());
    long ahead = off.values().stream().filter(ms -> ms > 0).count();
    find(
        !off.isEmpty(),
        "CLOCKS_WRONG",
        off.size() + " of " + facts.clocks() + " DataNodes' clocks differ from this NameNode's.",
        (2 * Math.max(ahead, off.size() - ahead) > facts.clocks()
                ? "Most differ alike: check this NameNode's clock first. "
                : "")
            + "Correct NTP there. Reports from the future are dropped.",
        words(off, "%s: %+d ms"));
    Map<String, Integer> versions = new TreeMap<>(facts.datanodes());
    find(
        !versions.isEmpty() && !versions.keySet().equals(Set.of(facts.hadoop())),
        "VERSIONS_MIXED",
        "DataNodes have other versions of Hadoop than this NameNode, " + facts.hadoop() + '.',
        "Finish the upgrade. Rackweave works meanwhile.",
        words(versions, "%s: %d DataNodes"));
    double balancer = facts.settings().get(BALANCER);
    find(
        facts.isCopying() && !facts.movers().isEmpty(),
        "BALANCER_RUNS",
        "A Balancer or Mover copies blocks at the same time: " + facts.movers() + '.',
        "Rackweave leaves bandwidth to it. Run it while nothing is lost, or lower its"
            + " bandwidth: hdfs dfsadmin -setBalancerBandwidth.",
        List.of(
            String.format(
                Locale.ROOT,
                "%s: %.0f MB/s a DataNode, of a link of %.0f MB/s (0: unknown)",
                BALANCER,
                balancer / MEGA,
                facts.linkBytesPerSec() / MEGA)));
  }

  private void settings(DoctorFacts facts) {
    Map<String, Double> set = facts.settings();
    find(
        facts.isPlacing() && !facts.policy().isEmpty(),
        "POLICY_OTHER",
        "Placement is not off, and the placement policy is not Rackweave's.",
        "Set it to RackweaveBlockPlacementPolicy, with its package, and restart, or switch"
            + " placement off.",
        List.of("dfs.block.replicator.classname: " + facts.policy()));
    find(
        facts.isCopying() && Math.max(set.get(STREAMS), set.get(HARD_LIMIT)) > STREAMS_MAX,
        "STREAMS_MANY",
        "Stock HDFS may order many concurrent copies from a DataNode, which have no rates.",
        "Set them to 2 and 4; raise rackweave.dayu.streams.max for recovery instead.",
        List.of(STREAMS + ": " + set.get(STREAMS), HARD_LIMIT + ": " + set.get(HARD_LIMIT)));
    find(
        facts.isPlacing() && set.get(LOAD_FACTOR) > 0 && set.get(LOAD_FACTOR) < 2,
        "LOAD_LIMIT_LOW",
        "HDFS refuses DataNodes with slightly more load than the mean, however much bandwidth"
            + " they have.",
        "Set it to 2, HDFS's default, or more.",
        List.of(LOAD_FACTOR + ": " + set.get(LOAD_FACTOR)));
    find(
        facts.isPlacing()
            && facts.requests() >= REQUESTS_LEAST
            && 2 * facts.smallBlocks() > facts.requests(),
        "BLOCKS_SMALL",
        "Most blocks are smaller than half of dfs.blocksize and left to stock HDFS.",
        "If clients write with a smaller dfs.blocksize, set the NameNode's to theirs.",
        List.of(
            facts.smallBlocks() + " of " + facts.requests() + " requests since the start",
            String.format(Locale.ROOT, "%s: %.0f", BLOCK_SIZE, set.get(BLOCK_SIZE))));
    if (set.get(PROMETHEUS) == 0) {
      findings.add(
          new Finding(
              "PROMETHEUS_OFF",
              Severity.INFO,
              "This NameNode does not serve /prom.",
              "If Prometheus is to read metrics, set it to true and restart.",
              List.of(PROMETHEUS + ": false")));
    }
  }

  private void find(
      boolean isSo, String code, String summary, String whatToDo, List<String> details) {
    if (isSo) {
      findings.add(new Finding(code, Severity.WARN, summary, whatToDo, details));
    }
  }

  private static List<String> words(Map<String, ?> all, String format) {
    return all.entrySet().stream()
        .map(one -> String.format(Locale.ROOT, format, one.getKey(), one.getValue()))
        .toList();
  }
}
