package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.Progress;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.testbed.TestbedPolicy;

/** Who runs when, on which testbed, with which settings. */
class ComparedRunsTest {
  private static final List<String> START = List.of("starting the testbed", "warming up");

  private static CompareOptions options(String line) {
    return CompareOptionsTest.parse(line.split(" "));
  }

  private static List<String> names(Procedure procedure) {
    return procedure.steps().stream().map(Progress.Step::name).toList();
  }

  private static ComparedRuns<TestbedPolicy> writes(String line) throws IOException {
    CompareOptions options = options(line);
    return new ComparedRuns<>(
        options,
        CompareOptions.POLICIES,
        TestbedPolicy.STOCK,
        policy -> policy,
        (policy, tuning) ->
            SettingsOf.of(TestbedPolicy.SINBAD, Map.of(), tuning, Map.of(), options));
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
        names(new WritesProcedure(options("writes --seeds 2"))));
  }

  @Test
  void otherSettingsAreARowBesideOnATestbedOfTheirOwn() throws IOException {
    String line = "writes --seeds 2 --settings shipped,tuned";
    assertEquals(
        List.of("stock", "sinbad", "sinbad-tuned"),
        writes(line).entries().stream().map(entry -> entry.contender().label()).toList());
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
        names(new WritesProcedure(options(line))));
    Map<String, String> others = writes(line).otherSettings();
    assertEquals("100ms", others.get("sinbad-tuned: rackweave.snapshot.interval"));
    assertEquals("1", others.get("sinbad-tuned: dfs.heartbeat.interval"));
    assertTrue(others.keySet().stream().allMatch(key -> key.startsWith("sinbad-tuned: ")));
  }

  @Test
  void tunedAloneKeepsThePoliciesNames() throws IOException {
    assertEquals(
        List.of("stock", "sinbad"),
        writes("writes --settings tuned").entries().stream()
            .map(entry -> entry.contender().label())
            .toList());
    assertEquals(Map.of(), writes("writes --settings tuned").otherSettings());
  }

  @Test
  void everyTimeOfTheLoadHasItsRuns() throws IOException {
    assertEquals(
        List.of(
            START.get(0),
            START.get(1),
            "seed 1, stock, load moves every 5 s",
            "seed 1, sinbad, load moves every 5 s",
            "seed 1, stock, load moves every 60 s",
            "seed 1, sinbad, load moves every 60 s"),
        names(new WritesProcedure(options("writes --seeds 1 --move 5,60"))));
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
        names(new RecoveryProcedure(options("recovery --seeds 1 --policies stock,sinbad,dayu"))));
    assertEquals(
        4,
        names(new RecoveryProcedure(options("recovery --seeds 1 --policies stock,sinbad"))).size());
  }

  @Test
  void onlyPoliciesOfOursHaveOtherSettings() throws IOException {
    List<String> names =
        names(new EncodeProcedure(options("encode --seeds 1 --settings shipped,tuned")));
    assertEquals(
        List.of("seed 1, rr", "seed 1, cp", "seed 1, ear", "seed 1, ear-tuned"),
        names.stream().filter(name -> name.startsWith("seed")).toList());
  }

  @Test
  void theUsersPropertiesGoBeforeWhateverSettings() throws IOException {
    CompareOptions options = options("writes -D rackweave.snapshot.interval=1s -D a=b");
    for (Tuning tuning : Tuning.values()) {
      Map<String, String> all =
          SettingsOf.of(TestbedPolicy.SINBAD, Map.of(), tuning, Map.of("tuned", "1"), options);
      assertEquals("1s", all.get("rackweave.snapshot.interval"));
      assertEquals("b", all.get("a"));
      assertEquals(tuning == Tuning.TUNED ? "1" : null, all.get("tuned"));
    }
    assertFalse(
        SettingsOf.of(TestbedPolicy.SINBAD, Map.of(), Tuning.SHIPPED, Map.of(), options("writes"))
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
