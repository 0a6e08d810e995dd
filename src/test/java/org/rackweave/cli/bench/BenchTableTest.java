package org.rackweave.cli.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.rackweave.cli.bench.BenchTable.column;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchTableTest {
  private record Result(String name, int links, double sec) {}

  private static final BenchTable<Result> TABLE =
      new BenchTable<>(
          List.of(
              column("name", "%-6s", "name", "\"%s\"", Result::name),
              column("links", "%4d:1", "links", "%d", Result::links),
              column("takes", "%6.2f s", "sec", "%.1f", Result::sec)));

  @Test
  void namesStandOverValuesAndWhatFollowsThem() {
    assertEquals("name    links    takes", TABLE.header());
    assertEquals("ours      4:1   1.50 s", TABLE.line(new Result("ours", 4, 1.5)));
  }

  @Test
  void programsGetAnObjectForEachResult() {
    assertEquals(
        """
        [
          {"name": "ours", "links": 4, "sec": 1.5},
          {"name": "stock", "links": 1, "sec": 3.0}
        ]
        """,
        TABLE.json(List.of(new Result("ours", 4, 1.5), new Result("stock", 1, 3))));
  }
}
