package org.rackweave.cli.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rackweave.cli.UsageException;
import org.rackweave.hdfs.dayu.ReportLine;

class ReportTextTest {
  private static final List<ReportLine> LINES =
      List.of(
          ReportLine.of("recovery").with("state", "recovering").with("eta_sec", 12.3456),
          ReportLine.of("node").with("name", "10.0.0.1:9866").with("copies_out", 3),
          ReportLine.of("node").with("name", "10.0.0.2:9866").with("copies_out", 0));

  @Test
  void aLineIsReadAsItWasWritten() {
    ReportLine line =
        ReportLine.of("x")
            .with("text", "a b=c")
            .with("number", -12)
            .with("fraction", 0.5)
            .with("large", 1.25e12)
            .with("unknown", Double.NaN);
    ReportLine read = ReportLine.parse(line.text());
    assertEquals(line, read);
    assertEquals("unknown", read.values().get("unknown"));
  }

  @Test
  void aTextCannotBreakALine() {
    ReportLine line = ReportLine.of("x").with("text", "a\tb\nc");
    assertEquals("a b c", ReportLine.parse(line.text()).values().get("text"));
    assertThrows(IllegalArgumentException.class, () -> ReportLine.parse("x\tnothing"));
  }

  @Test
  void jsonHasListsWhereThereMayBeSeveral() throws Exception {
    JsonNode json = new ObjectMapper().readTree(ReportText.json(LINES));
    assertEquals(12.346, json.at("/recovery/eta_sec").asDouble());
    assertEquals(2, json.get("node").size());
    assertEquals(3, json.at("/node/0/copies_out").asInt());
    assertTrue(json.get("straggler").isArray() && json.get("straggler").isEmpty());
  }

  @Test
  void tablesNameWhatTheyTellOf() {
    String text = ReportText.tables(LINES);
    assertTrue(text.startsWith("recovery\n  state "), text);
    assertTrue(text.contains("\nnode\nname"), text);
    assertTrue(text.contains("10.0.0.2:9866"), text);
  }

  @Test
  void optionsAreCheckedBeforeAnybodyIsAsked() {
    assertEquals(
        new RecoveryOptions("dn1", true, false),
        RecoveryOptions.parse(new String[] {"--json", "--node", "dn1"}, true));
    assertEquals(
        new RecoveryOptions("", false, false), RecoveryOptions.parse(new String[0], false));
    for (String[] bad : new String[][] {{}, {"--node"}, {"--fast"}, {"--node", "a", "extra"}}) {
      assertThrows(UsageException.class, () -> RecoveryOptions.parse(bad, true));
    }
    assertThrows(
        UsageException.class, () -> RecoveryOptions.parse(new String[] {"--node", "a"}, false));
  }
}
