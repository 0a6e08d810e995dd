package org.rackweave.cli.sim;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.rackweave.cli.UsageException;

/**
 * What the command line asks for.
 *
 * @param scenario name or path; {@link #CLAIMS} for the claims; null when only help is wanted
 * @param seed of the first run, in place of the scenario's
 * @param runs number of runs, in place of the scenario's
 * @param json file for the figures
 * @param html file for the page; its CSV lies beside it
 * @param traces directory in which traces are looked for
 * @param topology operator's cluster, in place of the scenario's
 * @param audit operator's audit logs, in place of the scenario's clients
 * @param listing operator's namespace, for the sizes of files
 * @param threads runs at a time
 * @param quick a subset of the claims that takes less than a minute
 * @param paper whose claims alone, in place of those of all papers
 */
record SimOptions(
    String scenario,
    OptionalLong seed,
    OptionalInt runs,
    Optional<Path> json,
    Optional<Path> html,
    Optional<Path> traces,
    Optional<Path> topology,
    List<String> audit,
    Optional<Path> listing,
    int threads,
    boolean quick,
    Optional<String> paper,
    boolean help) {

  static final String CLAIMS = "claims";
  static final String SINBAD = "sinbad";
  static final String EAR = "ear";
  static final String DAYU = "dayu";
  static final String EAFR = "eafr";

  private static final List<String> PAPERS = List.of(SINBAD, EAR, DAYU, EAFR);

  static final String USAGE =
      """
      Usage: bin/rackweave sim SCENARIO [options]
             bin/rackweave sim claims [--quick] [--paper NAME] [options]

      Simulates a scenario: the policies it names on the same input, with the decision code of the
      NameNode. SCENARIO is a name in the directory scenarios, or the path of a .scenario file.
      'claims' runs the scenarios of all papers and shows each claim beside what is seen here.

      Options:
        --seed N         seed of the first run; the scenario's unless given
        --runs N         runs with seeds N, N+1, ...; the scenario's number unless given
        --json FILE      write the figures, or the claims, to FILE
        --html FILE      write a page of charts to FILE, and its figures to a .csv beside it
        --traces DIR     look for traces in DIR; ../shared/traces of the checkout unless given
        --topology FILE  simulate the racks and nodes of 'hdfs dfsadmin -printTopology'
        --audit FILE,..  replay the NameNode's audit log, the oldest part first
        --listing FILE   sizes of its files, from 'hdfs oiv -p Delimited'
        --threads N      runs at a time; one for each core unless given
        --quick          claims only: shorter runs, to see that all works
        --paper NAME     claims only: those of sinbad, ear, dayu or eafr alone
        --help           print this text
      """;

  private static final int RUNS_MAX = 1000;
  private static final int THREADS_MAX = 256;

  /**
   * Reads the command line.
   *
   * @throws UsageException naming the option, its value and what is allowed
   */
  static SimOptions parse(String[] args, int cores) {
    Parser parser = new Parser(cores);
    parser.read(new ArrayDeque<>(List.of(args)));
    return parser.options();
  }

  boolean isClaims() {
    return CLAIMS.equals(scenario);
  }

  /** Whether a paper's claims are asked for. */
  boolean asksFor(String name) {
    return paper.isEmpty() || paper.get().equals(name);
  }

  /** Collects options in any order. */
  private static final class Parser {
    private String scenario;
    private OptionalLong seed = OptionalLong.empty();
    private OptionalInt runs = OptionalInt.empty();
    private Optional<Path> json = Optional.empty();
    private Optional<Path> html = Optional.empty();
    private Optional<Path> traces = Optional.empty();
    private Optional<Path> topology = Optional.empty();
    private List<String> audit = List.of();
    private Optional<Path> listing = Optional.empty();
    private int threads;
    private boolean quick;
    private Optional<String> paper = Optional.empty();
    private boolean help;

    Parser(int cores) {
      threads = cores;
    }

    void read(Deque<String> left) {
      while (!left.isEmpty()) {
        String option = left.pop();
        switch (option) {
          case "--seed" -> seed = OptionalLong.of(number(option, left, 0, Long.MAX_VALUE / 2));
          case "--runs" -> runs = OptionalInt.of((int) number(option, left, 1, RUNS_MAX));
          case "--json" -> json = Optional.of(writable(option, left));
          case "--html" -> html = Optional.of(writable(option, left));
          case "--traces" -> traces = Optional.of(Path.of(value(option, left)));
          case "--topology" -> topology = Optional.of(Path.of(value(option, left)));
          case "--audit" -> audit = List.of(value(option, left).split(","));
          case "--listing" -> listing = Optional.of(Path.of(value(option, left)));
          case "--threads" -> threads = (int) number(option, left, 1, THREADS_MAX);
          case "--quick" -> quick = true;
          case "--paper" -> paper = Optional.of(paper(option, left));
          case "-h", "--help" -> help = true;
          default -> takeScenario(option);
        }
      }
    }

    private void takeScenario(String word) {
      if (word.startsWith("-")) {
        throw new UsageException(
            "no option '"
                + word
                + "'; there are --seed, --runs, --json, --html, --traces, --topology, --audit,"
                + " --listing, --threads, --quick, --paper, --help");
      }
      if (scenario != null) {
        throw new UsageException(
            "one scenario at a time, not '" + scenario + "' and '" + word + "'");
      }
      scenario = word;
    }

    SimOptions options() {
      if (scenario == null && !help) {
        throw new UsageException("name a scenario, or 'claims'");
      }
      if (quick && !CLAIMS.equals(scenario)) {
        throw new UsageException("--quick goes with 'claims'");
      }
      if (paper.isPresent() && !CLAIMS.equals(scenario)) {
        throw new UsageException("--paper goes with 'claims'");
      }
      if (listing.isPresent() && audit.isEmpty()) {
        throw new UsageException("--listing goes with --audit");
      }
      return new SimOptions(
          scenario, seed, runs, json, html, traces, topology, audit, listing, threads, quick, paper,
          help);
    }

    private static String value(String option, Deque<String> left) {
      String value = left.poll();
      if (value == null || value.isEmpty() || value.startsWith("--")) {
        throw new UsageException(option + " needs a value");
      }
      return value;
    }

    private static String paper(String option, Deque<String> left) {
      String value = value(option, left);
      if (!PAPERS.contains(value)) {
        throw new UsageException(
            option + " is '" + value + "', allowed are " + String.join(", ", PAPERS));
      }
      return value;
    }

    private static long number(String option, Deque<String> left, long least, long most) {
      String value = value(option, left);
      try {
        long number = Long.parseLong(value);
        if (number >= least && number <= most) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Said below, with what is allowed.
      }
      throw new UsageException(
          option + " is '" + value + "', allowed are whole numbers from " + least + " to " + most);
    }

    /** Found out now and not after minutes of work. */
    private static Path writable(String option, Deque<String> left) {
      Path file = Path.of(value(option, left));
      Path directory = file.toAbsolutePath().getParent();
      if (directory == null || !Files.isDirectory(directory)) {
        throw new UsageException(option + " " + file + ": there is no directory " + directory);
      }
      if (Files.isDirectory(file) || !Files.isWritable(Files.exists(file) ? file : directory)) {
        throw new UsageException(option + " " + file + " cannot be written");
      }
      return file;
    }
  }
}
