package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.experiment.Contender;

class ReadsExperimentTest {

  private static Results.Run<ReadsRun> run(Contender method, double p99, double replicas) {
    double[] seconds = new double[101];
    Arrays.setAll(seconds, i -> i < 50 ? 0.5 : i < 99 ? 1 : p99);
    List<ReadsRun.Look> looks =
        List.of(
            new ReadsRun.Look(0, 3, 90 << 20),
            new ReadsRun.Look(40, replicas - 1, 90 << 20),
            new ReadsRun.Look(45, replicas + 1, 110 << 20));
    return ResultFixture.run(method, new ReadsRun(seconds, 0.1, 0.3, 0.2, looks, 5, 40, 7, 2));
  }

  @SafeVarargs
  private static Report<ReadsRun> found(Results.Run<ReadsRun>... runs) {
    List<Contender> methods = Arrays.stream(runs).map(Results.Run::contender).toList();
    return new Report<>(
        new ReadsExperiment(CompareOptionsTest.parse("reads", "--quick", "--settings", "tuned")),
        new Results<>(
            Map.of("testbed", "6 racks x 2", "load", "much", "measured", "long"),
            new Trials(0.1, 0),
            methods,
            ReadsExperiment.STOCK,
            List.of(runs),
            List.of()));
  }

  @Test
  void programsFindTheReadTimesOfBoth() {
    ObjectNode json =
        found(run(ReadsExperiment.STOCK, 4, 3), run(ReadsExperiment.EAFR, 2, 3.5)).json();
    for (String method : List.of("stock", "eafr")) {
      assertEquals(1, json.at("/" + method + "/read_p50_s").asDouble(), 1e-9);
      assertEquals(101, json.at("/" + method + "/reads").asInt());
    }
    assertEquals(4, json.at("/stock/read_p99_s").asDouble(), 1e-9);
    assertEquals(2, json.at("/eafr/read_p99_s").asDouble(), 1e-9);
    assertEquals(3.5, json.at("/eafr/replicas_per_file").asDouble(), 1e-9, "of what is measured");
    assertEquals(100, json.at("/eafr/stored_mib").asDouble(), 1e-9);
    assertEquals(2, json.at("/eafr_wanted/read_p99_speed_up").asDouble(), 1e-9);
    assertTrue(json.at("/eafr_wanted/reached").asBoolean());
    assertEquals(8, json.at("/stock/warm_up_intervals").asInt());
    assertEquals(40, json.at("/eafr/warm_up_s").asInt());
  }

  @Test
  void saysWhatIsNotReached() {
    Report<ReadsRun> found =
        found(run(ReadsExperiment.STOCK, 4, 3), run(ReadsExperiment.EAFR, 3.2, 3.5));
    assertFalse(found.json().at("/eafr_wanted/reached").asBoolean());
    assertEquals("no", found.beside(ReadsExperiment.EAFR).rows().get(0).get(3));
    assertTrue(found.text().contains("1.3 or more"), found.text());
    assertTrue(found.html().contains("Replicas of a file"));
  }

  @Test
  void oneAloneHasNothingToBeComparedWith() {
    Report<ReadsRun> found = found(run(ReadsExperiment.EAFR, 4, 3));
    assertTrue(found.json().at("/eafr_wanted").isMissingNode());
    assertTrue(found.results().compared().isEmpty());
  }

  @Test
  void tunedEafrIsJudgedBesideWhatShips() {
    Report<ReadsRun> found =
        found(
            run(ReadsExperiment.STOCK, 4, 3),
            run(ReadsExperiment.EAFR, 3.2, 3.5),
            run(ReadsExperiment.EAFR.retuned(Tuning.TUNED), 2, 3.5));
    assertFalse(found.json().at("/eafr_wanted/reached").asBoolean());
    assertTrue(found.json().at("/eafr-tuned_wanted/reached").asBoolean());
    assertEquals(
        2, found.json().at("/beside_stock/eafr-tuned/read_p99_speed_up/mean").asDouble(), 1e-9);
    assertTrue(found.text().contains("eafr-tuned beside stock"), found.text());
  }
}
