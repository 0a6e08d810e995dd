package org.rackweave.sim.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Scenarios with random settings, all of them allowed. */
final class RandomScenario {

  /** Texts that a key of this name takes, in every section that has one. */
  private static final Map<String, List<String>> TEXTS =
      Map.ofEntries(
          Map.entry("host-link", List.of("1Gbps", "25Gbps", "117MB/s", "123456789B/s")),
          Map.entry("rack-link", List.of("from-hosts", "2Gbps", "1.5GB/s")),
          Map.entry("oversubscription", List.of("1", "2.5", "10")),
          Map.entry("core", List.of("unlimited", "100Gbps")),
          Map.entry("disk-write", List.of("unlimited", "50MB/s")),
          Map.entry("disk-read", List.of("unlimited", "100MiB/s")),
          Map.entry("disks-per-node", List.of("1", "12")),
          Map.entry("busy-transfers", List.of("1", "15")),
          Map.entry("sleep-after", List.of("never", "15min")),
          Map.entry("sleep-watts", List.of("10", "93.7")),
          Map.entry("capacity", List.of("6TB", "choice 250GB 500GB", "uniform 1TiB 2TiB")),
          Map.entry("read-slots", List.of("15", "normal 15 3.1622776601683795")),
          Map.entry("jitter", List.of("0ms", "250ms")),
          Map.entry("delay", List.of("0ms", "1s", "33ms")),
          Map.entry("loss", List.of("0%", "0.125", "1.5%", "100%")),
          Map.entry("alpha", List.of("0.2", "1", "0.001")),
          Map.entry("stale-intervals", List.of("1", "15")),
          Map.entry("decision-interval", List.of("0ms", "10s", "100s")),
          Map.entry("threshold", List.of("0B", "128MiB")),
          Map.entry("storage-imbalance", List.of("10%", "0.333")),
          Map.entry("spread", List.of("two-rack", "distinct-racks")),
          Map.entry("promise", List.of("whole-block", "disk-rate")),
          Map.entry("knowledge", List.of("reports", "oracle")),
          Map.entry("sources", List.of("fixed", "unlimited")),
          Map.entry("disk-limited", List.of("yes", "no")),
          Map.entry("rate", List.of("4/s", "1/min", "7/h", "0.1/s", "33.3/s")),
          Map.entry("code", List.of("rs-10-4", "rs-6-3")),
          Map.entry("rack-limit", List.of("1", "2")),
          Map.entry("target-racks", List.of("all", "14")),
          Map.entry("stripes", List.of("0")),
          Map.entry("at", List.of("30s")),
          Map.entry("arithmetic", List.of("unlimited", "50MB/s")),
          Map.entry("tasks", List.of("1", "12")),
          Map.entry("relocation", List.of("yes", "no")),
          Map.entry("places-stored", List.of("yes", "no")),
          Map.entry("bandwidth", List.of("0B/s", "800Mbps")),
          Map.entry("together", List.of("1", "60")),
          Map.entry("files", List.of("1", "50000")),
          Map.entry(
              "popularity",
              List.of("zipf 0", "zipf 1.07", "drawn uniform 1 30", "drawn exponential 240")),
          Map.entry(
              "size",
              List.of(
                  "1B",
                  "256MiB",
                  "1000001B",
                  "1.5GB",
                  "log-uniform 100kB 10GB",
                  "exponential 64MiB",
                  "normal 1GB 333333333B",
                  "quantiles 0% 1kB 12.5% 3MB 100% 1TB",
                  "32% of 256MiB else log-uniform 30kB 256MiB",
                  "1% of 1B else 0.5 of 2B else uniform 3B 4B")),
          Map.entry("block", List.of("64MiB", "128MB", "1B")),
          Map.entry("replication", List.of("2", "3", "512")),
          Map.entry("readers", List.of("nodes", "outside")),
          Map.entry("clients", List.of("nodes", "outside")),
          Map.entry("trace", List.of("look-alike", "some file.txt", "/a/b#c")),
          Map.entry("required", List.of("yes", "no")),
          Map.entry("times", List.of("1", "24")),
          Map.entry("period", List.of("1h", "3630s")),
          Map.entry("reshuffle", List.of("nothing", "arrivals", "racks", "both")),
          Map.entry("speed", List.of("0.5", "1", "2")),
          Map.entry("copies", List.of("1", "8")),
          Map.entry("size-factor", List.of("0.1", "1", "3")),
          Map.entry("reads", List.of("yes", "no")),
          Map.entry("writes", List.of("yes", "no")),
          Map.entry("part", List.of("1GiB", "5GB")),
          Map.entry("cross-rack", List.of("0%", "50%", "0.6667")),
          Map.entry("mean", List.of("40%", "0%")),
          Map.entry("deviation", List.of("50%", "0.42")),
          Map.entry("slot", List.of("15s", "100ms")),
          Map.entry("log", List.of("a.log", "a.log.2.gz, a.log.1, a.log")),
          Map.entry("listing", List.of("files.txt")),
          Map.entry("strangers", List.of("outside", "spread")),
          Map.entry("files-max", List.of("1000", "5000000")),
          Map.entry("share", List.of("100%", "0.1%", "1e-5")),
          Map.entry("duration", List.of("1h", "1d", "90min")),
          Map.entry("warm-up", List.of("0ms", "1min")),
          Map.entry("seed", List.of("0", "123456789012")),
          Map.entry("runs", List.of("1", "30")),
          Map.entry("settle-ends", List.of("0ms", "100ms")),
          Map.entry("look", List.of("never", "1s")),
          Map.entry("free", List.of("1", "7")),
          Map.entry("in", List.of("80%", "0%")),
          Map.entry("out", List.of("80%", "0%")),
          Map.entry("stay", List.of("20s", "100ms")),
          Map.entry("at-a-time", List.of("1", "300")),
          Map.entry("interval", List.of("1s", "3s", "10min")),
          Map.entry("chunks", List.of("1", "250000")),
          Map.entry("chunk", List.of("64MiB", "exponential 64MB")),
          Map.entry("layout", List.of("distinct-racks", "two-racks")),
          Map.entry("waiting", List.of("0", "30")),
          Map.entry("minimum", List.of("0B/s", "30MB/s")),
          Map.entry("crossing", List.of("0%", "0.5", "100%")),
          Map.entry("contention", List.of("foreground-first", "proportional")),
          Map.entry("replan", List.of("as-slot", "3s", "1h")),
          Map.entry("report-weight", List.of("1", "0.2")),
          Map.entry("aim", List.of("slot", "backlog")),
          Map.entry("algorithm", List.of("dayu", "hull", "g1", "wr")),
          Map.entry("rates", List.of("wss", "deadline")),
          Map.entry("stragglers", List.of("keep", "resume", "restart")),
          Map.entry("beta", List.of("0%", "5%", "0.025")),
          Map.entry("bucket", List.of("1MB/s", "500kB/s")),
          Map.entry("planning", List.of("fixed", "measured", "by-tasks")),
          Map.entry("planning-time", List.of("0ms", "500ms", "7s")),
          Map.entry("planning-speed", List.of("210000/s", "30000.5/s")),
          Map.entry("streams", List.of("unlimited", "1", "400")),
          Map.entry("limit", List.of("30MB/s", "150MB/s")));

  /** Keys that go with others and are left alone here. */
  private static final List<String> LEFT_ALONE =
      List.of("topology", "racks", "nodes-per-rack", "writers", "reducers-of", "reducer-window");

  /** Kinds of policy that go with recovery only. */
  private static final List<String> RECOVERING = List.of("dayu", "pangu");

  private final Random dice;
  private final List<String> lines = new ArrayList<>();

  private RandomScenario(Random dice) {
    this.dice = dice;
  }

  static List<String> lines(Random dice) {
    RandomScenario random = new RandomScenario(dice);
    if (dice.nextInt(4) == 0) {
      return random.recovery();
    }
    random.add("about: Random " + dice.nextInt(1000));
    random.section("cluster", ClusterSpec.class);
    random.add("  racks: " + (1 + dice.nextInt(9)), "  nodes-per-rack: " + (1 + dice.nextInt(9)));
    random.section("telemetry", TelemetrySpec.class);
    random.section("power", PowerSpec.class);
    random.section("encoding", EncodingSpec.class);
    random.section("run", RunSpec.class);
    random.add("workloads:");
    Setting.kinds(WorkloadSpec.class).forEach(random::some);
    random.add("policies:");
    Setting.kinds(PolicySpec.class)
        .forEach(
            (kind, type) -> {
              if (!RECOVERING.contains(kind)) {
                random.some(kind, type);
              }
            });
    int failures = dice.nextInt(3);
    for (int i = 0; i < failures; i++) {
      random.add(i == 0 ? "failures:" : "");
      random.add("  - node: 0", "    at: " + dice.nextInt(100) + "s");
      random.add(dice.nextBoolean() ? "    return: 5min" : "");
    }
    return random.lines;
  }

  private List<String> recovery() {
    section("cluster", ClusterSpec.class);
    add("  racks: " + (4 + dice.nextInt(9)), "  nodes-per-rack: " + (1 + dice.nextInt(9)));
    section("recovery", RecoverySpec.class);
    if (lines.stream().noneMatch(line -> line.startsWith("  chunks:"))) {
      add("  chunks: 7");
    }
    section("run", RunSpec.class);
    add("workloads:");
    entry("load", "foreground", WorkloadSpec.Foreground.class);
    add("policies:");
    RECOVERING.forEach(kind -> some(kind, Setting.kinds(PolicySpec.class).get(kind)));
    return lines;
  }

  private void add(String... more) {
    lines.addAll(List.of(more));
  }

  /** One or two of a kind: under the kind's own name, and under another. */
  private void some(String kind, Class<?> type) {
    entry(kind, kind, type);
    if (dice.nextBoolean()) {
      entry("my-" + kind, kind, type);
    }
  }

  private void entry(String name, String kind, Class<?> type) {
    add("  - name: " + name, "    kind: " + kind);
    settings("    ", type);
  }

  private void section(String name, Class<?> type) {
    add(name + ":");
    settings("  ", type);
  }

  private void settings(String indent, Class<?> type) {
    for (Setting setting : Setting.of(type)) {
      boolean possible = !LEFT_ALONE.contains(setting.name());
      if (possible && (setting.standard() == null || dice.nextBoolean())) {
        List<String> texts = TEXTS.get(setting.name());
        if (texts == null) {
          throw new AssertionError("no texts for " + type + " " + setting.name());
        }
        String text = texts.get(dice.nextInt(texts.size()));
        add(indent + setting.name() + ": " + text);
      }
    }
  }
}
