package org.rackweave;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The binary archive is all that an installed Hadoop needs for {@code hdfs rackweave}. */
@Tag("newest-hadoop")
class InstalledClientIT {

  /** What of the tests' class path no Hadoop brings along. */
  private static final Pattern NOT_INSTALLED =
      Pattern.compile(
          ".*-tests\\.jar|(rackweave|hadoop-mini|picocli|snakeyaml|jackson-dataformat-yaml|junit"
              + "|opentest4j|hamcrest|mockito|byte-buddy|objenesis|archunit|surefire|failsafe).*");

  /** Hadoop's shell functions that a profile may call, and what bin/hdfs does with a profile. */
  private static final String HDFS =
      """
      hadoop_add_profile() { profile=$1; }
      hadoop_add_subcommand() { subcommand=$1; }
      hadoop_add_classpath() { [[ -e $1 ]] && CLASSPATH+=:$1; }
      hadoop_error() { echo "$*" >&2; }
      HADOOP_SHELL_EXECNAME=hdfs
      . "$PROFILE"
      . "$PROFILE"
      "_${profile}_hadoop_classpath"
      if [[ $1 == namenode ]]; then echo "$CLASSPATH"; exit; fi
      [[ $1 == "$subcommand" ]] && shift
      "hdfs_subcommand_$subcommand"
      if [[ $1 == classpath ]]; then echo "$CLASSPATH"; exit; fi
      export CLASSPATH+=:$HADOOP
      exec "$JAVA" $HDFS_RACKWEAVE_OPTS $HADOOP_CLASSNAME "$@"
      """;

  @TempDir private static Path directory;

  private static String hadoop;
  private static Path home;
  private static Path profile;

  @BeforeAll
  static void unpack() throws Exception {
    String archive = System.getProperty("rackweave.test.archive");
    assertEquals(
        new Output(0, ""), run(List.of("tar", "-xzf", archive, "-C", directory.toString())));
    try (Stream<Path> unpacked = Files.list(directory)) {
      home = unpacked.findFirst().orElseThrow();
    }
    Path installed = home.resolve("libexec/shellprofile.d/rackweave.sh");
    profile = Files.createSymbolicLink(directory.resolve("linked.sh"), installed);
    hadoop =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.endsWith(".jar"))
            .filter(entry -> !NOT_INSTALLED.matcher(Path.of(entry).toFile().getName()).matches())
            .collect(Collectors.joining(File.pathSeparator));
  }

  private record Output(int exitCode, String text) {}

  private static Output hdfs(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", HDFS, "hdfs"));
    command.addAll(List.of(words));
    return run(command);
  }

  private static Output run(List<String> command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    Map<String, String> environment = builder.environment();
    List.of("CLASSPATH", "RACKWEAVE_HOME", "HDFS_RACKWEAVE_OPTS").forEach(environment::remove);
    if (profile != null) {
      environment.put("PROFILE", profile.toString());
      environment.put("HADOOP", hadoop);
      environment.put("JAVA", Path.of(System.getProperty("java.home"), "bin/java").toString());
    }
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Output(process.waitFor(), text);
  }

  private static List<Path> jars(String command) throws Exception {
    return Stream.of(hdfs(command, "classpath").text().strip().split(":"))
        .filter(entry -> !entry.isEmpty())
        .map(Path::of)
        .toList();
  }

  @Test
  void daemonsGetNoLibrary() throws Exception {
    assertEquals(
        List.of(Path.of(System.getProperty("rackweave.test.jar")).getFileName()),
        jars("namenode").stream().map(Path::getFileName).toList());
  }

  @Test
  void runsOnAnInstalledHadoopAlone() throws Exception {
    Output version = hdfs("rackweave", "version");
    assertEquals(0, version.exitCode(), version::text);
    String jar = jars("namenode").get(0).toFile().getName();
    assertTrue(jar.contains(version.text().split("\\s")[1]), version::text);
    Output help = hdfs("rackweave", "rules", "set", "--help");
    assertEquals(0, help.exitCode(), help::text);
    assertTrue(help.text().startsWith("Usage: hdfs rackweave rules set"), help::text);
  }

  /** A class that is missing would be missed only when an administrator needs it. */
  @Test
  void findsEveryClassThatACommandNames() throws Exception {
    List<Path> jars = jars("rackweave");
    List<Path> installed = new ArrayList<>(jars);
    Stream.of(hadoop.split(File.pathSeparator)).map(Path::of).forEach(installed::add);
    List<URL> urls = new ArrayList<>();
    for (Path jar : installed) {
      urls.add(jar.toUri().toURL());
    }
    Path client = jars.get(1);
    Set<String> missing = new TreeSet<>();
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      for (JavaClass ours : classes(client)) {
        ours.getDirectDependenciesFromSelf().stream()
            .map(Dependency::getTargetClass)
            .map(JavaClass::getBaseComponentType)
            .filter(type -> !type.isPrimitive() && !found(type.getName(), loader))
            .forEach(type -> missing.add(ours.getName() + " -> " + type.getName()));
      }
    }
    assertEquals(Set.of(), missing);
  }

  /** Without a look at all that they name, which takes seconds. */
  private static JavaClasses classes(Path jar) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      return ArchConfiguration.withThreadLocalScope(
          configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter().importJar(file);
          });
    }
  }

  private static boolean found(String type, ClassLoader loader) {
    return loader.getResource(type.replace('.', '/') + ".class") != null;
  }

  @Test
  void holdsWhatAnOperatorReads() {
    for (String name :
        List.of(
            "LICENSE", "NOTICE", "README.md", "docs/runbook.md", "conf/rackweave-default.xml")) {
      assertTrue(Files.isRegularFile(home.resolve("share/hadoop/rackweave").resolve(name)), name);
    }
  }
}
