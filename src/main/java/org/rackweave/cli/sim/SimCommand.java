package org.rackweave.cli.sim;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.rackweave.cli.ToolCommand;
import org.rackweave.cli.UsageException;
import org.rackweave.cli.WholeNumber;
import org.rackweave.cli.WritableFile;
import org.rackweave.sim.claims.Claim;
import org.rackweave.sim.claims.ClaimSet;
import org.rackweave.sim.claims.ClaimStudy;
import org.rackweave.sim.claims.DayuClaims;
import org.rackweave.sim.claims.EafrStudy;
import org.rackweave.sim.claims.EarClaims;
import org.rackweave.sim.claims.SinbadClaims;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.scenario.InputFiles;
import org.rackweave.sim.scenario.Overrides;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.ScenarioLibrary;
import org.rackweave.sim.workload.InputException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bin/rackweave sim}. */
@Command(
    name = "bin/rackweave sim",
    description =
        "Simulates a scenario: its policies on the same input, with the decision code of the"
            + " NameNode.")
public final class SimCommand extends ToolCommand implements Callable<Integer> {
  private static final String CLAIMS = "claims";

  private enum Paper {
    SINBAD,
    EAR,
    DAYU,
    EAFR
  }

  private record Claims(Paper paper, ClaimSet set) {}

  private record Study(Paper paper, ClaimStudy study) {}

  /** Every paper's claims, in the order of the table. */
  private static final List<Claims> CLAIM_SETS =
      List.of(
          new Claims(Paper.SINBAD, SinbadClaims.claims()),
          new Claims(Paper.EAR, EarClaims.claims()),
          new Claims(Paper.DAYU, DayuClaims.claims()));

  private static final List<Study> STUDIES = List.of(new Study(Paper.EAFR, new EafrStudy()));

  /** Runs of a study unless given. */
  private static final int STUDY_RUNS = 3;

  private static final long QUICK_DURATION_MS = 180_000;
  private static final long QUICK_WARM_UP_MS = 20_000;

  /** Quick recoveries are of so many times fewer chunks, in clusters so many times smaller. */
  private static final int QUICK_SMALLER = 40;

  private static final int QUICK_RACKS_LEAST = 4;

  private final boolean terminal;
  private final Path home;

  @Parameters(
      paramLabel = "SCENARIO",
      description =
          "A name in the directory scenarios, or the path of a .yaml file; 'claims' runs the"
              + " scenarios of all papers and compares each claim with the result.")
  private String scenario;

  @Option(names = "--seed", description = "Seed of the first run; default: the scenario's.")
  @WholeNumber(min = 0, max = 999_999_999)
  private Integer seed;

  @Option(
      names = "--runs",
      description = "Number of runs, with seeds N, N+1, ...; default: the scenario's.")
  @WholeNumber(max = 1000)
  private Integer runs;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write the figures, or the claims, to FILE.")
  private Path json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      converter = WritableFile.class,
      description = "Write charts to FILE, and their figures to a .csv beside it.")
  private Path html;

  @Option(
      names = "--traces",
      paramLabel = "DIR",
      description = "Directory of traces; default: ../shared/traces of the checkout.")
  private Path traces;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description = "Racks and nodes: output of 'hdfs dfsadmin -printTopology'.")
  private Path topology;

  @Option(
      names = "--audit",
      paramLabel = "FILE",
      split = ",",
      description = "Requests: the NameNode's audit log, the oldest part first.")
  private List<Path> audit = List.of();

  @Option(
      names = "--listing",
      paramLabel = "FILE",
      description = "With --audit: file sizes, from 'hdfs oiv -p Delimited'.")
  private Path listing;

  @Option(names = "--threads", description = "Concurrent runs; default: one per core.")
  @WholeNumber(max = 256)
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(names = "--quick", description = "With claims: shorter runs, to check that they work.")
  private boolean quick;

  @Option(
      names = "--paper",
      paramLabel = "sinbad|ear|dayu|eafr",
      description = "With claims: only those of one paper.")
  private Paper paper;

  /**
   * Prepares the command.
   *
   * @param terminal whether {@code err} understands carriage returns
   * @param home the source checkout, where the scenarios are
   */
  public SimCommand(PrintStream out, PrintStream err, boolean terminal, Path home) {
    super(out, err);
    this.terminal = terminal;
    this.home = home;
  }

  /** The command as users get it. */
  public static SimCommand standard() {
    return new SimCommand(
        System.out,
        System.err,
        Boolean.getBoolean("rackweave.terminal"),
        Path.of(System.getProperty("rackweave.home", "")).toAbsolutePath());
  }

  @Spec
  void listScenarios(CommandSpec spec) {
    String names;
    try {
      names = String.join(", ", library().names());
    } catch (InputException e) {
      names = e.getMessage();
    }
    spec.usageMessage().footer("%nScenarios: " + names);
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    boolean isClaims = scenario.equals(CLAIMS);
    only(!quick || isClaims, "--quick goes with 'claims'");
    only(paper == null || isClaims, "--paper goes with 'claims'");
    only(listing == null || !audit.isEmpty(), "--listing goes with --audit");
    try {
      if (isClaims) {
        runClaims();
      } else {
        runScenario();
      }
      return 0;
    } catch (InputException | IllegalStateException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static void only(boolean holds, String rule) {
    if (!holds) {
      throw new UsageException(rule);
    }
  }

  private boolean asksFor(Paper one) {
    return paper == null || paper == one;
  }

  private ScenarioLibrary library() {
    return new ScenarioLibrary(home.resolve("scenarios"));
  }

  private void runScenario() throws InputException, IOException, InterruptedException {
    Path file = library().find(scenario).toAbsolutePath();
    Scenario adapted = library().read(scenario, overrides());
    ScenarioResult result = run(List.of(adapted), file.getParent()).get(adapted.name());
    result.notices().forEach(out::println);
    new ResultTable(result).lines().forEach(out::println);
    result.cases().forEach(this::printCase);
    if (json != null) {
      SimJson.writeScenario(result, json);
    }
    if (html != null) {
      writePage(SimReport.scenario(result), new ResultTable(result).csv());
    }
  }

  private void printCase(String name, ScenarioResult result) {
    out.println();
    out.println(name);
    new ResultTable(result).lines().forEach(out::println);
  }

  private void runClaims() throws InputException, IOException, InterruptedException {
    List<ClaimSet> sets =
        CLAIM_SETS.stream().filter(claims -> asksFor(claims.paper())).map(Claims::set).toList();
    Set<String> names = new LinkedHashSet<>();
    sets.forEach(set -> names.addAll(set.scenarios()));
    List<Scenario> scenarios = new ArrayList<>();
    for (String name : names) {
      Scenario adapted = library().read(name, overrides());
      scenarios.add(quick ? shortened(adapted) : adapted);
    }
    Map<String, ScenarioResult> results = run(scenarios, home.resolve("scenarios"));
    List<Claim> claims = new ArrayList<>();
    sets.forEach(set -> claims.addAll(set.judge(results)));
    List<ClaimStudy.Chart> charts = new ArrayList<>();
    for (ClaimStudy.Findings findings : study()) {
      claims.addAll(findings.claims());
      charts.addAll(findings.charts());
    }
    claims.forEach(claim -> out.println(line(claim)));
    if (json != null) {
      SimJson.writeClaims(claims, json);
    }
    if (html != null) {
      List<String> csv = new ArrayList<>();
      results.values().forEach(result -> csv.addAll(new ResultTable(result).csv()));
      writePage(SimReport.claims(claims, results, charts, quick), csv);
    }
  }

  /** The same for three minutes and one seed, to see that it runs. */
  private static Scenario shortened(Scenario scenario) {
    boolean recovers = scenario.recovery().recovers();
    return scenario.resized(
        cluster ->
            recovers
                ? cluster.withRacks(Math.max(QUICK_RACKS_LEAST, cluster.racks() / QUICK_SMALLER))
                : cluster,
        recovery -> recovers ? recovery.withChunks(recovery.chunks() / QUICK_SMALLER) : recovery,
        run ->
            run.with(
                Math.min(QUICK_DURATION_MS, run.durationMs()),
                Math.min(QUICK_WARM_UP_MS, run.warmUpMs()),
                1));
  }

  private List<ClaimStudy.Findings> study() throws InterruptedException {
    ClaimStudy.Plan plan =
        new ClaimStudy.Plan(
            Objects.requireNonNullElse(seed, 1),
            quick ? 1 : Objects.requireNonNullElse(runs, STUDY_RUNS),
            quick);
    List<ClaimStudy.Findings> findings = new ArrayList<>();
    try (StudyWorkers workers = new StudyWorkers(threads, err, terminal)) {
      for (Study each : STUDIES) {
        if (asksFor(each.paper())) {
          findings.add(each.study().findings(plan, workers));
        }
      }
    }
    return findings;
  }

  private static String line(Claim claim) {
    return String.format(
        Locale.ROOT,
        "%-24s paper %8.2f  here %14s  %s%s",
        claim.id(),
        claim.paper(),
        claim.ours().text(2),
        claim.verdict().text() + (claim.met() ? "" : ": "),
        claim.why());
  }

  private Overrides overrides() {
    return new Overrides(
        seed == null ? OptionalLong.empty() : OptionalLong.of(seed),
        runs == null ? OptionalInt.empty() : OptionalInt.of(runs),
        Optional.ofNullable(topology).map(SimCommand::absolute),
        audit.stream().map(SimCommand::absolute).toList(),
        Optional.ofNullable(listing).map(SimCommand::absolute));
  }

  private static String absolute(Path file) {
    return file.toAbsolutePath().toString();
  }

  private Map<String, ScenarioResult> run(List<Scenario> scenarios, Path beside)
      throws InputException, InterruptedException {
    Path others =
        Objects.requireNonNullElseGet(traces, () -> home.resolve("../shared/traces").normalize());
    RunProgress progress =
        new RunProgress(err, terminal, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    try (ScenarioRunner runner = new ScenarioRunner(threads, progress)) {
      return runner.run(scenarios, new InputFiles(List.of(beside, others)));
    }
  }

  private void writePage(String page, List<String> csv) throws IOException {
    Files.writeString(html, page);
    String name = Optional.ofNullable(html.getFileName()).map(Path::toString).orElse("figures");
    int dot = name.lastIndexOf('.');
    Path table = html.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".csv");
    Files.write(table, csv, StandardCharsets.UTF_8);
    out.println("Charts: " + html + ", figures: " + table);
  }
}
