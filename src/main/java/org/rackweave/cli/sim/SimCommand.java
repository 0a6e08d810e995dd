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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.rackweave.cli.UsageException;
import org.rackweave.sim.claims.Claim;
import org.rackweave.sim.claims.ClaimSet;
import org.rackweave.sim.claims.ClaimStudy;
import org.rackweave.sim.claims.DayuClaims;
import org.rackweave.sim.claims.EafrStudy;
import org.rackweave.sim.claims.EarClaims;
import org.rackweave.sim.claims.SinbadClaims;
import org.rackweave.sim.report.ScenarioResult;
import org.rackweave.sim.scenario.InputFiles;
import org.rackweave.sim.scenario.RunSpec;
import org.rackweave.sim.scenario.Scenario;
import org.rackweave.sim.scenario.ScenarioLibrary;
import org.rackweave.sim.workload.InputException;

/** {@code bin/rackweave sim}. */
public final class SimCommand extends Configured implements Tool {
  private static final int EXIT_USAGE = 2;
  private static final int EXIT_FAILURE = 1;

  private record Claims(String paper, ClaimSet set) {}

  private record Study(String paper, ClaimStudy study) {}

  /** Every paper's claims, in the order of the table. */
  private static final List<Claims> CLAIM_SETS =
      List.of(
          new Claims(SimOptions.SINBAD, new SinbadClaims()),
          new Claims(SimOptions.EAR, new EarClaims()),
          new Claims(SimOptions.DAYU, new DayuClaims()));

  private static final List<Study> STUDIES = List.of(new Study(SimOptions.EAFR, new EafrStudy()));

  /** Runs of a study unless given. */
  private static final int STUDY_RUNS = 3;

  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;
  private final Path home;

  /**
   * @param terminal whether {@code err} understands carriage returns
   * @param home the source checkout, where the scenarios are
   */
  public SimCommand(PrintStream out, PrintStream err, boolean terminal, Path home) {
    this.out = out;
    this.err = err;
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

  @Override
  public int run(String[] args) throws InterruptedException {
    try {
      SimOptions options = SimOptions.parse(args, Runtime.getRuntime().availableProcessors());
      if (options.help()) {
        out.print(SimOptions.USAGE);
        listScenarios();
      } else if (options.isClaims()) {
        runClaims(options);
      } else {
        runScenario(options);
      }
      return 0;
    } catch (UsageException e) {
      err.println("rackweave sim: " + e.getMessage());
      err.println("bin/rackweave sim --help lists the options");
      return EXIT_USAGE;
    } catch (InputException | IOException | IllegalStateException e) {
      err.println("rackweave sim: " + e.getMessage());
      return EXIT_FAILURE;
    }
  }

  private void listScenarios() throws InputException {
    out.println("\nScenarios: " + String.join(", ", library().names()));
  }

  private ScenarioLibrary library() {
    return new ScenarioLibrary(home.resolve("scenarios"));
  }

  private void runScenario(SimOptions options)
      throws InputException, IOException, InterruptedException {
    Path file = library().find(options.scenario()).toAbsolutePath();
    Scenario scenario = adapt(library().read(options.scenario()), options);
    Map<String, ScenarioResult> results = run(List.of(scenario), file.getParent(), options);
    ScenarioResult result = results.get(scenario.name());
    result.notices().forEach(out::println);
    new ResultTable(result).lines().forEach(out::println);
    result.cases().forEach(this::printCase);
    if (options.json().isPresent()) {
      SimJson.writeScenario(result, options.json().get());
    }
    if (options.html().isPresent()) {
      writePage(options.html().get(), SimReport.scenario(result), new ResultTable(result).csv());
    }
  }

  private void printCase(String name, ScenarioResult result) {
    out.println();
    out.println(name);
    new ResultTable(result).lines().forEach(out::println);
  }

  private void runClaims(SimOptions options)
      throws InputException, IOException, InterruptedException {
    List<ClaimSet> sets =
        CLAIM_SETS.stream()
            .filter(claims -> options.asksFor(claims.paper()))
            .map(Claims::set)
            .toList();
    Set<String> names = new LinkedHashSet<>();
    sets.forEach(set -> names.addAll(set.scenarios()));
    List<Scenario> scenarios = new ArrayList<>();
    for (String name : names) {
      Scenario scenario = adapt(library().read(name), options);
      scenarios.add(options.quick() ? QuickRun.of(scenario) : scenario);
    }
    Map<String, ScenarioResult> results = run(scenarios, home.resolve("scenarios"), options);
    List<Claim> claims = new ArrayList<>();
    sets.forEach(set -> claims.addAll(set.judge(results)));
    List<ClaimStudy.Chart> charts = new ArrayList<>();
    for (ClaimStudy.Findings findings : study(options)) {
      claims.addAll(findings.claims());
      charts.addAll(findings.charts());
    }
    claims.forEach(claim -> out.println(line(claim)));
    if (options.json().isPresent()) {
      SimJson.writeClaims(claims, options.json().get());
    }
    if (options.html().isPresent()) {
      List<String> csv = new ArrayList<>();
      results.values().forEach(result -> csv.addAll(new ResultTable(result).csv()));
      writePage(
          options.html().get(), SimReport.claims(claims, results, charts, options.quick()), csv);
    }
  }

  private List<ClaimStudy.Findings> study(SimOptions options) throws InterruptedException {
    ClaimStudy.Plan plan =
        new ClaimStudy.Plan(
            options.seed().orElse(1),
            options.quick() ? 1 : options.runs().orElse(STUDY_RUNS),
            options.quick());
    List<ClaimStudy.Findings> findings = new ArrayList<>();
    try (StudyWorkers workers = new StudyWorkers(options.threads(), err, terminal)) {
      for (Study each : STUDIES) {
        if (options.asksFor(each.paper())) {
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
        claim.met() ? "met" : "not met: ",
        claim.why());
  }

  private static Scenario adapt(Scenario scenario, SimOptions options) {
    RunSpec run = scenario.run();
    Scenario adapted =
        ScenarioRuns.with(
            scenario,
            run.with(
                run.durationMs(),
                run.warmUpMs(),
                options.seed().orElse(run.seed()),
                options.runs().orElse(run.runs())));
    if (options.topology().isPresent()) {
      adapted = adapted.withTopology(absolute(options.topology().get()));
    }
    if (!options.audit().isEmpty()) {
      adapted =
          adapted.withAudit(
              options.audit().stream().map(log -> absolute(Path.of(log))).toList(),
              options.listing().map(SimCommand::absolute));
    }
    return adapted;
  }

  private static String absolute(Path file) {
    return file.toAbsolutePath().toString();
  }

  private Map<String, ScenarioResult> run(List<Scenario> scenarios, Path beside, SimOptions options)
      throws InputException, InterruptedException {
    Path traces = options.traces().orElse(home.resolve("../shared/traces").normalize());
    RunProgress progress =
        new RunProgress(err, terminal, () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    try (ScenarioRunner runner = new ScenarioRunner(options.threads(), progress)) {
      return runner.run(scenarios, new InputFiles(List.of(beside, traces)));
    }
  }

  private void writePage(Path html, String page, List<String> csv) throws IOException {
    Files.writeString(html, page);
    Path table = beside(html);
    Files.write(table, csv, StandardCharsets.UTF_8);
    out.println("Charts: " + html + ", figures: " + table);
  }

  private static Path beside(Path html) {
    String name = Optional.ofNullable(html.getFileName()).map(Path::toString).orElse("figures");
    int dot = name.lastIndexOf('.');
    return html.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".csv");
  }
}
