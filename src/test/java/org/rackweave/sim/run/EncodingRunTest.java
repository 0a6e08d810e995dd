package org.rackweave.sim.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rackweave.sim.encoding.EncodedStripe;
import org.rackweave.sim.scenario.InputFiles;
import org.rackweave.sim.scenario.PolicySpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.ScenarioText;
import org.rackweave.sim.workload.InputException;

/** Whole runs in which stripes are encoded. */
class EncodingRunTest {
  private static final List<String> BASE =
      """
          cluster:
            racks: 14
            nodes-per-rack: 3
          workloads:
            - kind: writes
              rate: 0.5/s
              size: 64MiB
          policies:
            - kind: stock
            - kind: ear
          run:
            duration: 1min
          encoding:
            stripes: 200
            tasks: 14
          """
          .lines()
          .toList();

  private static PolicyRecord run(String policy, long seed, String... more) throws InputException {
    return run(BASE, policy, seed, more);
  }

  private static PolicyRecord run(List<String> base, String policy, long seed, String... more)
      throws InputException {
    List<String> text = new ArrayList<>(base);
    text.addAll(List.of(more));
    Scenario scenario = ScenarioText.parse(Path.of("test.yaml"), text);
    PolicySpec spec =
        scenario.policies().stream()
            .filter(one -> one.name().equals(policy))
            .findFirst()
            .orElseThrow();
    return new PolicyRun(RunInput.of(scenario, new InputFiles(List.of()), seed), spec)
        .run((nanos, events) -> {});
  }

  private static List<String> with(String section, String entry) {
    return with(BASE, section, entry);
  }

  /** A text with one more entry, the first of its section. */
  private static List<String> with(List<String> text, String section, String entry) {
    List<String> more = new ArrayList<>(text);
    more.add(text.indexOf(section) + 1, "  " + entry);
    return more;
  }

  /** "EAR ... zero cross-rack downloads" and no relocation, whatever code, c and replicas (III). */
  @ParameterizedTest
  @CsvSource({"rs-10-4, 1, 3", "rs-6-3, 1, 2", "rs-6-3, 3, 3", "rs-8-4, 2, 4"})
  void earReadsNothingAcrossRacksAndRelocatesNothing(String code, int limit, int replication)
      throws InputException {
    EncodingRecord seen =
        run("ear", 3, "  code: " + code, "  rack-limit: " + limit, "  replication: " + replication)
            .encoding();
    assertEquals(200, seen.stripes().size());
    assertEquals(0, seen.unfinished());
    for (EncodedStripe stripe : seen.stripes()) {
      assertEquals(0, stripe.crossRackDownloads());
      assertEquals(0, stripe.relocations());
    }
  }

  /** Section II-B: "k (1 - 2/R)" for RR; 200 stripes, fixed seed, within five percent. */
  @Test
  void rrReadsAllButTwoRacksShareOfItsBlocksAcrossRacks() throws InputException {
    EncodingRecord seen = run("stock", 3).encoding();
    double expected = 10 * (1 - 2.0 / 14);
    assertEquals(expected, seen.crossRackDownloads(), expected * 0.05);
    assertTrue(seen.relocations() > 0, "14 blocks on 14 racks leave RR no slack");
  }

  /** Every encoded stripe ends as n blocks; what was written besides has its three replicas. */
  @ParameterizedTest
  @CsvSource({"stock", "ear"})
  void storageShrinksToOneReplicaAndParity(String policy) throws InputException {
    PolicyRecord seen = run(policy, 5);
    double blockBytes = 64L << 20;
    double stored = Arrays.stream(seen.rackBytes()).sum() / blockBytes;
    double replicated = stored - 200 * 14;
    double written = 3 * seen.blocks().size();
    if (policy.equals("stock")) {
      assertEquals(written, replicated, 1e-6);
    } else {
      // Blocks in stripes that were not full when there were enough of them.
      double open = (replicated - written) / 3;
      assertEquals(Math.rint(open), open, 1e-6);
      assertTrue(open >= 0 && open <= 14 * 4 * 9, open + " blocks in open stripes");
    }
  }

  @Test
  void theSameSeedIsTheSameRun() throws InputException {
    assertEquals(run("ear", 7).encoding().stripes(), run("ear", 7).encoding().stripes());
    assertArrayEquals(run("ear", 7).encoding().meanDraws(), run("ear", 7).encoding().meanDraws());
  }

  /** Experiment A.1: less is left to encoding the more is injected. */
  @Test
  void injectedStreamsSlowEncodingDown() throws InputException {
    double alone = run("stock", 1).encoding().seconds();
    double beside =
        run(with("workloads:", "- {name: injected, kind: streams, bandwidth: 800Mbps}"), "stock", 1)
            .encoding()
            .seconds();
    assertTrue(beside > 2 * alone, beside + " s over " + alone + " s");
  }

  @Test
  void filesThatAreThereAreWhereThePolicyPutThem() throws InputException {
    List<String> reads =
        with(
            with("workloads:", "- {kind: reads, rate: 1/s, files: 50}"),
            "policies:",
            "- {name: own, kind: ear, places-stored: yes}");
    double[] stock = run(reads, "stock", 2).nodeBytes();
    double[] ear = run(reads, "ear", 2).nodeBytes();
    double[] own = run(reads, "own", 2).nodeBytes();
    assertEquals(Arrays.stream(stock).sum() > 0, Arrays.stream(ear).sum() > 0);
    assertTrue(!Arrays.equals(ear, own), "another placement before the run");
  }

  @Test
  void encodingThatWasBrokenOffHasNoDuration() {
    List<EncodedStripe> one = List.of(new EncodedStripe(0, 1_000_000_000, 1, 100, 0, 0, 0));
    assertEquals(1, new EncodingRecord(one, 0, new double[0]).seconds());
    assertEquals(100, new EncodingRecord(one, 0, new double[0]).dataBytesPerSec());
    assertTrue(Double.isNaN(new EncodingRecord(one, 1, new double[0]).seconds()));
    assertTrue(Double.isNaN(new EncodingRecord(one, 1, new double[0]).dataBytesPerSec()));
  }
}
