package org.rackweave.cli.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rackweave.Nightly;

class SimCommandTest {
  @TempDir Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int sim(String... args) {
    PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream failed = new PrintStream(err, true, StandardCharsets.UTF_8);
    return new SimCommand(printed, failed, false, Path.of("").toAbsolutePath()).run(args);
  }

  private String scenario() throws IOException {
    Path file = directory.resolve("small.yaml");
    Files.write(
        file,
        """
          about: >
            A small one.
          cluster:
            racks: 5
            nodes-per-rack: 4
            oversubscription: 4
            disk-write: 50MB/s
          workloads:
            - kind: shuffles
            - kind: writes
              rate: 1/s
              size: 128MiB
          policies:
            - kind: stock
            - kind: sinbad
          run:
            duration: 2min
            runs: 2
          vary:
            sinbad.alpha: [0.1, 1]
          """
            .lines()
            .toList());
    return file.toString();
  }

  @Test
  void writesTableJsonPageAndCsv() throws Exception {
    Path json = directory.resolve("figures.json");
    Path html = directory.resolve("page.html");
    int exit = sim(scenario(), "--json", json.toString(), "--html", html.toString());
    assertEquals(0, exit, err::toString);
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("write time, mean s"));
    JsonNode figures = new ObjectMapper().readTree(json.toFile());
    JsonNode mean = figures.at("/policies/sinbad/write time, mean s");
    assertTrue(mean.get("low").asDouble() <= mean.get("mean").asDouble(), figures::toString);
    assertEquals(2, figures.get("variations").size());
    String page = Files.readString(html);
    assertTrue(page.contains("<svg") && page.contains("kind: sinbad"), "charts and scenario");
    List<String> csv = Files.readAllLines(directory.resolve("page.csv"));
    assertTrue(csv.stream().anyMatch(line -> line.startsWith("small,sinbad,2,")), csv::toString);
  }

  @Test
  void figuresDoNotDependOnThreads() throws Exception {
    String scenario = scenario();
    assertEquals(0, sim(scenario, "--threads", "1"));
    String alone = out.toString(StandardCharsets.UTF_8);
    out.reset();
    assertEquals(0, sim(scenario, "--threads", "4"));
    assertEquals(alone, out.toString(StandardCharsets.UTF_8));
  }

  @Nightly
  @Test
  void quickClaimsHaveARowForEachIdWithTheKeysOfTheContract() throws Exception {
    Path json = directory.resolve("claims.json");
    Path html = directory.resolve("claims.html");
    assertEquals(
        0,
        sim("claims", "--quick", "--json", json.toString(), "--html", html.toString()),
        err::toString);
    Set<String> ids = new TreeSet<>();
    for (JsonNode row : new ObjectMapper().readTree(json.toFile())) {
      ids.add(row.get("id").asText());
      assertTrue(row.get("paper").isNumber() && row.get("ours").isNumber(), row::toString);
      assertTrue(row.has("ci"));
      assertEquals(row.get("met").asBoolean(), row.get("why").asText().isEmpty());
    }
    assertTrue(
        ids.containsAll(
            List.of(
                "dayu-alpha",
                "dayu-beta",
                "dayu-interference",
                "dayu-over-ideal",
                "dayu-overlap",
                "dayu-priority",
                "dayu-scale",
                "dayu-straggler",
                "dayu-vs-g1",
                "eafr-arrival",
                "eafr-concurrency",
                "eafr-energy",
                "eafr-failures",
                "eafr-load",
                "eafr-maintenance",
                "eafr-net",
                "eafr-overload",
                "eafr-rate",
                "eafr-replicas-latency",
                "eafr-replication-time",
                "eafr-storage",
                "ear-b1-encode",
                "ear-b1-write",
                "ear-b2-bandwidth",
                "ear-b2-c",
                "ear-b2-k",
                "ear-b2-parity",
                "ear-b2-replicas",
                "ear-b2-write-rate",
                "ear-cross-rack",
                "ear-draws",
                "ear-encoding-throughput",
                "ear-encoding-time",
                "ear-mapreduce",
                "ear-read-balance",
                "ear-relocation",
                "ear-storage-balance",
                "ear-write-response",
                "sinbad-cv",
                "sinbad-interval",
                "sinbad-load",
                "sinbad-mean-write",
                "sinbad-no-disk",
                "sinbad-optimum",
                "sinbad-shares",
                "sinbad-shipped",
                "sinbad-storage-balance")),
        ids::toString);
    assertTrue(Files.readString(html).contains("claims reproduced"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dayu", "eafr"})
  void claimsOfOnePaperAreItsAlone(String paper) throws Exception {
    Path json = directory.resolve("claims.json");
    String html = directory.resolve("claims.html").toString();
    String[] options = {"--quick", "--paper", paper, "--json", json.toString(), "--html", html};
    assertEquals(
        0, sim(Stream.concat(Stream.of("claims"), Stream.of(options)).toArray(String[]::new)));
    JsonNode rows = new ObjectMapper().readTree(json.toFile());
    assertTrue(rows.size() > 5, rows::toString);
    for (JsonNode row : rows) {
      assertTrue(row.get("id").asText().startsWith(paper + "-"), row::toString);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "sinbad --runs 0    ~ '--runs': '0', allowed are whole numbers from 1 to 1000",
        "sinbad --runs many ~ '--runs': 'many', allowed are whole numbers from 1 to 1000",
        "sinbad --fast      ~ Unknown option: '--fast'",
        "sinbad --json      ~ Missing required parameter for option '--json' (FILE)",
        "sinbad --json --quick ~ Expected parameter for option '--json' but found '--quick'",
        "sinbad --quick     ~ --quick goes with",
        "sinbad --paper dayu ~ --paper goes with",
        "claims --paper daju ~ '--paper': expected one of [SINBAD, EAR, DAYU, EAFR]",
        "claims --paper daju ~ was 'daju'",
        "sinbad other       ~ 'other'",
        "--quick            ~ Missing required parameter: 'SCENARIO'",
        "sinbad --html /nowhere/page.html ~ there is no directory /nowhere",
      })
  void badUsageExitsWithTwoAndSaysWhatIsAllowed(String args, String message) throws Exception {
    assertEquals(2, sim(args.split(" ")));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains(message), err::toString);
    assertEquals("", out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void anUnknownScenarioAndABadLineFail() throws Exception {
    assertEquals(1, sim("sinbat"));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("sinbad"), err::toString);
    err.reset();
    List<String> lines = new ArrayList<>(Files.readAllLines(Path.of(scenario())));
    lines.set(3, "  racks: many");
    Path bad = directory.resolve("bad.yaml");
    Files.write(bad, lines);
    assertEquals(1, sim(bad.toString()));
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("bad.yaml:4"), err::toString);
  }

  @Test
  void helpGoesToStandardOutput() throws Exception {
    assertEquals(0, sim("--help"));
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("Usage: bin/rackweave sim"));
    assertFalse(out.toString(StandardCharsets.UTF_8).contains("null"));
  }
}
