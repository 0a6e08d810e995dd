package org.rackweave.cli.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.cli.ToolCommand;
import org.rackweave.cli.UsageException;
import picocli.CommandLine.ParameterException;

class EarOptionsTest {
  private static EarCommand.Encode parse(String... args) {
    EarCommand.Encode command = new EarCommand.Encode(System.out, System.err);
    ToolCommand.parser(command).parseArgs(args);
    return command;
  }

  @Test
  void hasDefaults() {
    EarCommand.Encode command = parse();
    assertEquals("/", command.path);
    assertNull(command.bandwidth);
    assertFalse(command.dryRun);
    assertEquals(List.of("encode", "path=/"), command.question());
  }

  @ParameterizedTest
  @CsvSource({"/, /", "/a, /a", "/a/, /a", "/a/b//, /a/b"})
  void takesAbsolutePaths(String text, String path) {
    assertEquals(path, parse("--path", text).path);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "50m, 52428800", "7k, 7168", "2g, 2147483648", "999999999999, 999999999999"})
  void understandsUnitsOfSpeed(String text, long bytesPerSec) {
    EarCommand.Encode command = parse("--bandwidth", text);
    assertEquals(bytesPerSec, command.bandwidth);
    assertEquals(List.of("encode", "path=/", "bandwidth=" + bytesPerSec), command.question());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "fast", "1.5m", "1t", "1000000000000", "1000g"})
  void refusesOtherSpeedsAndSaysWhatIsAllowed(String text) {
    String said =
        assertThrows(ParameterException.class, () -> parse("--bandwidth", text)).getMessage();
    assertTrue(said.contains("'--bandwidth': '" + text + "', allowed are 1 to 999999"), said);
  }

  @Test
  void knowsWhoEncodes() {
    assertEquals(EarCommand.Encode.Engine.EMBEDDED, parse().engine);
    EarCommand.Encode yarn = parse("--engine", "yarn", "--jobs-per-rack", "16");
    assertEquals(EarCommand.Encode.Engine.YARN, yarn.engine);
    assertEquals(16, yarn.jobsPerRack);
    assertEquals(2, parse().jobsPerRack);
  }

  @ParameterizedTest
  @CsvSource({
    "--engine, spark, 'expected one of [EMBEDDED, YARN]'",
    "--jobs-per-rack, 0, from 1 to 16",
    "--jobs-per-rack, 17, from 1 to 16",
    "--jobs-per-rack, many, from 1 to 16"
  })
  void namesAnOptionItsValueAndWhatItAllows(String option, String value, String allowed) {
    String said = assertThrows(ParameterException.class, () -> parse(option, value)).getMessage();
    assertTrue(said.contains("'" + option + "'"), said);
    assertTrue(said.contains("'" + value + "'") && said.contains(allowed), said);
  }

  @Test
  void refusesWhatTheCommandDoesNotHave() {
    assertThrows(ParameterException.class, () -> parse("--path", "a"));
    assertThrows(ParameterException.class, () -> parse("--path"));
    assertThrows(ParameterException.class, () -> parse("--audit"));
  }

  private static List<String> stripes(String... args) {
    EarCommand.Stripes command = new EarCommand.Stripes(System.out, System.err);
    ToolCommand.parser(command).parseArgs(args);
    return command.question();
  }

  @Test
  void fixingGoesWithAnAudit() {
    assertThrows(UsageException.class, () -> stripes("--fix"));
    assertEquals(List.of("audit", "fix=true"), stripes("--fix", "--audit"));
    assertEquals(List.of("audit", "fix=false"), stripes("--audit"));
    assertEquals(List.of("stripes"), stripes());
  }

  @Test
  void stripesAreNotFineWithOneThatCannotBeDecoded() throws IOException {
    EarCommand stripes = EarCommand.stripes(System.out, System.err);
    assertTrue(stripes.isFine(json("{'figures':{'stripes_with_block_missing':1}}")));
    assertTrue(stripes.isFine(json("{'figures':{'stripes_missing_blocks_lost':0}}")));
    assertFalse(stripes.isFine(json("{'figures':{'stripes_with_undecodable':1}}")));
    assertFalse(stripes.isFine(json("{'figures':{'stripes_missing_blocks_lost':1}}")));
  }

  /** A view of JSON with single quotes. */
  static JobView json(String text) throws IOException {
    return JobView.of(new ObjectMapper().readTree(text.replace('\'', '"')));
  }

  @Test
  void readsWhatTheNameNodeSays() throws Exception {
    JobView view =
        json(
            "{'job': 3, 'name': 'encode', 'state': 'running', 'phase': 'encoding', 'reason': '',"
                + " 'done': 5, 'total': 9, 'figures': {'files': 2}, 'lines': ['a=b', 'c']}");
    assertEquals("encoding", view.phase());
    assertEquals(5, view.done());
    assertEquals(9, view.total());
    assertEquals(Map.of("files", 2L), view.figures());
    assertEquals(List.of("a=b", "c"), view.lines());
    assertFalse(view.isOver());
    assertTrue(json("{'state': 'done'}").isDone());
    assertTrue(json("{'state': 'failed'}").isOver());
  }
}
