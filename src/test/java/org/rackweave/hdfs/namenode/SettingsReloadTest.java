package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.ConfiguredRules;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.RolesConfig;
import org.rackweave.hdfs.StartOnly;
import org.rackweave.hdfs.admin.AdminAnswer;
import org.rackweave.rules.RuleSet;

/** Settings that a running NameNode reads again. */
class SettingsReloadTest {
  /** Another valid value of each key that may change while a NameNode runs. */
  private static final Map<String, String> OTHERS = new TreeMap<>();

  static {
    String[] others = {
      "rackweave.mode", "active",
      "rackweave.paper", "dayu.alpha=0.8 eafr.tau-load=0.7",
      "rackweave.decisions.kept", "100",
      "rackweave.telemetry.coverage.min", "0.6",
      "rackweave.network.rack.bytes-per-sec", "5e9",
      "rackweave.network.rack.oversubscription", "3",
      "rackweave.network.disk-write.bytes-per-sec", "2e8",
      "rackweave.sinbad.spread", "distinct-racks",
      "rackweave.ear.search.interval", "5m",
      "rackweave.ear.encode.concurrent", "7",
      "rackweave.ear.encode.bytes-per-sec", "1000000",
      "rackweave.ear.repair.concurrent", "3",
      "rackweave.ear.margin", "3",
      "rackweave.ear.audit.interval", "5m",
      "rackweave.ear.change.wait", "30s",
      "rackweave.dayu.timeslot", "30s",
      "rackweave.dayu.blocks.max", "500",
      "rackweave.dayu.streams.max", "16",
      "rackweave.dayu.claim", "20s",
      "rackweave.dayu.brake.share", "0.2",
      "rackweave.dayu.brake.window", "30s",
      "rackweave.dayu.brake.grace", "5m",
      "rackweave.eafr.interval", "3m",
      "rackweave.eafr.decay", "0.25",
      "rackweave.eafr.capacity", "20",
      "rackweave.eafr.capacity.observed", "false",
      "rackweave.eafr.age.min", "2h",
      "rackweave.eafr.dwell", "2h",
      "rackweave.eafr.cool-down", "30m",
      "rackweave.eafr.budget.bytes", "1000",
      "rackweave.eafr.in-flight.max", "10",
      "rackweave.eafr.changes.max", "5",
      "rackweave.eafr.reserve.bytes", "1000",
      "rackweave.eafr.sources.enabled", "true",
      "rackweave.eafr.rates.enabled", "true",
      "rackweave.eafr.rates.least-share", "0.2",
      "rackweave.eafr.roles.standby.share", "0.4",
      "rackweave.eafr.roles.cold.share", "0.4",
      "rackweave.eafr.power.timeout", "2m",
      "rackweave.eafr.sleep.settle", "1m",
      "rackweave.eafr.awake.min", "2h",
      "rackweave.eafr.wake.timeout", "20m",
      "rackweave.eafr.late-updates.max", "50",
    };
    for (int i = 0; i < others.length; i += 2) {
      OTHERS.put(others[i], others[i + 1]);
    }
  }

  private final Configuration inForce = new Configuration(false);
  private final Configuration files = new Configuration(false);
  private final List<RackweaveConfig> put = new ArrayList<>();
  private RuleSet rules = RuleSet.NONE;
  private UnaryOperator<String> overruled = key -> null;

  SettingsReloadTest() {
    files.set(DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY, RackweaveNameNodePlugin.class.getName());
  }

  /** What has changed, a line each. */
  private List<String> reload(String... words) {
    AdminAnswer answer =
        new SettingsReload(
                inForce,
                () -> new Configuration(files),
                work -> work.accept(rules),
                put::add,
                overruled)
            .answer(List.of(words));
    List<String> lines = new ArrayList<>();
    for (JsonNode change : tree(answer).path("changes")) {
      JsonNode why = change.path("not_in_force");
      lines.add(
          change.path("setting").asText()
              + ": "
              + change.path("before").asText()
              + " -> "
              + change.path("now").asText()
              + (why.isNull() ? "" : ", " + why.asText()));
    }
    return lines;
  }

  private static JsonNode tree(AdminAnswer answer) {
    try {
      return new ObjectMapper().readTree(answer.json());
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private String refusal(String... words) {
    return assertThrows(IllegalArgumentException.class, () -> reload(words)).getMessage();
  }

  @Test
  void everyKeyIsReadAgainOrTakesARestart() {
    TreeSet<String> keys = new TreeSet<>(OTHERS.keySet());
    Configuration reference = new Configuration(false);
    reference.addResource("rackweave-default.xml");
    TreeSet<String> documented = new TreeSet<>();
    for (Map.Entry<String, String> entry : reference) {
      documented.add(entry.getKey());
      if (StartOnly.why(entry.getKey()) != null) {
        assertTrue(keys.add(entry.getKey()), entry.getKey() + " is either");
      }
    }
    assertEquals(documented, keys);
  }

  @Test
  void eachKeyThatIsReadAgainIsInForceThen() {
    for (Map.Entry<String, String> other : OTHERS.entrySet()) {
      RackweaveConfig before = RackweaveConfig.from(inForce);
      files.set(other.getKey(), other.getValue());
      List<String> changes = reload();
      RackweaveConfig now = put.get(put.size() - 1);
      assertNotEquals(before, now, other.getKey());
      assertEquals(RackweaveConfig.from(files), now, other.getKey());
      assertTrue(!changes.isEmpty(), other.getKey());
      for (String change : changes) {
        assertTrue(change.startsWith(other.getKey()), change);
        assertTrue(!change.contains("restart"), change);
      }
      assertEquals(RackweaveConfig.from(inForce), now, "rules that change later go by it");
    }
    assertEquals(OTHERS.size(), put.size());
    assertEquals(List.of(), reload());
  }

  @Test
  void contextOfTheRunningNameNodeHasThem() {
    PlacementContext context =
        new PlacementContext(RackweaveConfig.from(inForce), new NetworkTopology(), () -> 30_000, 0);
    files.set(ConfigKeys.SPREAD, "distinct-racks");
    Object before = context.sinbad();
    new SettingsReload(
            inForce, () -> files, work -> work.accept(rules), context::setConfig, overruled)
        .answer(List.of());
    assertEquals(RackweaveConfig.from(files), context.config());
    assertNotEquals(before, context.sinbad());
  }

  @Test
  void tellsWhatHasChangedFromWhatToWhat() {
    inForce.set(ConfigKeys.EAFR_CHANGES_MAX, "7");
    inForce.set(ConfigKeys.EAFR_DWELL, "5m");
    inForce.set("dfs.replication", "2");
    inForce.set(ConfigKeys.PAPER, "dayu.beta=0.1 dayu.alpha=0.5");
    files.set(ConfigKeys.DAYU_STREAMS_MAX, "16");
    files.set(ConfigKeys.EAFR_DWELL, "10m");
    files.set(ConfigKeys.EAFR_COOL_DOWN, "20m");
    files.set(ConfigKeys.PAPER, "eafr.beta=0.6 dayu.alpha=0.5");
    files.set("dfs.replication", "3");
    assertEquals(
        List.of(
            "rackweave.dayu.streams.max: 8 -> 16",
            "rackweave.eafr.changes.max: 7 -> 100",
            "rackweave.eafr.dwell: 5m -> 10m",
            "rackweave.paper dayu.beta: 0.1 -> default",
            "rackweave.paper eafr.beta: default -> 0.6"),
        reload());
    assertEquals("2", inForce.get("dfs.replication"), "HDFS's own are HDFS's to read again");
    assertNull(inForce.get(ConfigKeys.EAFR_CHANGES_MAX));
    assertEquals("dayu.alpha=0.5 eafr.beta=0.6", inForce.get(ConfigKeys.PAPER));
  }

  @Test
  void whatTakesARestartIsNamedWithTheReasonAndStays() {
    inForce.set(ConfigKeys.SNAPSHOT_INTERVAL, "100ms");
    inForce.set(ConfigKeys.PAPER, "ear.rack-limit=2 dayu.alpha=0.5");
    files.set(ConfigKeys.EAR_PARITY_DIRECTORY, "/parity");
    files.set(ConfigKeys.EAR_MARGIN, "3");
    files.set(ConfigKeys.PAPER, "ear.rack-limit=3 dayu.alpha=0.6");
    assertEquals(
        List.of(
            "rackweave.ear.margin: 2 -> 3",
            "rackweave.ear.parity.directory: /.rackweave/parity -> /parity, at a restart:"
                + " parity files are there",
            "rackweave.paper dayu.alpha: 0.5 -> 0.6",
            "rackweave.paper ear.rack-limit: 2 -> 3, at a restart: open stripes are formed with it",
            "rackweave.snapshot.interval: 100ms -> 250ms, at a restart: the timer of snapshots is"
                + " set to it"),
        reload());
    RackweaveConfig now = put.get(0);
    assertEquals(100, now.snapshotIntervalMs());
    assertEquals("/.rackweave/parity", now.ear().parityDirectory());
    assertEquals(2, now.ear().forming().rackLimit());
    assertEquals(3, now.ear().margin());
    assertEquals(0.6, now.dayu().bandwidth().alpha());
    assertEquals(3, reload().size(), "and is said again");
  }

  @ParameterizedTest
  @CsvSource({
    "rackweave.dayu.streams.max, 401, 'rackweave.dayu.streams.max = ''401'': allowed is'",
    "rackweave.snapshot.interval, 1ms, 'rackweave.snapshot.interval = ''1ms'': allowed is'",
    "rackweave.paper, dayu.alpha=2, 'rackweave.paper dayu.alpha = ''2'': allowed is'",
    "rackweave.paper, dayu.gamma=2, 'rackweave.paper = ''dayu.gamma=2'': allowed is'",
  })
  void aBadValueIsNamedAndNothingChanges(String key, String value, String message) {
    files.set(ConfigKeys.EAFR_DWELL, "10m");
    files.set(key, value);
    String refusal = refusal();
    assertTrue(refusal.startsWith(message), refusal);
    assertEquals(List.of(), put);
    assertNull(inForce.get(ConfigKeys.EAFR_DWELL));
  }

  /** What does not go with a setting that stays as it was is refused as well. */
  @Test
  void settingsHaveToGoWithThoseThatTakeARestart() {
    inForce.set("dfs.namenode.hosts.provider.classname", RolesConfig.HOSTS_PROVIDER);
    inForce.set("dfs.block.replicator.classname", PolicyAdvice.RACKWEAVE);
    inForce.set(ConfigKeys.EAFR_ROLES, "drawn");
    files.set(ConfigKeys.EAFR_INTERVAL, "7d");
    String refusal = refusal();
    assertTrue(refusal.startsWith(ConfigKeys.EAFR_VERIFY_INTERVAL));
    assertEquals(List.of(), put);
  }

  @Test
  void settingsHaveToGoWithTheRulesInForce() {
    rules = RuleSet.NONE.with("/a", RuleSet.words(List.of("heat=adapt", "max=6")));
    inForce.set("dfs.replication.max", "5");
    String refusal = refusal();
    assertTrue(refusal.contains("dfs.replication.max"), refusal);
  }

  @Test
  void rulesOfAnEarlierVersionsConfigurationAreReadAgainToo() {
    files.set(ConfiguredRules.CODES, "/a=rs-6-3");
    assertEquals(List.of(ConfiguredRules.CODES + ": default -> /a=rs-6-3"), reload());
    assertTrue(put.get(0).ear().paths().of("/a/file").isPresent());
  }

  @Test
  void theCommandLineGoesBeforeTheFiles() {
    inForce.set(ConfigKeys.EAFR_DWELL, "5m", "from command line");
    inForce.set(ConfigKeys.EAFR_COOL_DOWN, "5m");
    files.set(ConfigKeys.EAFR_DWELL, "10m");
    assertEquals(List.of("rackweave.eafr.cool-down: 5m -> 20m"), reload());
    assertEquals("5m", inForce.get(ConfigKeys.EAFR_DWELL));
    assertEquals(List.of(), reload());
  }

  @Test
  void wordsOfThePapersConstantsOnTheCommandLineAreAllThereAreAndStay() {
    inForce.set(ConfigKeys.PAPER, "dayu.alpha=0.5", "from command line");
    files.set(ConfigKeys.PAPER, "dayu.beta=0.1");
    SettingsReload reload =
        new SettingsReload(
            inForce,
            () -> new Configuration(files),
            work -> work.accept(rules),
            put::add,
            overruled);
    for (int time = 0; time < 2; time++) {
      assertEquals(0, tree(reload.answer(List.of())).path("changes").size());
      assertEquals("dayu.alpha=0.5", inForce.get(ConfigKeys.PAPER));
    }
  }

  @Test
  void filesThatAreNotThereAreRefused() {
    inForce.set(ConfigKeys.EAFR_DWELL, "5m");
    files.clear();
    IllegalStateException refused = assertThrows(IllegalStateException.class, this::reload);
    assertTrue(refused.getMessage().startsWith("dfs.namenode.plugins = ''"), refused.getMessage());
    assertEquals(List.of(), put);
    assertEquals("5m", inForce.get(ConfigKeys.EAFR_DWELL));
  }

  @Test
  void whatARestartWouldRefuseIsRefused() {
    files.set("dfs.heartbeat.interval", "60");
    files.set(ConfigKeys.STALE_INTERVAL, "20s");
    assertTrue(refusal().startsWith(ConfigKeys.STALE_INTERVAL));
  }

  @Test
  void saysWhatIsNotInForceAndWhy() {
    overruled = key -> key.equals(ConfigKeys.MODE) ? "another counts" : null;
    files.set("rackweave.eafr.intervall", "5m");
    files.set("rackweave.sinbad.interval", "5s");
    files.set("rackweave.dayu.alpha", "0.7");
    files.set(ConfigKeys.PAPER, "dayu.alpha=0.6");
    files.set(ConfigKeys.MODE, "active");
    assertEquals(
        List.of(
            "rackweave.dayu.alpha: default -> 0.7, rackweave.paper says dayu.alpha",
            "rackweave.eafr.intervall: default -> 5m, nobody reads it",
            "rackweave.mode: shadow -> active, another counts",
            "rackweave.paper dayu.alpha: default -> 0.6",
            "rackweave.sinbad.interval: default -> 5s, requests are decided at once, and the"
                + " paper's OPT' is the simulator's"),
        reload());
  }

  @Test
  void expectsNoOtherWord() {
    String refusal = refusal("now");
    assertEquals(List.of(), put);
  }
}
