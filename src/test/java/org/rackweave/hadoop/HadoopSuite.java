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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
 * class runs in two JVMs side by side, one of them with {@code
 * hadoop-suite/rackweave/hdfs-site.xml} first on its class path. A test that fails only with
 * Rackweave runs again, with its class and nothing beside it, and counts as failed if it fails
 * again.
 *
 * <p>{@code mvn -B verify -Phadoop-suite}; {@code -Drackweave.suite=TestFsck,TestReplication} runs
 * some classes only. The table is kept as {@code target/hadoop-suite/table.txt}, logs beside it.
 */
class HadoopSuite {
  private static final String PACKAGE = "org.apache.hadoop.hdfs.";
  private static final long CLASS_MINUTES = 15;

  /** Times that a class is run again of which a test fails with Rackweave only. */
  private static final int AGAIN_MAX = 3;

  private static final Path KEPT = Path.of("target", "hadoop-suite");
  private static final Path SITES = Path.of("target", "test-classes", "hadoop-suite");
  private static final List<Path> STOCK = List.of(SITES.resolve("stock"), SITES.resolve("common"));
  private static final List<Path> EVERYTHING_ON =
      List.of(SITES.resolve("rackweave"), SITES.resolve("common"));
  private static final SuiteTable TABLE = new SuiteTable();

  private final Map<String, String> exceptions = exceptions();
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
    return classes.stream()
        .map(name -> DynamicTest.dynamicTest(name, () -> compare(name, classes.size())));
  }

  private void compare(String name, int all) {
    CompletableFuture<SuiteOutcome> onStock =
        CompletableFuture.supplyAsync(() -> run(name, "stock", STOCK));
    SuiteOutcome ours = run(name, "rackweave", EVERYTHING_ON);
    SuiteOutcome stock = onStock.join();
    List<String> lost = lost(name, stock, ours);
    String again = "";
    // Some of Hadoop's own race: they fail now and then on stock, too.
    for (int run = 0; run < AGAIN_MAX && !lost.isEmpty(); run++) {
      again += ", again for " + lost;
      SuiteOutcome once = run(name, "rackweave-again", EVERYTHING_ON);
      lost = lost.stream().filter(stock.passedOnlyHere(once)::contains).toList();
    }
    TABLE.add(name, stock, ours);
    done++;
    progress(name, all, again);
    assertTrue(stock.results().size() > 0, name + " has no tests");
    assertEquals(List.of(), unexcused(name, stock.skipped()), "skipped");
    assertTrue(
        lost.isEmpty(),
        lost.stream()
            .map(test -> test + ": " + ours.messages().getOrDefault(test, "not begun"))
            .collect(Collectors.joining("\n", "with Rackweave only:\n", "")));
  }

  private List<String> lost(String name, SuiteOutcome stock, SuiteOutcome ours) {
    return unexcused(name, stock.passedOnlyHere(ours));
  }

  private List<String> unexcused(String name, List<String> tests) {
    String simpleName = name.substring(name.lastIndexOf('.') + 1);
    return tests.stream()
        .filter(test -> !exceptions.containsKey(simpleName + "." + test.replaceAll("\\(.*", "")))
        .toList();
  }

  private void progress(String name, int all, String again) {
    long minutes = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - startedNanos);
    System.out.printf(
        "%2d of %d  %s%s, after %d min, %d min to go%n",
        done, all, name, again, minutes, minutes * (all - done) / done);
  }

  private static SuiteOutcome run(String name, String way, List<Path> first) {
    Path home = KEPT.resolve(way).resolve(name).toAbsolutePath();
    Path results = home.resolve("results.tsv");
    long started = System.nanoTime();
    try {
      Files.createDirectories(home);
      Files.deleteIfExists(results);
      Process jvm = start(name, first, home, results);
      boolean ended = jvm.waitFor(CLASS_MINUTES, TimeUnit.MINUTES);
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

  private static Process start(String name, List<Path> first, Path home, Path results)
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
