package org.rackweave.cli.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.chart.Page;

/** What is made of both sides of a comparison of all features. */
class SidesResultTest {
  private static SideOutcome outcome(double blockSeconds, double readSeconds, long crossRackBytes) {
    RecoveryWatch watch = new RecoveryWatch();
    watch.look(30, true, 8);
    watch.look(42, true, 0);
    return new SideOutcome(
        new SideOutcome.Writes(
            List.of(
                new BlockWrite(0, blockSeconds, false, false),
                new BlockWrite(1, blockSeconds, false, true)),
            List.of(new LinkWindow(0, 1_000, new double[] {5, 7}, Set.of(1)))),
        new SideOutcome.Reads(
            new double[] {readSeconds, readSeconds}, new double[] {Double.NaN, readSeconds}, 0),
        4,
        new SideOutcome.Encoded(100 << 20, 9, crossRackBytes),
        new SideOutcome.Recovery(watch, new double[] {1}, 0),
        new SideOutcome.Kept(300 << 20, 200 << 20, 0),
        2);
  }

  private static SidesResult both() {
    Map<Contender, List<SideOutcome>> outcomes = new LinkedHashMap<>();
    outcomes.put(Side.STOCK, List.of(outcome(4, 2, 300L << 20), outcome(6, 2, 300L << 20)));
    outcomes.put(Side.RACKWEAVE, List.of(outcome(2, 1, 50L << 20), outcome(2, 1, 50L << 20)));
    return new SidesResult(new ContenderRuns<>(outcomes));
  }

  @Test
  void programsFindBothSidesUnderTheirNames() {
    ObjectNode root = FiguresJson.root();
    both().putTo(root);
    assertEquals(5, root.at("/stock/block_write_mean_s").asDouble(), 1e-9);
    assertEquals(1, root.at("/rackweave/read_p99_s").asDouble(), 1e-9);
    assertEquals(12, root.at("/stock/rebuild_s").asDouble(), 1e-9);
    assertEquals(1.5, root.at("/stock/stored_bytes_per_byte").asDouble(), 1e-9);
    assertEquals(0.5, root.at("/rackweave/cross_rack_bytes_per_encoded_byte").asDouble(), 1e-9);
    assertEquals("209715200", root.at("/stock/bytes_verified").toString(), "whole numbers");
    assertEquals(0, root.at("/stock/bytes_lost").asLong());
    assertEquals(2, root.at("/rackweave/fallbacks").asLong());
  }

  @Test
  void theTableShowsTheRatioWhereLessIsBetter() {
    String table = both().table().text();
    List<String> lines = table.lines().map(line -> line.replaceAll(" +", " ")).toList();
    assertTrue(
        lines.contains(
            "writes under moving load: a block, mean 5.000 s ± 1.414 2.000 s ± 0.000 2.50 (2.00 to"
                + " 3.00)"),
        table);
    assertTrue(
        lines.stream().anyMatch(line -> line.startsWith("read back as it was written 200 MiB")),
        table);
  }

  @Test
  void oneSideAloneIsShownWithoutARatio() {
    SidesResult stock =
        new SidesResult(new ContenderRuns<>(Map.of(Side.STOCK, List.of(outcome(4, 2, 0)))));
    assertEquals(List.of("", "stock"), stock.table().head());
    assertEquals("All features at once", stock.headline());
    Page page = new Page(stock.headline());
    stock.addTo(page, new LinkLoadChart(2, 1, 10));
    assertFalse(page.html().contains("NaN"));
  }
}
