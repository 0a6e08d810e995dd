package org.rackweave.cli.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

  @ParameterizedTest
  @CsvSource({
    "'', Missing required option: '--node=X'",
    "--node, Missing required parameter for option '--node' (X)",
    "--node a --fast, Unknown option: '--fast'",
    "--node a extra, 'extra'",
  })
  void optionsAreCheckedBeforeAnybodyIsAsked(String line, String said) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(err, true, StandardCharsets.UTF_8);
    String[] args = line.isEmpty() ? new String[0] : line.split(" ");
    assertEquals(2, RecoveryCommand.whatIf(to, to).run(args));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains(said), err::toString);
    assertEquals(2, RecoveryCommand.recovery(to, to).run(new String[] {"--node", "a"}));
  }
}
