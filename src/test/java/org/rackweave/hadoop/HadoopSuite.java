package org.rackweave.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.util.VersionInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Hadoop's own tests: what passes on stock HDFS passes with everything of Rackweave's on. Each
 * class runs in a JVM of its own, two at a time, with {@code hadoop-suite/rackweave/hdfs-site.xml}
 * first on its class path. What {@code eafr.txt} names runs once more with the site file of {@code
 * eafr}, whose placement and sources act only without the others. Where anything fails the class
 * runs on stock HDFS, too, and what fails only with Rackweave is run again; see {@link
 * SuiteReruns}.
 *
 * <p>{@code mvn -B verify -Phadoop-suite}; {@code -Drackweave.suite=TestFsck,TestReplication} runs
 * some classes only. The table is kept as {@code target/hadoop-suite/table.txt}, logs beside it.
 */
class HadoopSuite {
  private static final String PACKAGE = "org.apache.hadoop.hdfs.";

  /** What hangs is not to use up the hour that all of them have. */
  private static final long CLASS_MINUTES = 8;

  /** Some methods of a class. */
  private static final long METHODS_MINUTES = 4;

  /** Classes at a time; most of a JVM's time goes by with waiting. */
  private static final int AT_ONCE = 2;

  private static final Path KEPT = Path.of("target", "hadoop-suite");
  private static final Path SITES = Path.of("target", "test-classes", "hadoop-suite");
  private static final List<Path> STOCK = List.of(SITES.resolve("stock"), SITES.resolve("common"));
  private static final List<Path> EVERYTHING_ON =
      List.of(SITES.resolve("rackweave"), SITES.resolve("common"));
  private static final List<Path> EAFR = List.of(SITES.resolve("eafr"), SITES.resolve("common"));
  private static final SuiteTable TABLE = new SuiteTable();

  private final Map<String, String> exceptions = exceptions();

  /** Classes that are run once more, and which of their methods, none for all. */
  private final Map<String, Set<String>> eafr = eafr();

  private final long startedNanos = System.nanoTime();
  private int done;

  @TestFactory
  Stream<DynamicTest> passesWithRackweaveWhatPassesOnStock() {
    List<String> wanted = List.of(System.getProperty("rackweave.suite", "").split(","));
    List<String> classes =
        lines("classes.txt").stream()
            .filter(
                name ->
                    wanted.equals(List.of(""))
                        || wanted.contains(name.substring(name.lastIndexOf('.') + 1)))
            .toList();
    assertTrue(!classes.isEmpty(), "no class of classes.txt is one of " + wanted);
    ExecutorService runs = Executors.newFixedThreadPool(AT_ONCE);
    Map<String, Future<List<String>>> failures = new LinkedHashMap<>();
    classes.forEach(name -> failures.put(name, runs.submit(() -> compare(name, classes.size()))));
    runs.shutdown();
    return classes.stream()
        .map(
            name ->
                DynamicTest.dynamicTest(
                    name, () -> assertEquals(List.of(), failures.get(name).get())));
  }

  /** What is wrong with Rackweave only. */
  private List<String> compare(String name, int all) {
    Set<String> tests = eafr.get(name);
    SuiteOutcome ours = run(name, "rackweave", EVERYTHING_ON, Set.of());
    SuiteOutcome withEafr = tests == null ? null : run(name, "eafr", EAFR, tests);
    boolean isAllWell = isWell(name, ours) && (withEafr == null || isWell(name, withEafr));
    SuiteOutcome stock = isAllWell ? null : run(name, "stock", STOCK, Set.of());
    List<String> failures = new ArrayList<>(look(name, "", stock, ours, Set.of(), EVERYTHING_ON));
    if (withEafr != null) {
      failures.addAll(look(name, "eafr", stock, withEafr, tests, EAFR));
    }
    if (ours.results().isEmpty()) {
      failures.add("no tests");
    }
    unexcused(name, ours.skipped()).forEach(test -> failures.add("skipped: " + test));
    progress(name, all);
    return failures;
  }

  private boolean isWell(String name, SuiteOutcome outcome) {
    return outcome.complete() && unexcused(name, outcome.notPassed()).isEmpty();
  }

  /**
   * What failed with Rackweave only, run again, too; adds a row to the table.
   *
   * @param stock {@code null} where all went well without it
   * @param methods that were run with Rackweave, none for all
   */
  private List<String> look(
      String name,
      String way,
      SuiteOutcome stock,
      SuiteOutcome ours,
      Set<String> methods,
      List<Path> site) {
    if (stock == null) {
      TABLE.add(name, way, null, ours, List.of());
      return List.of();
    }
    List<String> lost = unexcused(name, stock.passedOnlyHere(ours));
    lost.removeIf(test -> !methods.isEmpty() && !methods.contains(SuiteOutcome.method(test)));
    SuiteReruns again =
        new SuiteReruns(
            lost,
            stock.complete() ? Set.of() : notCome(lost, ours),
            tests -> run(name, (way + "-again").replaceAll("^-", "rackweave-"), site, tests),
            tests -> run(name, "stock-again", STOCK, tests));
    TABLE.add(name, way, stock, ours, again.describe());
    return again.failed().stream()
        .map(test -> (way + " ").stripLeading() + test + ": " + message(ours, test))
        .toList();
  }

  private static Set<String> notCome(List<String> tests, SuiteOutcome outcome) {
    return tests.stream().filter(outcome::hasNotCome).collect(Collectors.toSet());
  }

  private static String message(SuiteOutcome outcome, String test) {
    return outcome.messages().getOrDefault(test, "not begun");
  }

  private List<String> unexcused(String name, List<String> tests) {
    String simpleName = name.substring(name.lastIndexOf('.') + 1);
    return tests.stream()
        .filter(test -> !exceptions.containsKey(simpleName + "." + SuiteOutcome.method(test)))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private synchronized void progress(String name, int all) {
    done++;
    long minutes = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - startedNanos);
    System.out.printf(
        "%2d of %d  %s, after %d min, %d min to go%n",
        done, all, name, minutes, minutes * (all - done) / done);
  }

  /**
   * @param methods to run, none for all
   */
  private static SuiteOutcome run(String name, String way, List<Path> first, Set<String> methods) {
    Path home = KEPT.resolve(way).resolve(name).toAbsolutePath();
    Path results = home.resolve("results.tsv");
    long started = System.nanoTime();
    try {
      Files.createDirectories(home);
      Files.deleteIfExists(results);
      Process jvm = start(name, first, home, results, methods);
      boolean ended =
          jvm.waitFor(methods.isEmpty() ? CLASS_MINUTES : METHODS_MINUTES, TimeUnit.MINUTES);
      if (!ended) {
        dumpThreads(jvm, home);
        jvm.destroyForcibly().waitFor();
      }
      boolean complete = ended && jvm.exitValue() == 0;
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started);
      List<String> lines = Files.exists(results) ? Files.readAllLines(results) : List.of();
      FileUtils.deleteDirectory(home.resolve("data").toFile());
      return SuiteOutcome.of(lines, seconds, complete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Process start(
      String name, List<Path> first, Path home, Path results, Set<String> methods)
      throws IOException {
    String classPath =
        Stream.concat(
                first.stream().map(Path::toAbsolutePath).map(Path::toString),
                Stream.of(System.getProperty("java.class.path")))
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx2g", "--add-opens", "java.base/java.lang=ALL-UNNAMED"));
    command.add("-Djava.net.preferIPv4Stack=true");
    for (String key : List.of("test.build.data", "test.build.dir", "hadoop.tmp.dir")) {
      command.add("-D" + key + "=" + home.resolve("data").resolve(key));
    }
    command.add("-Dhadoop.log.dir=" + home);
    command.addAll(List.of("-cp", classPath, SuiteJvm.class.getName()));
    command.addAll(List.of(PACKAGE + name, results.toString()));
    command.addAll(methods);
    return new ProcessBuilder(command)
        .directory(home.toFile())
        .redirectErrorStream(true)
        .redirectOutput(home.resolve("log").toFile())
        .start();
  }

  private static void dumpThreads(Process jvm, Path home) throws IOException, InterruptedException {
    Process dump =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jstack").toString(),
                Long.toString(jvm.pid()))
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("threads").toFile())
            .start();
    dump.waitFor(1, TimeUnit.MINUTES);
    dump.destroyForcibly();
  }

  private static Map<String, String> exceptions() {
    return lines("exceptions.txt").stream()
        .map(line -> line.split(": ", 2))
        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
  }

  private static Map<String, Set<String>> eafr() {
    Map<String, Set<String>> tests = new TreeMap<>();
    for (String line : lines("eafr.txt")) {
      String[] parts = line.split("#", 2);
      Set<String> methods = tests.computeIfAbsent(parts[0], name -> new TreeSet<>());
      if (parts.length > 1) {
        methods.add(parts[1]);
      }
    }
    assertTrue(lines("classes.txt").containsAll(tests.keySet()), () -> "eafr.txt: " + tests);
    return tests;
  }

  private static List<String> lines(String resource) {
    try (InputStream in = HadoopSuite.class.getResourceAsStream("/hadoop-suite/" + resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void showTable() throws IOException {
    String table = "Hadoop " + VersionInfo.getVersion() + System.lineSeparator() + TABLE;
    Files.writeString(KEPT.resolve("table.txt"), table);
    System.out.println(table);
  }
}
