package org.rackweave.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.rackweave.docs.MetricsReference;
import org.rackweave.hdfs.ConfigKeys;
import org.rackweave.hdfs.RackweaveConfig;
import org.rackweave.hdfs.RolesConfig;
import org.rackweave.hdfs.dayu.NameNodeRecovery;
import org.rackweave.hdfs.dayu.ReconstructionQueue;
import org.rackweave.hdfs.dayu.StockReason;
import org.rackweave.hdfs.durability.Survey;
import org.rackweave.hdfs.eafr.EafrService;
import org.rackweave.hdfs.hook.HookMetrics;
import org.rackweave.hdfs.roles.SleepingHosts;
import org.rackweave.hdfs.roles.WakeHold;
import org.rackweave.placement.FallbackReason;

/** The files for Prometheus and Grafana ask for nothing that a NameNode does not export. */
class PrometheusFilesTest {
  private static final Path RULES = Path.of("conf/prometheus/rackweave-alerts.yml");
  private static final Path SCRAPING = Path.of("conf/prometheus/prometheus.yml");
  private static final Path DASHBOARD = Path.of("conf/grafana/rackweave.json");
  private static final Path MANUAL = Path.of("docs/runbook.md");

  /** Metrics of Prometheus and of HDFS itself. */
  private static final Set<String> OTHERS = Set.of("up", "fs_namesystem_total_load");

  /** Labels of scraped targets. */
  private static final Set<String> TARGET = Set.of("__name__", "job", "nameservice", "instance");

  private static final Set<String> OPERATORS = Set.of("and", "or", "unless", "bool", "offset");
  private static final Set<String> CORE_PANELS =
      Set.of("row", "timeseries", "stat", "state-timeline");

  /** What a query consists of, as far as names go. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"(?<string>[^\"]*)\"|\\[[^]]*]"
              + "|\\b(?:\\w+\\s+)?(?:by|without|on|ignoring|group_left|group_right)\\s*"
              + "\\((?<labels>[^)]*)\\)"
              + "|(?<label>\\w+)\\s*(?:=~|!~|!=|=)\\s*(?=\")"
              + "|\\w+\\s*\\("
              + "|(?<name>[A-Za-z_:][\\w:]*)"
              + "|[0-9.]+[a-z]*|.",
          Pattern.DOTALL);

  private static final Pattern NEW_LABEL = Pattern.compile("\"(\\w+)\",\\s*\"\\$1\"");
  private static final Pattern CHOICE = Pattern.compile("(.*)\\(([^)|]+(?:\\|[^)|]+)*)\\)");
  private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)\\{(.*)} (\\S+)$");

  private static final Map<String, Double> EXPORTED = new TreeMap<>();

  /** Names of metrics by their source, as JMX has them. */
  private static final Map<String, Set<String>> SOURCES = new TreeMap<>();

  private static final Set<String> LABELS = new HashSet<>(TARGET);

  @BeforeAll
  static void export() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(ConfigKeys.MODE, "shadow placement=active heat=off");
    conf.set(ConfigKeys.EAFR_ROLES, "drawn");
    conf.set(DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY, PolicyAdvice.RACKWEAVE);
    conf.set(DFSConfigKeys.DFS_NAMENODE_HOSTS_PROVIDER_CLASSNAME_KEY, RolesConfig.HOSTS_PROVIDER);
    RackweaveConfig config = RackweaveConfig.from(conf);
    PlacementContext context = new PlacementContext(config, new NetworkTopology(), () -> 30_000, 0);
    NameNode nameNode = mock(NameNode.class, RETURNS_DEEP_STUBS);
    when(nameNode.getNamesystem().getBlockManager().getDatanodeManager().getHostConfigManager())
        .thenReturn(mock(SleepingHosts.class));
    EafrService eafr =
        new EafrService(
            nameNode,
            mock(EafrService.NameNodeAccess.class, RETURNS_DEEP_STUBS),
            config::eafr,
            new WakeHold(() -> 0),
            mock(EafrService.Environment.class));
    HookMetrics.publish();
    try (NameNodeRecovery recovery =
        new NameNodeRecovery(
            nameNode,
            mock(ReconstructionQueue.class),
            conf,
            config::dayu,
            mock(Survey.class),
            new NameNodeRecovery.Environment(context.recovery(), () -> null, context.events()))) {
      Matcher sample =
          SAMPLE.matcher(
              asPrometheusSees(
                  context.metrics(),
                  recovery.metrics(),
                  eafr.metrics(),
                  DefaultMetricsSystem.instance().getSource(HookMetrics.NAME)));
      while (sample.find()) {
        EXPORTED.put(sample.group(1), Double.valueOf(sample.group(3)));
        Stream.of(sample.group(2).split(",")).map(tag -> tag.split("=")[0]).forEach(LABELS::add);
      }
    }
  }

  private static String asPrometheusSees(MetricsSource... sources) throws IOException {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    for (MetricsSource source : sources) {
      source.getMetrics(collector, true);
    }
    collector.getRecords().forEach(PrometheusFilesTest::note);
    PrometheusMetricsSink sink = new PrometheusMetricsSink();
    collector.getRecords().forEach(sink::putMetrics);
    sink.flush();
    StringWriter text = new StringWriter();
    sink.writeMetrics(text);
    return text.toString();
  }

  private static void note(MetricsRecord record) {
    Set<String> names = SOURCES.computeIfAbsent(record.name(), name -> new TreeSet<>());
    for (AbstractMetric metric : record.metrics()) {
      names.add(metric.name());
    }
  }

  @Test
  void referenceListsEveryMetric() throws IOException {
    for (Map.Entry<String, Set<String>> source : SOURCES.entrySet()) {
      MetricsReference.check(source.getKey(), source.getValue());
    }
    assertEquals(4, SOURCES.size(), SOURCES.keySet().toString());
  }

  /** The names of metrics and labels in a query that nobody exports. */
  private static Set<String> unknown(String query, Set<String> recorded) {
    Set<String> labels = new HashSet<>(LABELS);
    NEW_LABEL.matcher(query).results().map(made -> made.group(1)).forEach(labels::add);
    Set<String> unknown = new TreeSet<>();
    boolean isPatternNext = false;
    Matcher token = TOKEN.matcher(query);
    while (token.find()) {
      String name = token.group("name");
      if (name != null
          && !OPERATORS.contains(name)
          && !EXPORTED.containsKey(name)
          && !OTHERS.contains(name)
          && !recorded.contains(name)) {
        unknown.add(name);
      }
      String text = token.group("string");
      if (text != null && isPatternNext) {
        choices(text).filter(one -> !isExported(one)).forEach(unknown::add);
      }
      String label = text != null ? text : token.group("label");
      isPatternNext = label == null ? isPatternNext : label.equals("__name__");
      Stream.of(token.group("label"), token.group("labels"))
          .filter(Objects::nonNull)
          .flatMap(found -> Stream.of(found.trim().split("\\s*,\\s*")))
          .filter(one -> !labels.contains(one))
          .forEach(unknown::add);
    }
    return unknown;
  }

  private static boolean isExported(String pattern) {
    return EXPORTED.keySet().stream().anyMatch(name -> name.matches(pattern));
  }

  /** The patterns that one with a choice at its end stands for. */
  private static Stream<String> choices(String pattern) {
    Matcher choice = CHOICE.matcher(pattern);
    return choice.matches()
        ? Stream.of(choice.group(2).split("\\|")).map(one -> choice.group(1) + one)
        : Stream.of(pattern);
  }

  private static List<JsonNode> rules() throws IOException {
    List<JsonNode> rules = new ArrayList<>();
    new ObjectMapper(new YAMLFactory())
        .readTree(RULES.toFile())
        .path("groups")
        .forEach(group -> group.path("rules").forEach(rules::add));
    return rules;
  }

  private static List<JsonNode> alerts() throws IOException {
    return rules().stream().filter(rule -> rule.has("alert")).toList();
  }

  @Test
  void modesAreNumbers() {
    Map<String, Double> modes = new HashMap<>();
    EXPORTED.forEach(
        (name, value) -> {
          if (name.startsWith("rackweave_mode_")) {
            modes.put(name.substring("rackweave_mode_".length()), value);
          }
        });
    assertEquals(
        Map.of(
            "placement",
            2.0,
            "stripes",
            1.0,
            "heat",
            0.0,
            "sleep",
            1.0,
            "recovery",
            1.0,
            "read_order",
            1.0),
        modes);
    assertEquals(0.5, EXPORTED.get("rackweave_coverage_min"));
  }

  @Test
  void alertsAskForWhatIsExported() throws IOException {
    Set<String> recorded =
        rules().stream().map(rule -> rule.path("record").asText()).collect(Collectors.toSet());
    for (JsonNode rule : rules()) {
      assertEquals(Set.of(), unknown(rule.path("expr").asText(), recorded), rule.toString());
    }
    assertTrue(alerts().size() > 15, "all were found");
  }

  @Test
  void dashboardAsksForWhatIsExported() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    int queries = 0;
    for (JsonNode panel : dashboard.path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        String query = target.path("expr").asText();
        assertEquals(Set.of(), unknown(query, Set.of()), panel.path("title") + ": " + query);
        queries++;
      }
    }
    assertTrue(queries > 50, "all were found");
    for (JsonNode variable : dashboard.path("templating").path("list")) {
      if (variable.path("type").asText().equals("query")) {
        String asked = variable.path("definition").asText();
        String values = asked.replaceFirst("label_values\\((.*), (\\w+)\\)", "max by ($2) ($1)");
        assertEquals(Set.of(), unknown(values, Set.of()), asked);
      }
    }
  }

  @Test
  void misspeltNamesAreFound() {
    for (String query :
        List.of(
            "sum(rate(rackweave_decission[5m])) > 1",
            "rackweave_coverage{stat=\"idle\"}",
            "max by (instanc) (rackweave_coverage)",
            "{__name__=~\"rackweave_falback_.+\"}",
            "{__name__=~\"rakweave_fallback_.+\"}",
            "label_replace(rackweave_decisions, \"x\", \"$1\", \"__name__\", \"rackweave_n(.+)\")",
            "{__name__=~\"rackweave_recovery_stock_(error|hang)\"}",
            "rackweave_coverage and rakweave_coverage")) {
      assertEquals(1, unknown(query, Set.of()).size(), query);
    }
  }

  @Test
  void alertOnPlacementLeavesOutWhatIsExpected() throws IOException {
    Set<String> expected =
        Stream.of(FallbackReason.values())
            .filter(reason -> !reason.isUnexpected())
            .map(reason -> reason.label().replace('-', '_'))
            .collect(Collectors.toSet());
    assertEquals(expected, choicesIn("rackweave_fallback_\\(([a-z_|]+)\\)"));
  }

  @Test
  void alertOnRecoveryNamesReasonsThereAre() throws IOException {
    Set<String> reasons =
        Stream.of(StockReason.values()).map(StockReason::label).collect(Collectors.toSet());
    Set<String> named = choicesIn("stock: \\(([a-z|-]+)\\)");
    assertTrue(reasons.containsAll(named) && !named.isEmpty(), named.toString());
  }

  private static Set<String> choicesIn(String pattern) throws IOException {
    return Pattern.compile(pattern)
        .matcher(Files.readString(RULES))
        .results()
        .flatMap(found -> Stream.of(found.group(1).split("\\|")))
        .collect(Collectors.toSet());
  }

  @Test
  void alertsSayWhatHealthSaysAndWhatToDo() throws IOException {
    String manual = Files.readString(MANUAL);
    Map<String, String> severities = new HashMap<>();
    Pattern.compile("(?m)^\\| (`[A-Z_`, ]+`) \\| (ERR|WARN) \\|")
        .matcher(manual)
        .results()
        .forEach(
            row ->
                Stream.of(row.group(1).split("[`, ]+"))
                    .forEach(code -> severities.put(code, row.group(2))));
    Set<String> sections =
        Pattern.compile("(?m)^#+ (.*)$")
            .matcher(manual)
            .results()
            .map(title -> title.group(1).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", ""))
            .map(title -> MANUAL + "#" + title.replace(' ', '-'))
            .collect(Collectors.toSet());
    for (JsonNode alert : alerts()) {
      String name = alert.path("alert").asText();
      String severity = alert.path("labels").path("severity").asText();
      String health = severities.get(alert.path("labels").path("code").asText());
      assertTrue(Set.of("critical", "warning").contains(severity), name);
      assertTrue("WARN".equals(health) || severity.equals("critical"), name + ": " + health);
      assertTrue(health != null, name + " has a code that health does not know");
      assertTrue(alert.path("for").asText().matches("\\d+[mh]"), name);
      assertFalse(alert.path("annotations").path("summary").asText().isBlank(), name);
      assertFalse(alert.path("annotations").path("what_to_do").asText().isBlank(), name);
      assertTrue(
          sections.contains(alert.path("annotations").path("runbook").asText()),
          name + ": " + alert.path("annotations").path("runbook") + " of " + sections);
    }
  }

  @Test
  void alertsKnowNameNodesByTheJobOfTheExample() throws IOException {
    JsonNode scraping = new ObjectMapper(new YAMLFactory()).readTree(SCRAPING.toFile());
    assertEquals(RULES.getFileName().toString(), scraping.path("rule_files").path(0).asText());
    JsonNode job = scraping.path("scrape_configs").path(0);
    assertEquals("/prom", job.path("metrics_path").asText());
    assertTrue(job.path("static_configs").path(0).path("labels").has("nameservice"));
    Set<String> jobs =
        Pattern.compile("job=\"([^\"]+)\"")
            .matcher(Files.readString(RULES))
            .results()
            .map(one -> one.group(1))
            .collect(Collectors.toSet());
    assertEquals(Set.of(job.path("job_name").asText()), jobs);
  }

  /** A data source of the operator's choice, and nothing but what Grafana brings. */
  @Test
  void dashboardNeedsNoPlugin() throws IOException {
    JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    assertTrue(dashboard.path("schemaVersion").asInt() >= 36);
    Set<Integer> ids = new HashSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      assertTrue(CORE_PANELS.contains(panel.path("type").asText()), panel.path("type").asText());
      assertTrue(ids.add(panel.path("id").asInt()), panel.path("title").asText());
    }
    for (JsonNode source : dashboard.findValues("datasource")) {
      assertEquals("prometheus", source.path("type").asText());
      assertEquals("${datasource}", source.path("uid").asText());
    }
    assertEquals("datasource", dashboard.at("/templating/list/0/name").asText());
    assertEquals("datasource", dashboard.at("/templating/list/0/type").asText());
  }
}
