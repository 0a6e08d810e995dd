package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.Progress;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.experiment.Contender;
import org.rackweave.cli.testbed.SiteFragment;
import org.rackweave.cli.testbed.TestbedPolicy;

/** Who runs when, on which testbed, with which settings. */
class ComparedRunsTest {
  private static final List<String> START = List.of("starting the testbed", "warming up");

  private static CompareOptions options(String line) {
    return CompareOptionsTest.parse(line.split(" "));
  }

  private static <M> List<String> names(
      String line, Function<CompareOptions, Experiment<M>> experiment) throws IOException {
    CompareOptions options = options(line);
    Clusters.Steps steps = new Clusters.Steps();
    new ComparedRuns<>(options, experiment.apply(options)).addTo(steps);
    return steps.all().stream().map(Progress.Step::name).toList();
  }

  private static List<String> names(String line) throws IOException {
    return names(line, options -> new WritesExperiment(options, 20));
  }

  private static ComparedRuns<WritesRun> writes(String line) throws IOException {
    CompareOptions options = options(line);
    return new ComparedRuns<>(options, new WritesExperiment(options, 20));
  }

  private static List<String> labels(ComparedRuns<?> runs) {
    return runs.contenders().stream().map(Contender::label).toList();
  }

  @Test
  void whatShipsTakesTurnsOnOneTestbed() throws IOException {
    assertEquals(
        List.of(
            START.get(0),
            START.get(1),
            "seed 1, stock",
            "seed 1, sinbad",
            "seed 2, sinbad",
            "seed 2, stock"),
        names("writes --seeds 2"));
  }

  @Test
  void otherSettingsAreARowBesideOnATestbedOfTheirOwn() throws IOException {
    String line = "writes --seeds 2 --settings shipped,tuned";
    assertEquals(List.of("stock", "sinbad", "sinbad-tuned"), labels(writes(line)));
    assertEquals(
        List.of(
            START.get(0),
            START.get(1),
            "seed 1, stock",
            "seed 1, sinbad",
            START.get(0),
            START.get(1),
            "seed 1, sinbad-tuned",
            "seed 2, sinbad-tuned",
            START.get(0),
            START.get(1),
            "seed 2, sinbad",
            "seed 2, stock"),
        names(line));
    Map<String, String> others = writes(line).otherSettings();
    assertEquals("100ms", others.get("sinbad-tuned: rackweave.snapshot.interval"));
    assertEquals("1", others.get("sinbad-tuned: dfs.heartbeat.interval"));
    assertTrue(others.keySet().stream().allMatch(key -> key.startsWith("sinbad-tuned: ")));
  }

  @Test
  void tunedAloneKeepsThePoliciesNames() throws IOException {
    assertEquals(List.of("stock", "sinbad"), labels(writes("writes --settings tuned")));
    assertEquals(Map.of(), writes("writes --settings tuned").otherSettings());
  }

  @Test
  void everyTimeOfTheLoadHasItsRuns() throws IOException {
    CompareOptions options = options("writes --seeds 1 --move 5,60");
    Clusters.Steps steps = new Clusters.Steps();
    for (int move : options.moves()) {
      new ComparedRuns<>(options, new WritesExperiment(options, move)).addTo(steps);
    }
    assertEquals(
        List.of(
            START.get(0),
            START.get(1),
            "seed 1, stock, load moves every 5 s",
            "seed 1, sinbad, load moves every 5 s",
            "seed 1, stock, load moves every 60 s",
            "seed 1, sinbad, load moves every 60 s"),
        steps.all().stream().map(Progress.Step::name).toList());
  }

  @Test
  void stockHasNothingOfRackweavesWhereAllFeaturesAreCompared() throws IOException {
    assertEquals(
        List.of(
            START.get(0),
            START.get(1),
            "seed 1, stock",
            START.get(0),
            START.get(1),
            "seed 1, rackweave"),
        names("all", AllExperiment::new));
    AllExperiment all = new AllExperiment(options("all"));
    assertEquals(Map.of(), all.settings(AllExperiment.STOCK, Tuning.SHIPPED));
    Map<String, String> shipped = SiteFragment.active(TestbedPolicy.RACKWEAVE);
    Map<String, String> rackweave = all.settings(AllExperiment.RACKWEAVE, Tuning.SHIPPED);
    shipped.forEach((key, value) -> assertEquals(value, rackweave.get(key)));
    Set<String> more = new TreeSet<>(rackweave.keySet());
    more.removeAll(shipped.keySet());
    assertEquals(Set.of("fs.hdfs.impl", "rackweave.eafr.reserve.bytes"), more);
    assertEquals(
        Set.of("dfs.heartbeat.interval", "dfs.namenode.heartbeat.recheck-interval"),
        all.settings(AllExperiment.STOCK, Tuning.TUNED).keySet());
  }

  @Test
  void recoveriesOfStockRunWhereDayuDoesAndSinbadsByWhatShipsForSinbad() throws IOException {
    assertEquals(
        List.of(
            START.get(0),
            START.get(1),
            "seed 1, stock",
            "seed 1, dayu",
            START.get(0),
            START.get(1),
            "seed 1, sinbad"),
        names("recovery --seeds 1 --policies stock,sinbad,dayu", RecoveryExperiment::new));
    assertEquals(
        4, names("recovery --seeds 1 --policies stock,sinbad", RecoveryExperiment::new).size());
  }

  @Test
  void onlyPoliciesOfOursHaveOtherSettings() throws IOException {
    List<String> names = names("encode --seeds 1 --settings shipped,tuned", EncodeExperiment::new);
    assertEquals(
        List.of("seed 1, rr", "seed 1, cp", "seed 1, ear", "seed 1, ear-tuned"),
        names.stream().filter(name -> name.startsWith("seed")).toList());
  }

  @Test
  void theUsersPropertiesGoBeforeWhateverSettings() throws IOException {
    CompareOptions options = options("writes -D rackweave.snapshot.interval=1s -D a=b");
    for (Tuning tuning : Tuning.values()) {
      Map<String, String> all =
          tuning.settings(TestbedPolicy.SINBAD, Map.of(), Map.of("tuned", "1"), options);
      assertEquals("1s", all.get("rackweave.snapshot.interval"));
      assertEquals("b", all.get("a"));
      assertEquals(tuning == Tuning.TUNED ? "1" : null, all.get("tuned"));
    }
    assertFalse(
        Tuning.SHIPPED
            .settings(TestbedPolicy.SINBAD, Map.of(), Map.of(), options("writes"))
            .containsKey("rackweave.snapshot.interval"));
  }

  @Test
  void aTestbedThatIsUpIsUsedOnlyWithTheSettingsWanted() {
    Clusters.checkSettings("rw", Map.of("a", "1"), Map.of("a", "1"));
    UsageException e =
        assertThrows(
            UsageException.class,
            () -> Clusters.checkSettings("rw", Map.of("a", "1", "b", "2"), Map.of("a", "1")));
    assertTrue(
        e.getMessage().contains("rw is up with other settings: b is 2, here it is to be not set"),
        e.getMessage());
  }
}
