package org.rackweave.cli.testbed.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.cli.ToolCommand;
import picocli.CommandLine.ParameterException;

class CompareOptionsTest {

  @TempDir Path directory;

  /** The options of a command line, checked. */
  static CompareOptions parse(String... args) {
    CompareOptions options = new CompareOptions();
    ToolCommand.parser(options).parseArgs(args);
    options.check();
    return options;
  }

  @Test
  void comparesStockAndSinbadOnFiveSeedsUnlessToldOtherwise() {
    CompareOptions options = parse("writes");
    assertEquals(CompareOptions.Kind.WRITES, options.experiment());
    assertEquals(List.of("stock", "sinbad"), options.policies());
    assertEquals(WritesExperiment.METHODS, options.contendersOf(WritesExperiment.METHODS));
    assertEquals(List.of("rr", "cp", "ear"), parse("encode").policies());
    assertEquals(List.of("stock", "eafr"), parse("reads").policies());
    assertEquals(List.of("stock", "rackweave"), parse("all").policies());
    assertEquals(List.of(1L), parse("all").seeds());
    assertEquals(List.of(1L, 2L), parse("all", "--seeds", "2").seeds());
    assertEquals(
        List.of("stock", "stock-raised", "stock-high", "sinbad", "dayu"),
        parse("recovery").policies());
    assertEquals(List.of(Tuning.SHIPPED), options.tunings());
    assertEquals(List.of(20), options.moves());
    assertEquals(List.of(1L, 2L, 3L, 4L, 5L), options.seeds());
    assertEquals(BackgroundOrigin.DATANODES, options.origin());
    assertEquals(24, options.flowsPerRack());
    assertEquals(0.1, options.foreignCpuLimit());
    assertEquals("rw", options.prefix());
    assertEquals("", options.congestionControl());
  }

  @Test
  void takesWhatItIsGiven() {
    Path json = directory.resolve("figures.json");
    CompareOptions options =
        parse(
            "recovery",
            "--policies",
            "dayu",
            "--seeds",
            "2",
            "--first-seed",
            "40",
            "--background",
            "others",
            "--congestion",
            "cubic",
            "-D",
            "a.b=c=d",
            "--json",
            json.toString());
    assertEquals(
        List.of(RecoveryExperiment.DAYU), options.contendersOf(RecoveryExperiment.METHODS));
    assertEquals(List.of(40L, 41L), options.seeds());
    assertEquals(BackgroundOrigin.OTHERS, options.origin());
    assertEquals("cubic", options.congestionControl());
    assertEquals(Map.of("a.b", "c=d"), options.properties());
    assertEquals(json, options.json());
  }

  @Test
  void takesSettingsAndMovesInTheOrderGiven() {
    CompareOptions options = parse("writes", "--settings", "tuned,shipped", "--move", "60,5");
    assertEquals(List.of(Tuning.TUNED, Tuning.SHIPPED), options.tunings());
    assertEquals(List.of(60, 5), options.moves());
    assertFalse(options.large());
    assertTrue(parse("writes", "--large").large());
  }

  @Test
  void readsHaveNoBackgroundLoadUnlessToldOtherwise() {
    assertEquals(BackgroundOrigin.NONE, parse("reads").origin());
    assertEquals(BackgroundOrigin.DATANODES, parse("reads", "--background", "datanodes").origin());
  }

  @Test
  void quickIsOneSeed() {
    assertEquals(List.of(7L), parse("writes", "--quick", "--first-seed", "7").seeds());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sleep|expected one of [WRITES, RECOVERY, READS, ENCODE, ALL]",
        "writes --seeds 0|'--seeds': '0', allowed are whole numbers from 1 to 100",
        "writes --seeds many|'--seeds': 'many', allowed are whole numbers from 1 to 100",
        "writes --seeds|parameter for option '--seeds' (1..100)",
        "writes --policies stock,fast|--policies is 'fast', allowed are stock, sinbad",
        "writes --settings fast|expected one of [SHIPPED, TUNED]",
        "writes --settings shipped,shipped|--settings names SHIPPED twice",
        "writes --move 0|option '--move' (1..60): '0', allowed are whole numbers from 1 to 60",
        "writes --move 5,soon|option '--move' (1..60): 'soon', allowed are whole numbers from 1 to 60",
        "writes --move 5,05|--move names 5 twice",
        "reads --move 5|--move is for writes",
        "recovery --large|--large is for writes",
        "writes --policies stock,stock|--policies names stock twice",
        "encode --policies stock|--policies is 'stock', allowed are rr, cp, ear",
        "reads --policies sinbad|--policies is 'sinbad', allowed are stock, eafr",
        "writes --background sky|'--background': expected one of [NONE, DATANODES, OTHERS]",
        "writes --foreign-cpu 101|'101', allowed are whole numbers from 0 to 100",
        "writes --flows 65|'--flows': '65', allowed are whole numbers from 1 to 64",
        "writes -D nothing|option '-D'",
        "writes -D nothing|KEY=VALUE format but was nothing",
        "writes --prefix Lab|--prefix is 'Lab', allowed are 1 to 8 lower-case letters",
        "writes --congestion b;r|--congestion is 'b;r', allowed are names such as bbr",
        "writes --fast|Unknown option: '--fast'",
      })
  void namesWhatIsWrongAndWhatIsAllowed(String line, String message) {
    Exception e = assertThrows(RuntimeException.class, () -> parse(line.split(" ")));
    assertTrue(e.getMessage().contains(message), e.getMessage());
  }

  @Test
  void needsAnExperimentAndPlacesToWrite() {
    assertThrows(ParameterException.class, CompareOptionsTest::parse);
    String missing = directory.resolve("no/where.json").toString();
    assertThrows(ParameterException.class, () -> parse("writes", "--json", missing));
    assertThrows(ParameterException.class, () -> parse("writes", "--html", directory.toString()));
  }
}
