package org.rackweave.cli.testbed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.testbed.TestbedStatus.Daemon;
import org.rackweave.cli.testbed.TestbedStatus.Rate;
import org.rackweave.cli.testbed.TestbedStatus.Report;
import org.rackweave.cli.testbed.TestbedStatus.Uplink;

class StatusTextTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private final TestbedPlan plan = PlanFixture.plan(1, 2, 0);

  private TestbedStatus status(long secondPid, Report second) {
    Layout layout = plan.layout();
    Report report = new Report(1, 5 << 20, 2L << 30, 3);
    List<Daemon> daemons = new ArrayList<>();
    daemons.add(new Daemon(layout.nameNode(), 40, 200 << 20, null, null));
    daemons.add(
        new Daemon(layout.host("r1h1"), 41, 100 << 20, report, new Rate(12_500_000, 250_000)));
    daemons.add(new Daemon(layout.host("r1h2"), secondPid, 0, second, new Rate(0, 0)));
    return new TestbedStatus(
        new SavedState(plan.spec(), plan.addresses(), "3.5.0", 7),
        TestbedPolicy.SINBAD,
        Set.of("bbr"),
        daemons,
        List.of(new Uplink(1, new Rate(6_250_000, 0))),
        2);
  }

  @Test
  void theTableShowsProcessesHeartbeatsRoomAndLinks() {
    String table = StatusText.table(status(0, null));
    List<String> lines = table.lines().map(line -> line.strip().replaceAll(" +", " ")).toList();
    assertTrue(lines.get(1).contains("policy sinbad, congestion control bbr, 300 MiB"), table);
    assertTrue(lines.contains("r1h1 /rack-1 41 100 1 s ago 5/2048 3 100.0 2.0"), table);
    assertTrue(lines.contains("r1h2 /rack-1 ended - - - - 0.0 0.0"), table);
    assertTrue(lines.contains("rack-1 50.0 ( 50 %) 0.0 ( 0 %)"), table);
    assertTrue(table.contains("2 other processes"), table);
  }

  @Test
  void programsGetTheSameInBytes() throws IOException {
    JsonNode json = MAPPER.readTree(StatusText.json(status(0, null)));
    JsonNode first = json.path("daemons").path("r1h1");
    assertEquals(12_500_000, first.path("rx_bytes_per_s").asLong());
    assertEquals(2L << 30, first.path("capacity_bytes").asLong());
    assertEquals("lab-r1h1", first.path("namespace").asText());
    assertTrue(json.path("daemons").path("r1h2").path("pid").isNull());
    assertEquals(6_250_000, json.path("uplinks").path("rack-1").path("rx_bytes_per_s").asLong());
    assertFalse(json.path("whole").asBoolean());
  }

  @Test
  void aTestbedIsWholeWhenEverythingRunsAndReports() {
    Report report = new Report(0, 0, 1, 0);
    assertTrue(status(42, report).isWhole());
    assertFalse(status(42, null).isWhole());
    assertFalse(status(0, report).isWhole());
  }

  @Test
  void readsWhatTheNameNodeSaysOfItsDataNodes() throws IOException {
    JsonNode liveNodes =
        MAPPER.readTree(
            """
            {"r1h2:9866": {"infoAddr": "198.18.1.2:9864", "lastContact": 2, "usedSpace": 4096,
              "adminState": "In Service", "capacity": 2147483648, "numBlocks": 9}}
            """);
    assertEquals(new Report(2, 4096, 2L << 30, 9), TestbedStatus.reports(liveNodes).get("r1h2"));
  }

  @Test
  void sharedPagesCountInParts() {
    List<String> rollup =
        List.of("00400000-7ffd rollup", "Rss:  150828 kB", "Pss:  129095 kB", "SwapPss: 5 kB");
    assertEquals(129_095L << 10, NamespaceProcesses.proportionalBytes(rollup));
  }
}
