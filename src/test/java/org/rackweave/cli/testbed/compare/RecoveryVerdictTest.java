package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.experiment.Contender;

class RecoveryVerdictTest {
  private static Results.Run<RecoveryRun> run(
      Contender method, double rebuildSeconds, double rise) {
    double[] before = {1, 1, 1};
    double[] during = {rise, rise, rise};
    RecoveryRun run =
        new RecoveryRun("r1h1", 10, 14, rebuildSeconds, 10, List.of(), before, during, 0);
    return ResultFixture.run(method, run);
  }

  @SafeVarargs
  private static Results<RecoveryRun> results(Results.Run<RecoveryRun>... runs) {
    return results(Map.of(), runs);
  }

  @SafeVarargs
  private static Results<RecoveryRun> results(
      Map<String, String> facts, Results.Run<RecoveryRun>... runs) {
    List<Contender> methods = Arrays.stream(runs).map(Results.Run::contender).toList();
    return new Results<>(
        facts, new Trials(0.1, 0), methods, RecoveryExperiment.STOCK, List.of(runs), List.of());
  }

  private static ObjectNode json(Results<RecoveryRun> results) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    RecoveryVerdict.put(root, results);
    return root;
  }

  @Test
  void dayuHasToBeFasterOnlyThanWhoDisturbsNoMore() {
    Results<RecoveryRun> results =
        results(
            run(RecoveryExperiment.STOCK, 24, 1.1),
            run(RecoveryExperiment.METHODS.get(2), 6, 4),
            run(RecoveryExperiment.DAYU, 12, 1.2));
    ObjectNode dayu = (ObjectNode) json(results).get("dayu_wanted");
    assertEquals(1.2, dayu.get("over_ideal").asDouble(), 1e-9);
    assertTrue(dayu.get("over_ideal_reached").asBoolean());
    assertEquals(2, dayu.at("/beside/stock/rebuild_speed_up").asDouble(), 1e-9);
    assertTrue(dayu.at("/beside/stock/faster_is_wanted").asBoolean());
    assertFalse(dayu.at("/beside/stock-high/faster_is_wanted").asBoolean());
    assertTrue(dayu.at("/beside/stock-high/reached").asBoolean());
    assertEquals(3, RecoveryVerdict.table(results).rows().size());
  }

  @Test
  void saysWhatIsNotReached() {
    Results<RecoveryRun> results =
        results(run(RecoveryExperiment.STOCK, 10, 1.1), run(RecoveryExperiment.DAYU, 14, 1.2));
    ObjectNode dayu = (ObjectNode) json(results).get("dayu_wanted");
    assertFalse(dayu.get("over_ideal_reached").asBoolean());
    assertFalse(dayu.at("/beside/stock/reached").asBoolean());
    assertEquals("no", RecoveryVerdict.table(results).rows().get(1).get(3));
  }

  @Test
  void dayuWithOtherSettingsIsJudgedByItself() {
    Results<RecoveryRun> results =
        results(
            run(RecoveryExperiment.STOCK, 24, 1.1),
            run(RecoveryExperiment.DAYU, 14, 1.2),
            run(RecoveryExperiment.DAYU.retuned(Tuning.TUNED), 12, 1.2));
    ObjectNode json = json(results);
    assertFalse(json.at("/dayu_wanted/over_ideal_reached").asBoolean());
    assertTrue(json.at("/dayu-tuned_wanted/over_ideal_reached").asBoolean());
    assertEquals(2, json.at("/dayu-tuned_wanted/beside/stock/rebuild_speed_up").asDouble(), 1e-9);
    assertEquals(1, json.at("/dayu_wanted/beside").size(), "only stock is one to be faster than");
    assertEquals(4, RecoveryVerdict.table(results).rows().size());
  }

  @Test
  void withoutDayuNothingIsWanted() {
    Results<RecoveryRun> results = results(run(RecoveryExperiment.STOCK, 10, 1.1));
    assertTrue(json(results).isEmpty());
    assertTrue(RecoveryVerdict.table(results).rows().isEmpty());
  }

  @Test
  void saysBesideItsFiguresWhatTheyMeanNothingWithout() {
    RecoverySettings settings = RecoverySettings.standard();
    Report<RecoveryRun> found =
        new Report<>(
            new RecoveryExperiment(CompareOptionsTest.parse("recovery")),
            results(
                settings.facts(1),
                run(RecoveryExperiment.STOCK, 24, 1.1),
                run(RecoveryExperiment.DAYU, 12, 1.2)));
    String foreground = "writes of 1 MiB, 0.3 a second on every other DataNode";
    assertTrue(found.text().contains("block size: 4 MiB, 150 blocks lost"), found.text());
    assertTrue(found.text().contains("heartbeat interval: 1 s"), found.text());
    assertTrue(found.text().contains("foreground: " + foreground), found.text());
    assertEquals("4 MiB, 150 blocks lost", found.json().at("/facts/block size").asText());
    assertEquals("1 s", found.json().at("/facts/heartbeat interval").asText());
    assertEquals(foreground, found.json().at("/facts/foreground").asText());
    assertTrue(found.html().contains("Heartbeats are sent every 1 s."));
  }
}
